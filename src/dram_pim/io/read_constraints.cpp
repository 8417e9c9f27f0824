// Constraint files (docs/constraints.md): a map of spatial factors, temporal factors and orders by
// level, storage bits, layouts and the input's block.
#include <fmt/format.h>

#include <charconv>

#include "files/nearest.hpp"
#include "files/source.hpp"
#include "files/value.hpp"
#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim {
namespace {

constexpr std::int64_t kLargestFactor = std::int64_t{1} << 53;

std::optional<std::int64_t> factor(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= 1 && value <= kLargestFactor ? std::optional(value) : std::nullopt;
}

/// 8, "<=8", ">=8" or "2..8".
FactorRange read_range(const files::Value& value) {
  constexpr std::string_view kAllowed =
      R"(integers >= 1 (exactly this factor), "<=N", ">=N" and "N..M" with 1 <= N <= M)";
  const std::string text = value.text(kAllowed);
  const std::string_view all = text;
  const std::size_t dots = text.find("..");
  std::optional<std::int64_t> least = 1;
  std::optional<std::int64_t> most = FactorRange::kAny;
  if (all.starts_with("<=")) {
    most = factor(all.substr(2));
  } else if (all.starts_with(">=")) {
    least = factor(all.substr(2));
  } else if (dots != std::string::npos) {
    least = factor(all.substr(0, dots));
    most = factor(all.substr(dots + 2));
  } else {
    least = most = factor(all);
  }
  if (!least || !most || *least > *most) value.fail(value.found(), kAllowed);
  return {*least, *most};
}

class ConstraintReader {
 public:
  explicit ConstraintReader(const Architecture& architecture) : a_(architecture) {
    for (const MemoryLevel& level : a_.levels) level_names_.push_back(level.name);
    c_.temporal.resize(a_.levels.size());
    c_.stores.resize(a_.levels.size());
    c_.orders.inside.resize(a_.levels.size());
  }

  Constraints read(const files::Value& value) {
    static constexpr std::array<std::string_view, 5> kKeys{"spatial", "temporal", "stores",
                                                           "layout", "input_block"};
    const files::Object object = value.object(kKeys);
    if (const auto v = object.find("spatial")) spatial(*v);
    if (const auto v = object.find("temporal")) temporal(*v);
    if (const auto v = object.find("stores")) stores(*v);
    if (const auto v = object.find("layout")) layout(*v);
    if (const auto v = object.find("input_block")) input_block(*v);
    return c_;
  }

 private:
  static void factors(const files::Value& value, FactorRanges& ranges) {
    const files::Object object = value.object(kDimNames);
    for (const Dim j : kAllDims) {
      if (const auto range = object.find(name(j))) ranges[index(j)] = read_range(*range);
    }
  }

  void spatial(const files::Value& value) {
    const files::Object directions = value.object(kDirectionNames);
    for (const Direction d : kAllDirections) {
      const auto given = directions.find(name(d));
      if (!given) continue;
      factors(*given, c_.spatial[index(d)]);
      for (const Dim j : kAllDims) check_unrolling(*given, d, j);
    }
  }

  /// What no mapping on this architecture can have.
  void check_unrolling(const files::Value& direction, Direction d, Dim j) const {
    const std::int64_t least = c_.spatial[index(d)][index(j)].least;
    if (least == 1) return;
    const files::Value value = *direction.get(name(j));
    const PeArray& pe = a_.pe_array;
    if (!pe.allows(d, j)) {
      value.fail(value.found(),
                 fmt::format("1 only: units of type {} do not unroll {} there",
                             kUnitTypeNames[static_cast<std::size_t>(pe.unit_type)], name(j)));
    }
    if (least > pe.extent(d)) {
      value.fail(value.found(), fmt::format("factors up to the extent {}", pe.extent(d)));
    }
    for (const Direction other : kAllDirections) {
      if (other != d && index(other) < index(d) && c_.spatial[index(other)][index(j)].least > 1) {
        value.fail(value.found(), fmt::format("1 only: a dimension is unrolled in one direction, "
                                              "and {} is in {}",
                                              name(j), name(other)));
      }
    }
  }

