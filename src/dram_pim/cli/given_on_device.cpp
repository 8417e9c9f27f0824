// Reading --device, --layer and --mapping, and judging whether they fit together.
#include "dram_pim/cli/given_on_device.hpp"

#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::cli {

GivenOnDevice read_given_on_device(const MappingSettings& settings,
                                   const DeviceSettings& device_settings,
                                   const OutputSettings& output) {
  if (settings.mapping.empty()) {
    throw InputError(
        "--mapping: found none; allowed is a JSON file as 'pimbb map --device D "
        "--json FILE' writes it");
  }
  if (settings.layout != LayoutChoice::given) {
    throw InputError("--layout: found with --device, allowed are the layouts of the file");
  }
  GivenOnDevice given{
      read_machine(device_settings, settings, output), read_layer(settings), {}, {}};
  DeviceMappingFile file = read_device_mapping(settings.mapping, given.device);
  const bool by_file = !device_settings.moves && file.moves;
  given.moves = by_file ? *file.moves : moves_of(device_settings, given.layer);
  given.mapping = std::move(file.mapping);
  const std::string wrong = find_violation(given.device, given.layer, given.moves, given.mapping);
  if (!wrong.empty()) throw InputError(settings.mapping + ": " + wrong);
  return given;
}

}  // namespace pimbb::dram_pim::cli
