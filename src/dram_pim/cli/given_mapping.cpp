// Reading --arch, --layer and --mapping, and judging whether they fit together.
#include "dram_pim/cli/given_mapping.hpp"

#include <fmt/format.h>

#include "dram_pim/heuristic/best_layouts.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "pimbb/network.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {

namespace {

std::string described(const Workload& layer) {
  return fmt::format("{} ({})", printable(layer.name), shape(layer));
}

/// Whether two layers have the same mappings; their weights in a network and the planes of their
/// inputs do not matter.
bool is_same_layer(Workload a, const Workload& b) {
  a.weight = b.weight;
  a.input_plane = b.input_plane;
  a.padding = b.padding;
  a.moves = b.moves;
  return same_shape(a, b);
}

/// A layer whose bounds are the products of the mapping's factors; nothing if they are too large.
std::optional<Workload> factored(const Mapping& mapping) {
  Workload layer;
  const auto multiply = [&](Dim j, std::int64_t factor) {
    std::int64_t& bound = layer.bounds[index(j)];
    return !__builtin_mul_overflow(bound, factor, &bound);
  };
  bool fits = true;
  for (const Factors& factors : mapping.spatial) {
    for (const Dim j : kAllDims) fits = fits && multiply(j, factors[index(j)]);
  }
  for (const MappingLevel& level : mapping.levels) {
    for (const Loop& loop : level.loops) fits = fits && multiply(loop.dim, loop.factor);
  }
  return fits ? std::optional(layer) : std::nullopt;
}

/// "conv2_x (R3 S3 P56 Q56 C64 K64)", if the mapping was made for another layer than the given one;
/// empty if not, or if the file does not say.
std::string other_layer(const MappingFile& file, const Workload& workload) {
  if (file.workload)
    return is_same_layer(*file.workload, workload) ? "" : described(*file.workload);
  if (file.layer.empty() || file.layer == workload.name) return "";
  std::optional<Workload> layer = factored(file.mapping);
  if (!layer || layer->bounds == workload.bounds) return "";
  layer->name = file.layer;
  return described(*layer);
}

void check(const MappingSettings& settings, const GivenMapping& given) {
  const auto violation = find_violation(given.architecture, given.workload, given.mapping);
  if (!violation) return;
  const std::string other = given.made_for.empty()
                                ? ""
                                : fmt::format("was made for another layer, {}, not for {}; it ",
                                              given.made_for, described(given.workload));
  throw InputError(fmt::format("{}: the mapping {}breaks the rule '{}': {}", settings.mapping,
                               other, violation->rule, violation->message));
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
  GivenMapping given{read_machine(settings, output), read_layer(settings), {}, {}, {}, {}};
  MappingFile file = read_mapping_file(settings.mapping, given.architecture, given.layer);
  given.made_for = other_layer(file, given.layer);
  given.workload = with_bounds(given.layer, file.bounds.value_or(given.layer.bounds));
  given.mapping = std::move(file.mapping);
  choose_layouts(settings, row_model, given, file.has_layouts);
  if (!given.made_for.empty()) given.layouts += "; made for another layer, " + given.made_for;
  return given;
}

}  // namespace pimbb::dram_pim::cli
