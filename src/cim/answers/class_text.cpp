// Part by part.
#include "cim/answers/class_text.hpp"

namespace pimbb::cim::classes {

std::string class_text(const Architecture& a, const Mapping& m) {
  std::string text;
  text.reserve(160);
  const auto add_factor = [&](Dim d, std::int64_t factor) {
    text += name(d);
    text += std::to_string(factor);
  };
  for (std::size_t u = 0; u < m.spatial.size(); ++u) {
    text += a.axes[u].name + ':';
    for (const Dim d : kAllDims) {
      if (m.spatial[u][index(d)] > 1) add_factor(d, m.spatial[u][index(d)]);
    }
    text += ' ';
  }
  for (const Loop& loop : m.loops) {
    add_factor(loop.dim, loop.factor);
    for (const Tensor t : kAllTensors) {
      text += index(t) == 0 ? '@' : ',';
      text += std::to_string(loop.level[index(t)]);
    }
    text += ' ';
  }
  text += "double:";
  bool first = true;
  for (std::size_t level = 0; level < m.doubled.size(); ++level) {
    std::string tensors;
    for (const Tensor t : kAllTensors) {
      if (m.doubled[level][index(t)]) tensors += name(t)[0];
    }
    if (tensors.empty()) continue;
    text += (first ? "" : ",") + std::to_string(level) + tensors;
    first = false;
  }
  return text;
}

}  // namespace pimbb::cim::classes
