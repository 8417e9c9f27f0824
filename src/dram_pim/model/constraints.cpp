// Constraints in words, and against mappings, layers and architectures.
#include "pimbb/dram_pim/constraints.hpp"

#include <algorithm>

#include "exact/factors.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

std::string text(const FactorRange& range) {
  const std::string least = std::to_string(range.least);
  const std::string most = std::to_string(range.most);
  if (range.least == range.most) return " = " + least;
  if (range.most == FactorRange::kAny) return " >= " + least;
  if (range.least == 1) return " <= " + most;
  return " = " + least + ".." + most;
}

/// Calls visit(name of the factor, its dimension, its range, its place in a mapping) for every
/// range that limits a factor. A place is a direction, or kDirections and the level.
template <class Visit>
void for_each_range(const Architecture& a, const Constraints& c, const Visit& visit) {
  const auto visit_all = [&](const FactorRanges& ranges, const std::string& where,
                             std::size_t place) {
    for (const Dim j : kAllDims) {
      const FactorRange& range = ranges[index(j)];
      if (range != FactorRange{}) visit(where + "." + std::string(name(j)), j, range, place);
    }
  };
  for (const Direction d : kAllDirections) {
    visit_all(c.spatial[index(d)], "spatial." + std::string(name(d)), index(d));
  }
  for (std::size_t m = 0; m < c.temporal.size(); ++m) {
    visit_all(c.temporal[m], a.levels[m].name, kDirections + m);
  }
}

/// A level's partial order as chains "K C", outermost first, of dimensions that follow each other
/// directly.
std::vector<std::string> chains(const LevelPrecedence& level) {
  std::vector<std::string> found;
  const auto inside = [&](Dim outer, Dim inner) {
    return (level[index(outer)] >> index(inner) & 1U) != 0;
  };
  for (const Dim j : kAllDims) {
    for (const Dim k : kAllDims) {
      const bool between =
          std::ranges::any_of(kAllDims, [&](Dim i) { return inside(j, i) && inside(i, k); });
      if (!inside(j, k) || between) continue;
      found.push_back(std::string(name(k)) + " inside " + std::string(name(j)));
    }
  }
  return found;
}

std::string verb(bool stored) { return stored ? " stores " : " does not store "; }

std::optional<std::string> layout_text(Tensor t, const LayoutRange& range) {
  if (range.sequential && range.row_aligned) return std::nullopt;
  return std::string(name(t)) + (range.sequential    ? " is sequential"
                                 : range.row_aligned ? " is row_aligned"
                                                     : " has no layout");
}

/// The limits of a row-aligned input's block: edges h and w.
std::vector<std::pair<std::string, FactorRange>> block_ranges(const Constraints& c) {
  const LayoutRange& input = c.layouts[index(Tensor::input)];
  std::vector<std::pair<std::string, FactorRange>> ranges;
  for (const auto& [edge, k] : {std::pair{"h", 2U}, {"w", 3U}}) {
    const FactorRange range{input.least.at(k), input.most.at(k)};
    if (range != FactorRange{}) ranges.emplace_back(std::string("input_block.") + edge, range);
  }
  return ranges;
}

}  // namespace

bool Constraints::limit_factors() const {
  const auto free = [](const FactorRanges& ranges) { return ranges == FactorRanges{}; };
  return !std::ranges::all_of(spatial, free) || !std::ranges::all_of(temporal, free);
}

bool Constraints::any() const {
  const bool decides = std::ranges::any_of(stores, [](const auto& level) {
    return std::ranges::any_of(level, [](const auto& bit) { return bit.has_value(); });
  });
  return limit_factors() || decides || orders.any() || layouts != LayoutRanges{};
}

const FactorRange& Constraints::temporal_range(std::size_t level, Dim j) const {
  static const FactorRange any;
  return level < temporal.size() ? temporal[level][index(j)] : any;
}

std::vector<std::string> constraint_texts(const Architecture& a, const Constraints& c) {
  std::vector<std::string> all;
  for_each_range(a, c, [&](const std::string& factor, Dim, const FactorRange& range, std::size_t) {
    all.push_back(factor + text(range));
  });
  for (std::size_t m = 0; m < c.stores.size(); ++m) {
    for (const Tensor t : kAllTensors) {
      if (const auto stored = c.stored(m, t)) {
        all.push_back(a.levels[m].name + verb(*stored) + std::string(name(t)));
      }
    }
  }
  for (std::size_t m = 0; m < c.orders.inside.size(); ++m) {
    for (const std::string& pair : chains(c.orders.inside[m])) {
      all.push_back(a.levels[m].name + ": " + pair);
    }
  }
  for (const Tensor t : kAllTensors) {
    if (const auto layout = layout_text(t, c.layouts[index(t)])) all.push_back(*layout);
  }
  for (const auto& [edge, range] : block_ranges(c)) all.push_back(edge + text(range));
  return all;
}

