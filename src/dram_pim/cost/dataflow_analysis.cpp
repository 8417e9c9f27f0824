// Reading a mapping's dataflow off its loops: what stays (time), what is shared (space), and the
// bytes per cycle that follow from the traffic of the cost model.
#include <algorithm>
#include <numeric>

#include "pimbb/dram_pim/dataflow.hpp"

namespace pimbb::dram_pim {
namespace {

/// How many positions stride * p + dilation * r there are for p < `outputs`, r < `taps`: without
/// the gaps that a tile's extent counts as well. Pairs (p, r) of the same position are a chain with
/// steps (dilation, -stride) / gcd, so there are as many positions as pairs without a next one.
std::int64_t positions(std::int64_t stride, std::int64_t outputs, std::int64_t dilation,
                       std::int64_t taps) {
  const std::int64_t g = std::gcd(stride, dilation);
  return outputs * taps - std::max<std::int64_t>(0, outputs - dilation / g) *
                              std::max<std::int64_t>(0, taps - stride / g);
}

bool in_window(Dim j) { return j == Dim::R || j == Dim::S || j == Dim::P || j == Dim::Q; }

class Analysis {
 public:
  Analysis(const Architecture& a, const Workload& w, const Mapping& m)
      : a_(a), w_(w), m_(m), metrics_(evaluate_with_rows(a, w, m, {})) {
    for (std::size_t level = 0; level < m.levels.size(); ++level) {
      for (const std::int64_t f : m.temporal(level)) cycles_ *= f;
    }
    find_stays();
    for (std::size_t level = 1; level < m.levels.size(); ++level) {
      for (const Tensor t : kAllTensors) find_stationary(level, t);
    }
    for (const Tensor t : kAllTensors) flow_into_array(t);
    for (const Direction d : kAllDirections) {
      dataflow_.directions[index(d)].factors = m.spatial_in(d);
      for (const Tensor t : kAllTensors) flow_along(d, t);
    }
    for (std::size_t k = 0; k < kDataflows.size(); ++k) {
      dataflow_.departures[k] = find_departure(a, w, m, kDataflows[k]);
    }
  }

  [[nodiscard]] Dataflow dataflow() && { return std::move(dataflow_); }

 private:
  [[nodiscard]] bool stores(std::size_t level, Tensor t) const {
    return m_.levels[level].stores[index(t)];
  }

  /// A level's innermost loops that do not index t, up to the first that does, outermost first.
  [[nodiscard]] std::vector<Loop> idle_loops(std::size_t level, Tensor t) const {
    std::vector<Loop> idle;
    const std::vector<Loop>& loops = m_.levels[level].loops;
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      if (loop->factor == 1) continue;
      if (relevant(t, loop->dim)) break;
      idle.insert(idle.begin(), *loop);
    }
    return idle;
  }

  /// Whether some loop of the level moves t.
  [[nodiscard]] bool moves(std::size_t level, Tensor t) const {
    return std::ranges::any_of(m_.levels[level].loops, [t](const Loop& loop) {
      return loop.factor > 1 && relevant(t, loop.dim);
    });
  }

  static std::int64_t product(const std::vector<Loop>& loops) {
    std::int64_t all = 1;
    for (const Loop& loop : loops) all *= loop.factor;
    return all;
  }

  void find_stays() {
    dataflow_.stays.resize(m_.levels.size());
    for (std::size_t held = 0; held < a_.dram(); ++held) {
      for (const Tensor t : kAllTensors) {
        if (!stores(held, t)) continue;
        std::int64_t stay = 1;
        for (std::size_t level = held + 1; level < m_.levels.size(); ++level) {
          stay *= product(idle_loops(level, t));
          if (moves(level, t)) break;
        }
        dataflow_.stays[held][index(t)] = stay;
      }
    }
  }

  /// The loops of `level` leave t where it is held, unless a loop between them has moved it.
  void find_stationary(std::size_t level, Tensor t) {
    std::size_t inside = level;
    while (inside > 0 && !stores(inside - 1, t)) {
      --inside;
      if (inside > 0 && moves(inside, t)) return;
    }
    if (inside == 0) return;  // held nowhere inside: the PEs are fed anew in every cycle
    std::vector<Loop> loops = idle_loops(level, t);
    if (loops.empty()) return;
    const std::int64_t iterations = product(loops);
    dataflow_.stationary.push_back({level, t, inside - 1, std::move(loops), iterations});
  }

  /// Different elements of t in one cycle where `unrolled` is.
  [[nodiscard]] std::int64_t elements(Tensor t, const Factors& unrolled) const {
    const auto f = [&](Dim j) { return unrolled[index(j)]; };
    std::int64_t count = 1;
    for (const Dim j : kAllDims) {
      if (relevant(t, j) && !(t == Tensor::input && in_window(j))) count *= f(j);
    }
    if (t != Tensor::input) return count;
    return count * positions(w_.stride_w, f(Dim::P), w_.dilation_w, f(Dim::R)) *
           positions(w_.stride_h, f(Dim::Q), w_.dilation_h, f(Dim::S));
  }

