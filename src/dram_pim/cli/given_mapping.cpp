// Reading --arch, --layer and --mapping, and judging whether they fit together.
#include "dram_pim/cli/given_mapping.hpp"

#include <fmt/format.h>

#include "dram_pim/heuristic/best_layouts.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::cli {

namespace {

void check(const MappingSettings& settings, const GivenMapping& given) {
  if (const auto violation = find_violation(given.architecture, given.workload, given.mapping)) {
    throw InputError(fmt::format("{}: the mapping breaks the rule '{}': {}", settings.mapping,
                                 violation->rule, violation->message));
  }
}

void choose_layouts(const MappingSettings& settings, RowModel row_model, GivenMapping& given,
                    bool has_layouts) {
  if (settings.layout == LayoutChoice::given) {
    given.layouts = has_layouts ? "layouts as given"
                                : "sequential layouts, as the file gives none (see --layout)";
    check(settings, given);
    return;
  }
  given.mapping.layout = {};
  given.mapping.input_block = {};
  given.layouts = "sequential layouts";
  check(settings, given);
  if (settings.layout == LayoutChoice::best) {
    given.layouts = "the best layouts for these loops";
    given.mapping = heuristic::with_best_layouts(given.architecture, given.workload,
                                                 std::move(given.mapping), row_model);
  }
}

}  // namespace

GivenMapping read_given_mapping(const MappingSettings& settings, RowModel row_model,
                                const OutputSettings& output) {
  if (settings.layer.empty()) ask_for_layer();
  if (settings.mapping.empty()) {
    throw InputError(
        "--mapping: found none; allowed is a JSON file as 'pimbb map --json FILE' writes it, or a "
        "Timeloop mapping");
  }
  GivenMapping given{read_machine(settings, output),
                     read_workload(settings.layer, settings.network_options),
                     {},
                     {}};
  MappingFile file = read_mapping_file(settings.mapping, given.architecture, given.workload);
  given.mapping = std::move(file.mapping);
  choose_layouts(settings, row_model, given, file.has_layouts);
  return given;
}

}  // namespace pimbb::dram_pim::cli
