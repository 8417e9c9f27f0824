// The five steps of the greedy heuristic.
#include "dram_pim/heuristic/greedy.hpp"

#include <algorithm>

#include "dram_pim/heuristic/nest_builder.hpp"
#include "exact/factors.hpp"
#include "pimbb/dram_pim/feasibility.hpp"

namespace pimbb::dram_pim::heuristic {
namespace {

constexpr std::array kPreferred{Dim::K, Dim::C, Dim::G, Dim::Q, Dim::P, Dim::N, Dim::S, Dim::R};

class Greedy {
 public:
  Greedy(const Architecture& a, const Workload& w, RowModel row_model, const Mapping& smallest)
      : a_(a), w_(w), row_model_(row_model), nest_(a, w, smallest) {}

  Mapping run() {
    for (std::size_t m = 0; m < a_.row_buffer(); ++m) {
      for (const Tensor t : kAllTensors) nest_.store(m, t);
    }
    for (const Direction d : kAllDirections) {
      take_largest([&](Dim j, std::int64_t factor) { return nest_.unroll(j, factor, d); });
    }
    for (std::size_t m = 0; m <= a_.row_buffer(); ++m) {
      take_largest([&](Dim j, std::int64_t factor) { return nest_.move(j, factor, m); });
    }
    for (std::size_t m = 1; m < a_.levels.size(); ++m) order(m);
    choose_layouts();
    return nest_.mapping();
  }

 private:
  struct Factor {
    std::int64_t factor;
    Dim dim;
  };

  /// Offers the factors of what is left, largest first. What does not fit now will not fit later.
  template <class Take>
  void take_largest(const Take& take) {
    std::vector<Factor> factors;
    for (const Dim j : kPreferred) {
      for (const std::int64_t f : divisors_of(nest_.left(j))) {
        if (f > 1) factors.push_back({f, j});
      }
    }
    std::stable_sort(factors.begin(), factors.end(),
                     [](const Factor& a, const Factor& b) { return a.factor > b.factor; });
    for (const auto& [factor, j] : factors) {
      if (nest_.left(j) % factor == 0) take(j, factor);
    }
  }

  void order(std::size_t level) {
    const Factors inner = nest_.mapping().tile(level - 1);
    const auto bytes = [&](Tensor t) { return a_.tile_bytes(t, w_.tile_elements(t, inner)); };
    const Tensor largest =
        *std::max_element(kAllTensors.begin(), kAllTensors.end(),
                          [&](Tensor a, Tensor b) { return bytes(a) < bytes(b); });
    std::vector<Loop>& loops = nest_.loops(level);
    std::sort(loops.begin(), loops.end(), [&](const Loop& a, const Loop& b) {
      const bool a_moves = relevant(largest, a.dim);
      return a_moves != relevant(largest, b.dim) ? a_moves : a.dim < b.dim;
    });
  }

  void choose_layouts() {
    const auto rows = [&] { return evaluate(a_, w_, nest_.mapping(), row_model_).row_activations; };
    PerTensor<Rational> sequential = rows();
    if (a_.has_free_input_order()) {
      Rational& fewest = sequential[index(Tensor::input)];
      nest_.set_input_order(InputOrder::nhwc);
      const Rational channels_last = rows()[index(Tensor::input)];
      if (channels_last >= fewest) nest_.set_input_order(InputOrder::nchw);
      fewest = std::min(fewest, channels_last);
    }
    const BlockEdges edges = block_edges(a_, w_, nest_.mapping());
    PerTensor<bool> aligned{};
    for (const Tensor t : kAllTensors) {
      aligned[index(t)] = nest_.align(t, {edges.heights.front(), edges.widths.front()});
    }
    const PerTensor<Rational> row_aligned = rows();
    for (const Tensor t : kAllTensors) {
      const std::size_t k = index(t);
      if (aligned[k] && row_aligned[k] >= sequential[k]) nest_.unalign(t);
    }
    if (nest_.mapping().layout[index(Tensor::input)] == Layout::row_aligned) {
      nest_.set_input_order(InputOrder::nchw);
    }
  }

  const Architecture& a_;
  const Workload& w_;
  RowModel row_model_;
  NestBuilder nest_;
};

}  // namespace

Mapping greedy(const Architecture& architecture, const Workload& workload, RowModel row_model,
               const Mapping& smallest) {
  return Greedy(architecture, workload, row_model, smallest).run();
}

std::optional<Mapping> greedy_in_rows(const Architecture& architecture, const Workload& workload,
                                      RowModel row_model, const Mapping& smallest) {
  const std::size_t row_buffer = architecture.row_buffer();
  if (architecture.levels[row_buffer].capacity) return std::nullopt;
  Architecture bounded = architecture;
  bounded.levels[row_buffer].capacity = architecture.row_bytes();
  if (find_violation(bounded, workload, smallest)) return std::nullopt;  // no element fits a row
  return greedy(bounded, workload, row_model, smallest);
}

}  // namespace pimbb::dram_pim::heuristic
