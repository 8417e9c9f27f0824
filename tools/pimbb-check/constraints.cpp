// Constraints against the parts of a mapping.
#include "constraints.hpp"

#include <algorithm>

#include "divisors.hpp"

namespace pimbb_check {
namespace {

bool all_admit(const Ranges& ranges, const Factors& factors) {
  for (std::size_t j = 0; j < kDims; ++j) {
    if (!ranges[j].admits(factors[j])) return false;
  }
  return true;
}

std::string range_text(const std::string& name, const Range& range) {
  if (range == Range{}) return "";
  std::string text = "; " + name;
  if (range.least == range.most) return text + " = " + std::to_string(range.least);
  if (range.least > 1) text += " >= " + std::to_string(range.least);
  if (range.most != Range::kAny) text += " <= " + std::to_string(range.most);
  return text;
}

std::string ranges_text(const std::string& place, const Ranges& ranges) {
  std::string text;
  for (std::size_t j = 0; j < kDims; ++j) {
    text += range_text(place + "." + kDimLetters[j], ranges[j]);
  }
  return text;
}

/// Whether a dimension may be unrolled in direction d, and nowhere else.
bool others_admit_one(const std::array<Ranges, 3>& spatial, std::size_t d, std::size_t j) {
  for (std::size_t other = 0; other < 3; ++other) {
    if (other != d && !spatial[other][j].admits(1)) return false;
  }
  return true;
}

/// Values that a factor admitted by `range` leads to from one of `inner`.
std::set<std::int64_t> outwards(const std::set<std::int64_t>& inner, const Range& range,
                                const std::vector<std::int64_t>& values) {
  std::set<std::int64_t> reached;
  for (const std::int64_t i : inner) {
    for (const std::int64_t v : values) {
      if (v % i == 0 && range.admits(v / i)) reached.insert(v);
    }
  }
  return reached;
}

/// Those of `inner` from which a factor admitted by `range` leads to one of `outer`.
std::set<std::int64_t> leading(const std::set<std::int64_t>& inner, const Range& range,
                               const std::set<std::int64_t>& outer) {
  std::set<std::int64_t> found;
  for (const std::int64_t v : inner) {
    const bool leads = std::any_of(outer.begin(), outer.end(), [&](std::int64_t o) {
      return o % v == 0 && range.admits(o / v);
    });
    if (leads) found.insert(v);
  }
  return found;
}

}  // namespace

void Constraints::find_reached(
    const Factors& bounds,
    const std::function<bool(std::size_t, std::size_t, std::int64_t)>& may_unroll) {
  reached_.assign(temporal.size(), {});
  for (std::size_t j = 0; j < kDims; ++j) {
    const std::vector<std::int64_t> values = divisors(bounds[j]);
    std::set<std::int64_t> inner;
    for (std::size_t d = 0; d < 3; ++d) {
      const bool alone = others_admit_one(spatial, d, j);
      for (const std::int64_t f : values) {
        if (alone && spatial[d][j].admits(f) && (f == 1 || may_unroll(d, j, f))) inner.insert(f);
      }
    }
    for (std::size_t m = 0; m < temporal.size(); ++m) {
      inner = reached_[m][j] = outwards(inner, temporal[m][j], values);
    }
    std::set<std::int64_t> outer =
        inner.contains(bounds[j]) ? std::set<std::int64_t>{bounds[j]} : std::set<std::int64_t>{};
    for (std::size_t m = temporal.size(); m-- > 0;) {
      reached_[m][j] = outer;
      if (m > 0) outer = leading(reached_[m - 1][j], temporal[m][j], outer);
    }
  }
}

bool Constraints::unrolls(std::size_t direction, const Factors& factors) const {
  return all_admit(spatial[direction], factors);
}

bool Constraints::nests(std::size_t m, const Factors& inner, const Factors& outer) const {
  if (!any()) return true;
  Factors loops;
  for (std::size_t j = 0; j < kDims; ++j) loops[j] = outer[j] / inner[j];
  return all_admit(temporal[m], loops);
}

bool Constraints::reaches(std::size_t m, const Factors& tile) const {
  for (std::size_t j = 0; j < kDims && any(); ++j) {
    if (!reached_[m][j].contains(tile[j])) return false;
  }
  return true;
}

bool Constraints::keeps(std::size_t m, const Flags& stored) const {
  for (std::size_t t = 0; t < 3 && any(); ++t) {
    if (stores[m][t].value_or(stored[t]) != stored[t]) return false;
  }
  return true;
}

DimSet Constraints::run(std::size_t m, DimSet loops, std::size_t s) const {
  const DimSet idle = loops & irrelevant_dims(s);
  if (inside.empty()) return idle;
  DimSet run = 0;
  for (std::size_t j = 0; j < kDims; ++j) {
    if (contains(idle, j) && (inside[m][j] & loops & ~idle) == 0) run |= 1U << j;
  }
  return run;
}

std::string Constraints::level_text(std::size_t m, const std::string& level) const {
  std::string text = ranges_text(level, temporal[m]);
  for (std::size_t t = 0; t < 3; ++t) {
    if (!stores[m][t]) continue;
    text += "; " + level + (*stores[m][t] ? " stores " : " does not store ");
    text += kTensorNames[t];
  }
  for (std::size_t j = 0; j < kDims; ++j) {
    if (inside[m][j] == 0) continue;
    text += "; " + level + ": " + kDimLetters[j] + " outside ";
    for (std::size_t k = 0; k < kDims; ++k) {
      if (contains(inside[m][j], k)) text += kDimLetters[k];
    }
  }
  return text;
}

std::string Constraints::text(const std::vector<std::string>& levels) const {
  if (!any()) return "";
  std::string text;
  for (std::size_t d = 0; d < 3; ++d) text += ranges_text(kDirectionNames[d], spatial[d]);
  for (std::size_t m = 0; m < levels.size(); ++m) text += level_text(m, levels[m]);
  for (std::size_t t = 0; t < 3; ++t) {
    if (layout[t][0] && layout[t][1]) continue;
    text += std::string("; ") + kTensorNames[t] +
            (layout[t][0]   ? " sequential"
             : layout[t][1] ? " row_aligned"
                            : " without a layout");
  }
  return text + range_text("input_block.h", block[0]) + range_text("input_block.w", block[1]);
}

}  // namespace pimbb_check