  /// Elements that the model moves where `unrolled` is: level 0's tiles where that stores t; the
  /// box of the input where the row buffer feeds the PEs; else one in every cycle for each
  /// combination of relevant factors.
  [[nodiscard]] std::int64_t moved(Tensor t, const Factors& unrolled) const {
    if (stores(0, t)) return w_.tile_elements(t, times(unrolled, m_.temporal(0)));
    if (t == Tensor::input && dataflow_.array[index(t)].source == a_.row_buffer()) {
      return w_.tile_elements(t, unrolled);
    }
    std::int64_t count = 1;
    for (const Dim j : kAllDims) {
      if (relevant(t, j)) count *= unrolled[index(j)];
    }
    return count;
  }

  /// Bytes per cycle of the reads of t at a level, all instances together.
  [[nodiscard]] Rational rate(std::size_t level, Tensor t) const {
    return *metrics_.levels[level].reads[index(t)] * a_.moved_bytes(t) / cycles_;
  }

  void flow_into_array(Tensor t) {
    ArrayFlow& flow = dataflow_.array[index(t)];
    flow.source = 1;
    while (!stores(flow.source, t)) ++flow.source;
    flow.elements = elements(t, m_.spatial_tile());
    flow.bandwidth = rate(flow.source, t);
  }

  void flow_along(Direction d, Tensor t) {
    LineFlow& flow = dataflow_.directions[index(d)].tensors[index(t)];
    for (const Dim j : kAllDims) {
      if (!relevant(t, j)) flow.sharing *= m_.spatial_in(d)[index(j)];
    }
    const Factors& pe = m_.spatial_in(Direction::internal);
    const Factors line = d == Direction::internal ? pe : times(pe, m_.spatial_in(d));
    flow.elements = elements(t, line);
    if (d == Direction::internal && stores(0, t)) {
      std::int64_t pes = 1;
      for (const std::int64_t f : m_.spatial_in(Direction::H)) pes *= f;
      for (const std::int64_t f : m_.spatial_in(Direction::W)) pes *= f;
      flow.bandwidth = rate(0, t) / pes;
    } else {
      flow.bandwidth = dataflow_.array[index(t)].bandwidth *
                       Rational(moved(t, line), moved(t, m_.spatial_tile()));
    }
  }

  const Architecture& a_;
  const Workload& w_;
  const Mapping& m_;
  Metrics metrics_;
  std::int64_t cycles_ = 1;  // product of all temporal factors
  Dataflow dataflow_;
};

std::string_view long_name(Method dataflow) {
  switch (dataflow) {
    case Method::ws: return "weight stationary";
    case Method::os: return "output stationary";
    case Method::is: return "input stationary";
    default: return "row stationary";
  }
}

/// "output stationary at RowBuffer over R x S = 9 iterations", the tensor only if `named`.
std::string clause(const Architecture& a, const Stationary& s, bool named) {
  std::string loops;
  for (const Loop& loop : s.loops) {
    loops += (loops.empty() ? "" : " x ") + std::string(name(loop.dim));
  }
  return (named ? std::string(name(s.tensor)) + " stationary " : "") + "at " +
         a.levels[s.level].name + " over " + loops + " = " + std::to_string(s.iterations) +
         " iterations";
}

}  // namespace

bool Dataflow::within(Method dataflow) const {
  const auto* at = std::ranges::find(kDataflows, dataflow);
  return at != kDataflows.end() &&
         !departures[static_cast<std::size_t>(at - kDataflows.begin())].has_value();
}

std::string Dataflow::label() const {
  std::string text;
  for (const Method method : kDataflows) {
    if (within(method)) text += (text.empty() ? "" : "+") + std::string(name(method));
  }
  if (!text.empty()) return text;
  std::optional<Tensor> before;
  for (const Stationary& s : stationary) {
    if (before == s.tensor) continue;
    text += (text.empty() ? "mixed " : ",") + std::string(name(s.tensor).substr(0, 1));
    before = s.tensor;
  }
  return text.empty() ? "none" : text;
}

Dataflow analyse_dataflow(const Architecture& architecture, const Workload& workload,
                          const Mapping& mapping) {
  return Analysis(architecture, workload, mapping).dataflow();
}

std::string describe(const Architecture& architecture, const Dataflow& dataflow) {
  std::string head;
  for (const Method method : kDataflows) {
    if (!dataflow.within(method)) continue;
    head += (head.empty() ? "" : " and ") + std::string(long_name(method)) + " (" +
            std::string(name(method)) + ")";
  }
  std::string clauses;
  std::optional<Tensor> before;
  for (const Stationary& s : dataflow.stationary) {
    clauses += (clauses.empty() ? "" : ", ") + clause(architecture, s, before != s.tensor);
    before = s.tensor;
  }
  if (clauses.empty()) {
    return head.empty() ? "no dataflow: every tile moves in every iteration"
                        : head + ": no loop leaves a tile in place";
  }
  return (head.empty() ? "mixed" : head) + ": " + clauses;
}

}  // namespace pimbb::dram_pim
