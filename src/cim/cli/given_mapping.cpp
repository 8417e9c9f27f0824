// Reading --arch, --layer and --mapping, and judging whether they fit together.
#include "cim/cli/given_mapping.hpp"

#include <fmt/format.h>

#include "cim/cli/report.hpp"
#include "pimbb/cim/feasibility.hpp"
#include "pimbb/error.hpp"
#include "pimbb/network.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::cim::cli {
namespace {

/// "was made for another layer, conv1 (R7 ...), not for fc (...); it ", or nothing.
std::string other_layer(const MappingFile& file, const Workload& layer) {
  if (!file.workload) return "";
  Workload own = *file.workload;
  own.weight = layer.weight;
  if (same_shape(own, layer)) return "";
  return fmt::format("was made for another layer, {} ({}), not for {} ({}); it ",
                     printable(own.name), layer_text(own), printable(layer.name),
                     layer_text(layer));
}

}  // namespace

GivenMapping read_given_mapping(const MappingSettings& settings, Padding padding,
                                const OutputSettings& output) {
  if (settings.layer.empty()) ask_for_layer();
  if (settings.mapping.empty()) {
    throw InputError(
        "--mapping: found none; allowed is a JSON file as 'pimbb map --json FILE' writes it");
  }
  GivenMapping given{
      read_machine(settings, output), read_workload(settings.layer, settings.network_options), {}};
  terminal::refuse_padding(given.workload, "an architecture of kind cim");
  const MappingFile file = read_mapping_file(settings.mapping, given.architecture);
  given.mapping = file.mapping;
  if (const auto broken =
          find_violation(given.architecture, given.workload, given.mapping, padding)) {
    throw InputError(fmt::format("{}: the mapping {}breaks the rule '{}': {}", settings.mapping,
                                 other_layer(file, given.workload), broken->rule, broken->message));
  }
  return given;
}

OptionRows mapping_rows(MappingSettings& s) {
  return rows_of({layer_rows(s),
                  {{"--mapping", "FILE", groups::kProblem, "", "a JSON file of 'pimbb map --json'",
                    [&](auto option, auto& text) { s.mapping = not_empty(option, text); },
                    [] { return Choices{.files = {"json"}}; }}}});
}

}  // namespace pimbb::cim::cli