  void temporal(const files::Value& value) {
    static constexpr std::array<std::string_view, 3> kKeys{"level", "factors", "order"};
    std::vector<bool> seen(level_names_.size());
    for (const files::Value& item :
         value.list("lists of levels: {level: NAME, factors: {...}, order: [...]}")) {
      const files::Object object = item.object(kKeys);
      const files::Value level = object["level"];
      const std::size_t m = level.choice(level_names_);
      if (seen[m]) level.fail("a level a second time: " + level.found(), "each level once");
      seen[m] = true;
      if (const auto v = object.find("factors")) factors(*v, c_.temporal[m]);
      if (const auto v = object.find("order")) order(*v, m);
    }
  }

  /// Each dimension inside all that are listed before it.
  void order(const files::Value& value, std::size_t m) {
    if (m == 0) {
      value.fail("an order", "orders of levels above '" + a_.levels[0].name +
                                 "', whose loops have a fixed order");
    }
    LevelPrecedence& inside = c_.orders.inside[m];
    std::uint8_t outside = 0;
    for (const files::Value& item : value.list("lists of dimensions, outermost first")) {
      const std::size_t j = item.choice(kDimNames);
      if ((outside >> j & 1U) != 0) {
        item.fail("a dimension a second time: " + item.found(), "each dimension once");
      }
      for (std::size_t k = 0; k < kDims; ++k) {
        if ((outside >> k & 1U) != 0) inside[k] = static_cast<std::uint8_t>(inside[k] | 1U << j);
      }
      outside = static_cast<std::uint8_t>(outside | 1U << j);
    }
  }

  void stores(const files::Value& value) {
    const files::Object levels = value.object(level_names_);
    for (std::size_t m = 0; m < level_names_.size(); ++m) {
      const auto given = levels.find(level_names_[m]);
      if (!given) continue;
      const files::Object tensors = given->object(kTensorNames);
      for (const Tensor t : kAllTensors) {
        if (const auto v = tensors.find(name(t))) c_.stores[m][index(t)] = stored(*v, m, t);
      }
    }
  }

  [[nodiscard]] bool stored(const files::Value& value, std::size_t m, Tensor t) const {
    const bool stored = value.boolean();
    const bool may = a_.storable(m)[index(t)];
    const bool free = m < a_.row_buffer() && a_.levels[m].bypass_free;
    if (stored && !may) {
      value.fail("true",
                 fmt::format("false only: '{}' cannot store the {}", level_names_[m], name(t)));
    }
    if (!stored && may && !free) {
      value.fail("false", fmt::format("true only: '{}' stores the {} in every mapping, its bypass "
                                      "is fixed",
                                      level_names_[m], name(t)));
    }
    return stored;
  }

  void layout(const files::Value& value) {
    const files::Object tensors = value.object(kTensorNames);
    for (const Tensor t : kAllTensors) {
      const auto given = tensors.find(name(t));
      if (!given) continue;
      const auto layout = static_cast<Layout>(given->choice(kLayoutNames));
      LayoutRange& range = c_.layouts[index(t)];
      range.sequential = range.channels_last = layout == Layout::sequential;
      range.row_aligned = layout == Layout::row_aligned;
    }
  }

  /// Of an input that is row-aligned.
  void input_block(const files::Value& value) {
    static constexpr std::array<std::string_view, 2> kKeys{"h", "w"};
    LayoutRange& input = c_.layouts[index(Tensor::input)];
    if (!input.row_aligned) {
      value.fail("a block",
                 "blocks of an input that may be row_aligned, but layout.input is "
                 "sequential");
    }
    const files::Object object = value.object(kKeys);
    for (const std::size_t k : {0U, 1U}) {
      const auto given = object.find(kKeys.at(k));
      if (!given) continue;
      const FactorRange range = read_range(*given);
      input.least.at(2 + k) = range.least;
      input.most.at(2 + k) = range.most;
    }
  }

  const Architecture& a_;
  std::vector<std::string_view> level_names_;
  Constraints c_;
};

}  // namespace

Constraints parse_constraints(std::string_view text, const std::string& label,
                              const Architecture& architecture) {
  const files::Document document(text, label);
  const files::Value root(document, "constraints");
  Constraints constraints = ConstraintReader(architecture).read(root.unwrap("constraints"));
  constraints.source = label;
  return constraints;
}

Constraints read_constraints(const std::string& path, const Architecture& architecture) {
  const files::Source file = files::load_file(path);
  return parse_constraints(file.text, file.label, architecture);
}

}  // namespace pimbb::dram_pim
