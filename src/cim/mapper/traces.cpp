// From the outermost loop inwards.
#include "cim/mapper/traces.hpp"

namespace pimbb::cim::mapper {

Mapping mapping_of(const std::vector<Trace>& traces, std::uint32_t outermost,
                   const Problem& problem, const Scheme& scheme) {
  Mapping m;
  m.spatial = scheme.spatial;
  m.doubled.assign(problem.architecture.levels.size(), TensorFlags{});
  TensorFlags hidden{};
  for (std::uint32_t at = outermost; at != kNoTrace; at = traces[at].parent) {
    const Trace& trace = traces[at];
    Loop loop;
    loop.dim = static_cast<Dim>(trace.dim);
    loop.factor = trace.factor;
    loop.level = trace.level;
    for (const Tensor t : kAllTensors) {
      if (!m.loops.empty() && m.loops.back().level[index(t)] != loop.level[index(t)]) {
        m.doubled[loop.level[index(t)]][index(t)] = hidden[index(t)];
        hidden[index(t)] = false;
      }
      if ((trace.hidden >> index(t) & 1U) != 0) hidden[index(t)] = true;
      if (problem.must_double(loop.level[index(t)], t)) {
        m.doubled[loop.level[index(t)]][index(t)] = true;
      }
    }
    m.loops.push_back(loop);
  }
  return m;
}

}  // namespace pimbb::cim::mapper
