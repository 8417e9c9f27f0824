// Part by part.
#include "cim/cli/difference.hpp"

#include <vector>

#include "files/nearest.hpp"

namespace pimbb::cim::cli {
namespace {

std::string factors_text(const Factors& factors) {
  std::string text;
  for (const Dim d : kAllDims) {
    if (factors[index(d)] == 1) continue;
    text += ' ' + std::string(name(d)) + std::to_string(factors[index(d)]);
  }
  return text.empty() ? " unused" : text;
}

std::string nest_text(const Mapping& m) {
  std::string text = "loops";
  for (const Loop& loop : m.loops) {
    text += ' ' + std::string(name(loop.dim)) + std::to_string(loop.factor);
  }
  return m.loops.empty() ? "no loops" : text;
}

/// Of nests with the same loops: the tensors that are at other levels.
std::string moved_tensors(const Mapping& mapping, const Mapping& from) {
  std::vector<std::string_view> tensors;
  for (const Tensor t : kAllTensors) {
    for (std::size_t k = 0; k < mapping.loops.size(); ++k) {
      if (mapping.loops[k].level[index(t)] == from.loops[k].level[index(t)]) continue;
      tensors.push_back(name(t));
      break;
    }
  }
  return tensors.empty() ? "" : files::join(tensors) + " at other levels";
}

}  // namespace

std::string difference(const Architecture& a, const Mapping& mapping, const Mapping& from) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  };
  for (std::size_t u = 0; u < a.axes.size(); ++u) {
    if (mapping.spatial[u] == from.spatial[u]) continue;
    add(a.axes[u].name + factors_text(mapping.spatial[u]));
  }
  const std::string nest = nest_text(mapping);
  add(nest == nest_text(from) ? moved_tensors(mapping, from) : nest);
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    if (mapping.doubled[m] == from.doubled[m]) continue;
    std::vector<std::string_view> tensors;
    for (const Tensor t : kAllTensors) {
      if (mapping.doubled[m][index(t)]) tensors.push_back(name(t));
    }
    add(a.levels[m].name + " doubles " + (tensors.empty() ? "nothing" : files::join(tensors)));
  }
  return text;
}

}  // namespace pimbb::cim::cli
