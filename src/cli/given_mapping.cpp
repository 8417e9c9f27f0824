// Reading --arch, --layer and --mapping, and judging whether they fit together.
#include "cli/given_mapping.hpp"

#include <fmt/format.h>

#include "pimbb/error.hpp"
#include "pimbb/feasibility.hpp"
#include "pimbb/io.hpp"

namespace pimbb::cli {

GivenMapping read_given_mapping(const Settings& settings) {
  if (settings.layer.empty()) ask_for_layer();
  if (settings.mapping.empty()) {
    throw InputError(
        "--mapping: found none; allowed is a JSON file as 'pimbb map --json FILE' writes it");
  }
  GivenMapping given{io::read_architecture(settings.arch),
                     io::read_workload(settings.layer, settings.network_options),
                     {}};
  given.mapping = io::read_mapping(settings.mapping, given.architecture);
  if (const auto violation = find_violation(given.architecture, given.workload, given.mapping)) {
    throw InputError(fmt::format("{}: the mapping breaks the rule '{}': {}", settings.mapping,
                                 violation->rule, violation->message));
  }
  return given;
}

}  // namespace pimbb::cli
