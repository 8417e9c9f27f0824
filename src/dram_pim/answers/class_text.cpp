// Part by part.
#include "dram_pim/answers/class_text.hpp"

namespace pimbb::dram_pim::answers {
namespace {

void add_factor(std::string& text, Dim j, std::int64_t factor) {
  text += name(j);
  text += std::to_string(factor);
}

void add_layout(std::string& text, const Architecture& a, const Mapping& m, Tensor t) {
  const bool aligned = m.layout[index(t)] == Layout::row_aligned;
  text += aligned ? 'r' : 's';
  if (t != Tensor::input) return;
  if (aligned) {
    text += '(' + std::to_string(m.input_block.h) + 'x' + std::to_string(m.input_block.w) + ')';
  } else if (a.has_free_input_order()) {
    text += m.input_order == InputOrder::nchw ? 'n' : 'h';
  }
}

}  // namespace

std::string class_text(const Architecture& a, const Mapping& m) {
  std::string text;
  text.reserve(160);
  for (const Direction d : kAllDirections) {
    text += "HWI"[index(d)];
    text += ':';
    for (const Dim j : kAllDims) {
      const std::int64_t factor = m.spatial_in(d)[index(j)];
      if (factor > 1) add_factor(text, j, factor);
    }
    text += ' ';
  }
  for (std::size_t level = 0; level < m.levels.size(); ++level) {
    text += std::to_string(level);
    text += ':';
    for (const Loop& loop : m.levels[level].loops) add_factor(text, loop.dim, loop.factor);
    if (m.levels[level].loops.empty()) text += '-';
    text += ' ';
  }
  text += "stores:";
  for (std::size_t level = 0; level < m.levels.size(); ++level) {
    if (level > 0) text += ',';
    for (const Tensor t : kAllTensors) {
      if (m.levels[level].stores[index(t)]) text += name(t)[0];
    }
  }
  text += " layout:";
  for (const Tensor t : kAllTensors) {
    if (t != Tensor::input) text += ',';
    add_layout(text, a, m, t);
  }
  return text;
}

}  // namespace pimbb::dram_pim::answers
