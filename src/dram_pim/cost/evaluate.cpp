// The cost of one mapping, term by term, written as the model states it: exact, not fast.
//
// Traffic first (how many elements each level hands inwards), then row activations, then the time
// of every resource and the energy as weighted sums of those counts.
#include <algorithm>

#include "dram_pim/model/read_count.hpp"
#include "dram_pim/rows/activation_counter.hpp"
#include "dram_pim/rows/row_activations.hpp"
#include "exact/rational_impl.hpp"
#include "pimbb/dram_pim/cost.hpp"

namespace pimbb::dram_pim {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

Rational ratio(Int128 numerator, std::int64_t denominator) {
  return make_rational(cpp_rational(cpp_int(numerator), cpp_int(denominator)));
}

std::int64_t relevant_product(Tensor t, const Factors& factors) {
  std::int64_t result = 1;
  for (const Dim j : kAllDims) {
    if (relevant(t, j)) result *= factors[index(j)];
  }
  return result;
}

rows::RowReuse row_reuse(const Architecture& a, const Mapping& m, Tensor t) {
  rows::RowReuse r;
  const auto split = [&](std::size_t level, Int128& inner, Int128& outer) {
    bool inside = true;
    const auto& nest = m.levels[level].loops;
    for (auto loop = nest.rbegin(); loop != nest.rend(); ++loop) {
      if (relevant(t, loop->dim)) {
        inside = false;
      } else {
        (inside ? inner : outer) *= loop->factor;
      }
    }
  };
  split(a.dram(), r.reuse3, r.outer3);
  split(a.row_buffer(), r.reuse2, r.outer2);
  return r;
}

Rational count_activations(const Architecture& a, const Workload& w, const Mapping& m, Tensor t,
                           RowModel model) {
  if (is_traced(model)) return ratio(rows::count_activations(a, w, m, t), 1);
  const Factors tile = m.tile(a.row_buffer());
  const Layout layout = m.layout[index(t)];
  rows::RowTile row_tile = rows::row_tile(a, w, t, tile);
  if (t == Tensor::input) {
    if (layout == Layout::row_aligned) {
      row_tile.cross = rows::crossing_tiles(w, tile, m.input_block);
    } else if (traits(model).micro && !row_tile.tensor_fits) {
      row_tile.micro = rows::micro_trace_sum(a, w, tile);
    }
  }
  return ratio(rows::activations(model, t, layout, a.row_units(), row_tile, row_reuse(a, m, t)),
               a.row_units());
}

/// What level m hands inwards of one tensor: A for one instance, A_total for all of them.
struct Reads {
  Rational each;
  Rational total;
};

class Evaluation {
 public:
  Evaluation(const Architecture& a, const Workload& w, const Mapping& m,
             const PerTensor<Rational>& row_activations)
      : a_(a), w_(w), m_(m), count_(a, w) {
    metrics_.levels.resize(a.levels.size());
    metrics_.row_activations = row_activations;
    count_compute();
    for (const Tensor t : kAllTensors) reads_[index(t)] = traffic(t);
    time_dram();
    for (std::size_t level = 0; level < a_.row_buffer(); ++level) time_level(level);
    time_interconnect();
    sum_latency();
    sum_energy();
    utilizations();
  }

  [[nodiscard]] Metrics metrics() && { return std::move(metrics_); }

 private:
  [[nodiscard]] bool stores(std::size_t level, Tensor t) const {
    return m_.levels[level].stores[index(t)];
  }
  [[nodiscard]] const Reads& reads(std::size_t level, Tensor t) const {
    return *reads_[index(t)][level];
  }

  void count_compute() {
    for (std::size_t level = 0; level < a_.levels.size(); ++level) {
      temporal_ *= product(m_.temporal(level));
    }
    metrics_.compute_cycles = temporal_;
    for (const Dim j : kAllDims) {
      if (is_reduction(j) && m_.spatial_in(Direction::internal)[index(j)] > 1) {
        metrics_.compute_cycles = temporal_ + a_.pe_array.reduction_latency;
      }
    }
  }

  /// V: elements moved into level i, the loops above it counted from the innermost relevant one.
  [[nodiscard]] std::int64_t fills(std::size_t i, Tensor t) const {
    std::int64_t loops = 1;
    bool counting = false;
    for (std::size_t level = i + 1; level < m_.levels.size(); ++level) {
      const auto& nest = m_.levels[level].loops;
      for (auto loop = nest.rbegin(); loop != nest.rend(); ++loop) {
        counting = counting || relevant(t, loop->dim);
        if (counting) loops *= loop->factor;
      }
    }
    return w_.tile_elements(t, m_.tile(i)) * loops;
  }

  [[nodiscard]] Reads feed_of_pes(std::size_t level, Tensor t) const {
    if (level > 0) {
      // The row buffer hands out the input as the box that the PEs cover: what `trace` moves.
      const bool as_box = t == Tensor::input && level == a_.row_buffer();
      const Rational all = temporal_ * (as_box ? Rational(w_.tile_elements(t, m_.spatial_tile()))
                                               : relevant_product(t, m_.spatial_tile()));
      return {all, all};
    }
    const Rational one = temporal_ * relevant_product(t, m_.spatial_in(Direction::internal));
    return {one, one * product(m_.spatial_in(Direction::H)) * product(m_.spatial_in(Direction::W))};
  }