std::optional<std::string> find_breach(const Architecture& a, const Mapping& mapping,
                                       const Constraints& c) {
  std::optional<std::string> breach;
  for_each_range(
      a, c, [&](const std::string& factor, Dim j, const FactorRange& range, std::size_t place) {
        const std::int64_t found = place < kDirections
                                       ? mapping.spatial[place][index(j)]
                                       : mapping.temporal(place - kDirections)[index(j)];
        if (breach || range.admits(found)) return;
        breach = factor + " is " + std::to_string(found) + ", wanted is " + factor + text(range);
      });
  if (breach) return breach;
  for (std::size_t m = 0; m < c.stores.size(); ++m) {
    for (const Tensor t : kAllTensors) {
      const auto stored = c.stored(m, t);
      if (!stored || *stored == mapping.levels[m].stores[index(t)]) continue;
      return a.levels[m].name + verb(!*stored) + std::string(name(t)) + ", wanted is that it" +
             verb(*stored) + "it";
    }
  }
  if (auto disorder = find_disorder(a, mapping, c.orders)) return disorder;
  if (within(c.layouts, a, mapping)) return std::nullopt;
  for (const Tensor t : kAllTensors) {
    const LayoutRange& range = c.layouts[index(t)];
    const Layout layout = mapping.layout[index(t)];
    if (layout == Layout::sequential ? range.sequential : range.row_aligned) continue;
    return "the layout of " + std::string(name(t)) + " is " +
           std::string(kLayoutNames[static_cast<std::size_t>(layout)]) + ", wanted is that " +
           *layout_text(t, range);
  }
  const Block& block = mapping.input_block;
  return "input_block is " + std::to_string(block.h) + " x " + std::to_string(block.w) +
         ", which is not the one wanted";
}

std::optional<std::string> find_misfit(const Architecture& a, const Workload& w,
                                       const Constraints& c) {
  std::optional<std::string> misfit;
  for_each_range(
      a, c, [&](const std::string& factor, Dim j, const FactorRange& range, std::size_t) {
        const auto divisors = divisors_of(w.bound(j));
        const bool fits =
            std::ranges::any_of(divisors, [&](std::int64_t f) { return range.admits(f); });
        if (misfit || fits) return;
        misfit = factor + text(range) + ": allowed are divisors of " + std::string(name(j)) +
                 " = " + std::to_string(w.bound(j)) + " of layer '" + w.name + "'";
      });
  return misfit;
}

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw InputError("constraints: " + message);
}

void validate_order(const MemoryLevel& level, std::size_t m, const LevelPrecedence& inside) {
  LevelPrecedence closed = inside;
  make_transitive(closed);
  bool cyclic = false;
  for (std::size_t j = 0; j < kDims; ++j) cyclic = cyclic || (closed.at(j) >> j & 1U) != 0;
  if (cyclic || closed != inside || (m == 0 && closed != LevelPrecedence{})) {
    refuse(level.name + ": found an order that is cyclic, not transitive, or of the " +
           "innermost level's loops, whose order is fixed");
  }
}

void validate_stores(const Architecture& a, const Constraints& c, std::size_t m) {
  const bool free = m < a.row_buffer() && a.levels[m].bypass_free;
  for (const Tensor t : kAllTensors) {
    const auto stored = c.stored(m, t);
    const bool may = a.storable(m)[index(t)];
    if (!stored || (*stored ? may : !may || free)) continue;
    refuse(a.levels[m].name + ": found that it" + verb(*stored) + std::string(name(t)) +
           ", which no mapping on '" + a.name + "' does");
  }
}

void validate_layout(const Architecture& a, const LayoutRange& range, Tensor t) {
  LayoutRange free = range;
  free.sequential = free.channels_last = free.row_aligned = true;
  if (t == Tensor::input) {  // the edges of the block
    free.least = {range.least[0], range.least[1], 1, 1};
    free.most = {range.most[0], range.most[1], LayoutRange::kAny, LayoutRange::kAny};
  }
  if (free != LayoutRange{}) refuse("found layout boxes, allowed are blocks of the input");
  if (t == Tensor::input && a.has_free_input_order() && range.channels_last != range.sequential) {
    refuse("found an order of the input, allowed are layouts");
  }
}

}  // namespace

void validate(const Architecture& a, const Constraints& c) {
  if (c.temporal.size() > a.levels.size() || c.stores.size() > a.levels.size() ||
      c.orders.inside.size() > a.levels.size()) {
    refuse("found more levels than the architecture '" + a.name + "' has, " +
           std::to_string(a.levels.size()));
  }
  for_each_range(a, c, [&](const std::string& factor, Dim, const FactorRange& range, std::size_t) {
    if (range.least < 1 || range.most < range.least) refuse(factor + ": found an empty range");
  });
  for (std::size_t m = 0; m < c.orders.inside.size(); ++m) {
    validate_order(a.levels[m], m, c.orders.inside[m]);
  }
  for (std::size_t m = 0; m < c.stores.size(); ++m) validate_stores(a, c, m);
  for (const Tensor t : kAllTensors) validate_layout(a, c.layouts[index(t)], t);
}

LayoutRanges both(const LayoutRanges& a, const LayoutRanges& b) {
  LayoutRanges result = a;
  for (std::size_t t = 0; t < kTensors; ++t) {
    LayoutRange& range = result[t];
    range.sequential = range.sequential && b[t].sequential;
    range.channels_last = range.channels_last && b[t].channels_last;
    range.row_aligned = range.row_aligned && b[t].row_aligned;
    for (std::size_t k = 0; k < range.least.size(); ++k) {
      range.least.at(k) = std::max(range.least.at(k), b[t].least.at(k));
      range.most.at(k) = std::min(range.most.at(k), b[t].most.at(k));
    }
    if (!range.among) range.among = b[t].among;
  }
  return result;
}

}  // namespace pimbb::dram_pim
