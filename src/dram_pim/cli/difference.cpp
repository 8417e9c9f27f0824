// Part by part, those that are equal left out.
#include "dram_pim/cli/difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "dram_pim/cli/report.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

std::string factor_words(const Factors& factors) {
  std::vector<std::string> parts;
  for (const Dim j : kAllDims) {
    const std::int64_t factor = factors[index(j)];
    if (factor > 1) parts.push_back(fmt::format("{}{}", name(j), factor));
  }
  return parts.empty() ? "1" : fmt::format("{}", fmt::join(parts, " "));
}

/// "keeps weight over P Q", "keeps nothing": the innermost loops that leave a tensor in place.
std::string reuse_text(const std::vector<Loop>& loops) {
  if (loops.empty()) return "keeps nothing";
  const auto still = irrelevant_tensor(loops.back().dim);
  if (!still) return "keeps nothing";
  std::string dims;
  for (std::size_t i = loops.size(); i-- > 0 && irrelevant_tensor(loops[i].dim) == still;) {
    dims = fmt::format("{}{}{}", name(loops[i].dim), dims.empty() ? "" : " ", dims);
  }
  return fmt::format("keeps {} over {}", name(*still), dims);
}

std::string stored_text(const TensorFlags& stores) {
  std::vector<std::string_view> tensors;
  for (const Tensor t : kAllTensors) {
    if (stores[index(t)]) tensors.push_back(name(t));
  }
  return tensors.empty() ? "nothing" : fmt::format("{}", fmt::join(tensors, ", "));
}

}  // namespace

std::string difference(const Architecture& a, const Mapping& m, const Mapping& from) {
  std::vector<std::string> parts;
  if (m.spatial != from.spatial) {
    std::vector<std::string> directions;
    for (const Direction d : kAllDirections) {
      const bool internal = d == Direction::internal;
      if (internal && a.pe_array.extent(d) == 1) continue;
      directions.push_back(factor_words(m.spatial_in(d)));
    }
    parts.push_back(fmt::format("array {}", fmt::join(directions, " x ")));
  }
  for (std::size_t level = m.levels.size(); level-- > 0;) {
    const std::string where = printable(a.levels[level].name);
    if (m.temporal(level) != from.temporal(level)) {
      parts.push_back(fmt::format("{} {}", where, factor_words(m.temporal(level))));
    }
    const std::string reuse = reuse_text(m.levels[level].loops);
    if (level > 0 && reuse != reuse_text(from.levels[level].loops)) {
      parts.push_back(fmt::format("{} {}", where, reuse));
    }
    if (m.levels[level].stores != from.levels[level].stores) {
      parts.push_back(fmt::format("{} stores {}", where, stored_text(m.levels[level].stores)));
    }
  }
  for (const Tensor t : kAllTensors) {
    const std::string has = layout(a, m, t);
    if (has != layout(a, from, t)) parts.push_back(fmt::format("{} {}", name(t), has));
  }
  return parts.empty() ? "orders" : fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace pimbb::dram_pim::cli