  /// Reads of one tensor at every level that stores it.
  [[nodiscard]] std::vector<std::optional<Reads>> traffic(Tensor t) const {
    std::vector<std::optional<Reads>> result(m_.levels.size());
    std::optional<std::size_t> inner;
    for (std::size_t level = 0; level < m_.levels.size(); ++level) {
      if (!stores(level, t)) continue;
      Reads reads;
      if (inner) {
        reads.each = reads.total = fills(*inner, t);
      } else {
        reads = feed_of_pes(level, t);
      }
      if (count_.rereads(t)) {
        const Rational total = count_.reads(t, reads.total);
        reads.each *= total / reads.total;
        reads.total = total;
      }
      result[level] = reads;
      inner = level;
    }
    return result;
  }

  /// Cycles that level `level` needs to hand tensor `t` inwards.
  [[nodiscard]] Rational transfer(std::size_t level, Tensor t) const {
    return reads(level, t).each * a_.moved_bytes(t) / a_.levels[level].bandwidth(t);
  }

  void time_dram() {
    for (const Tensor t : kAllTensors) {
      metrics_.dram_cycles[index(t)] = transfer(a_.row_buffer(), t) +
                                       metrics_.row_activations[index(t)] * a_.activation_cycles();
    }
  }

  void time_level(std::size_t level) {
    Rational cycles;
    for (const Tensor t : kAllTensors) {
      if (!stores(level, t)) continue;
      const Rational one = transfer(level, t);
      cycles = a_.levels[level].shared_ports ? cycles + one : max(cycles, one);
    }
    metrics_.levels[level].cycles = cycles;
  }

  void time_interconnect() {
    if (!a_.interconnect_bandwidth) return;
    for (const Tensor t : kAllTensors) {
      std::size_t level = 1;
      while (!stores(level, t)) ++level;
      metrics_.interconnect_cycles +=
          reads(level, t).each * a_.moved_bytes(t) / *a_.interconnect_bandwidth;
    }
  }

  void sum_latency() {
    Rational latency = max(metrics_.compute_cycles, metrics_.interconnect_cycles);
    latency = max(latency, dram_busy(a_, metrics_));
    for (const LevelMetrics& level : metrics_.levels) {
      if (level.cycles) latency = max(latency, *level.cycles);
    }
    metrics_.latency = latency;
  }

  void sum_energy() {
    Rational energy = w_.macs() * a_.pe_array.mac_energy;
    for (const Tensor t : kAllTensors) {
      for (std::size_t level = 0; level < m_.levels.size(); ++level) {
        if (!stores(level, t)) continue;
        metrics_.levels[level].reads[index(t)] = reads(level, t).total;
        energy += reads(level, t).total * a_.levels[level].access_cost;
      }
      energy += metrics_.row_activations[index(t)] * a_.activation_energy;
    }
    metrics_.energy = energy;
  }

  void utilizations() {
    for (std::size_t level = 0; level < m_.levels.size(); ++level) {
      if (!a_.levels[level].capacity || *a_.levels[level].capacity == 0) continue;
      const Factors tile = level == 0 ? m_.pe_tile() : m_.tile(level);
      for (const Tensor t : kAllTensors) {
        if (!stores(level, t)) continue;
        metrics_.levels[level].buffer_utilization[index(t)] =
            Rational(a_.tile_bytes(t, w_.tile_elements(t, tile)), *a_.levels[level].capacity);
      }
    }
    Rational array = 1;
    for (const Direction d : kAllDirections) array *= a_.pe_array.extent(d);
    metrics_.pe_utilization = product(m_.spatial_tile()) / array;
  }

  const Architecture& a_;
  const Workload& w_;
  const Mapping& m_;
  ReadCount count_;
  std::int64_t temporal_ = 1;  // product of all temporal factors
  PerTensor<std::vector<std::optional<Reads>>> reads_;
  Metrics metrics_;
};

}  // namespace

Rational dram_busy(const Architecture& architecture, const Metrics& metrics) {
  Rational busy;
  for (const Rational& cycles : metrics.dram_cycles) {
    busy = architecture.shared_streams ? busy + cycles : max(busy, cycles);
  }
  return busy;
}

Rational Metrics::activations() const {
  Rational sum;
  for (const Rational& n : row_activations) sum += n;
  return sum;
}

Metrics evaluate_with_rows(const Architecture& architecture, const Workload& workload,
                           const Mapping& mapping, const PerTensor<Rational>& row_activations) {
  return Evaluation(architecture, workload, mapping, row_activations).metrics();
}

Metrics evaluate(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
                 RowModel row_model) {
  if (architecture.has_free_input_order()) {
    return evaluate(architecture.with_input_order(mapping.input_order), workload, mapping,
                    row_model);
  }
  PerTensor<Rational> rows;
  for (const Tensor t : kAllTensors) {
    rows[index(t)] = count_activations(architecture, workload, mapping, t, row_model);
  }
  return evaluate_with_rows(architecture, workload, mapping, rows);
}

}  // namespace pimbb::dram_pim
