// Row activations by walking.
#include "support/oracle_rows.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace oracle {
namespace {

using pimbb::dram_pim::InputOrder;
using pimbb::dram_pim::Layout;

InputOrder order_of(const Architecture& a, const Mapping& m) {
  return a.input_order == InputOrder::free ? m.input_order : a.input_order;
}

/// The first bits of a tensor's elements in DRAM, under the layout that the mapping gives it.
class Addresses {
 public:
  Addresses(const Architecture& a, const Workload& w, const Mapping& m, Tensor t)
      : bits_(element_bits(a, t)),
        row_(row_bits(a)),
        aligned_(m.layout[index(t)] == Layout::row_aligned),
        channels_last_(t == Tensor::input && order_of(a, m) == InputOrder::nhwc),
        tensor_(tile_box(w, t, Factors{}, w.bounds).size),
        frame_(tensor_),
        group_(tile_box(w, t, Factors{}, cumulative(m, a.row_buffer())).size) {
    if (t == Tensor::input) {
      group_[3] = m.input_block.h;
      group_[4] = m.input_block.w;
    }
    const auto& frame = t == Tensor::input ? w.input_frame : w.output_frame;
    if (t == Tensor::weight || !frame) return;
    frame_[3] = frame->height;
    frame_[4] = frame->width;
    border_ = {0, 0, 0, frame->top, frame->left};
  }

  [[nodiscard]] std::int64_t of(const Axes& at) const {
    return aligned_ ? row_aligned(at) : sequential(at);
  }

  [[nodiscard]] std::int64_t sequential(Axes at) const {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += border_[i];
    if (!channels_last_) return row_major(at, frame_) * bits_;
    const auto last = [](const Axes& x) { return Axes{x[0], x[3], x[4], x[1], x[2]}; };
    return row_major(last(at), last(frame_)) * bits_;
  }

  /// Calls `visit` with every element of `box`, in the nesting of the axes.
  template <class Visit>
  static void for_each(const Box& box, const Visit& visit) {
    Axes at{};
    for (at[0] = box.origin[0]; at[0] < box.origin[0] + box.size[0]; ++at[0]) {
      for (at[1] = box.origin[1]; at[1] < box.origin[1] + box.size[1]; ++at[1]) {
        for (at[2] = box.origin[2]; at[2] < box.origin[2] + box.size[2]; ++at[2]) {
          for (at[3] = box.origin[3]; at[3] < box.origin[3] + box.size[3]; ++at[3]) {
            for (at[4] = box.origin[4]; at[4] < box.origin[4] + box.size[4]; ++at[4]) visit(at);
          }
        }
      }
    }
  }

 private:
  /// Groups fill a row each (feasibility sees to it that they fit) and follow one another.
  [[nodiscard]] std::int64_t row_aligned(const Axes& at) const {
    Axes group{};
    Axes inside{};
    Axes groups{};
    for (std::size_t i = 0; i < at.size(); ++i) {
      groups[i] = (tensor_[i] + group_[i] - 1) / group_[i];
      group[i] = at[i] / group_[i];
      inside[i] = at[i] % group_[i];
    }
    return row_major(group, groups) * row_ + row_major(inside, group_) * bits_;
  }

  std::int64_t bits_;
  std::int64_t row_;
  bool aligned_;
  bool channels_last_;
  Axes tensor_;
  Axes frame_;
  Axes border_{};
  Axes group_;
};

/// A DRAM bank with one open row.
class Bank {
 public:
  explicit Bank(std::int64_t row) : row_(row) {}
  void access(std::int64_t address) {
    const std::int64_t row = address / row_;
    if (row != open_) ++activations_;
    open_ = row;
  }
  [[nodiscard]] std::int64_t activations() const { return activations_; }

 private:
  std::int64_t row_;
  std::int64_t open_ = -1;
  std::int64_t activations_ = 0;
};

/// Steps through all index vectors of `loops` (innermost first), calling `visit` at each.
template <class Visit>
void run(const std::vector<PlacedLoop>& loops, const Visit& visit) {
  std::vector<std::int64_t> at(loops.size(), 0);
  while (true) {
    visit(at);
    std::size_t i = 0;
    while (i < loops.size() && ++at[i] == loops[i].factor) at[i++] = 0;
    if (i == loops.size()) return;
  }
}

Factors origin_of(const std::vector<PlacedLoop>& loops, const std::vector<std::int64_t>& at) {
  Factors origin{};
  for (std::size_t i = 0; i < loops.size(); ++i) {
    origin[index(loops[i].dim)] += at[i] * loops[i].step;
  }
  return origin;
}

/// Iterations at which a tile of `t` moves, with the rows that it opens one after the other.
using Moves = std::map<std::int64_t, std::vector<std::int64_t>>;
Moves moves_of(const Architecture& a, const Workload& w, const Mapping& m, Tensor t) {
  Moves moves;
  for_each_access(a, w, m, t, [&](const Access& access) {
    std::vector<std::int64_t>& rows = moves[access.iteration];
    const std::int64_t row = access.bit / row_bits(a);
    if (rows.empty() || rows.back() != row) rows.push_back(row);
  });
  return moves;
}

/// Among the moves of all tensors of the bank of `t`, in the order in which they are written.
std::int64_t trace_together(const Architecture& a, const Workload& w, const Mapping& m, Tensor t) {
  std::array<Moves, kTensors> moves;
  std::set<std::int64_t> iterations;
  for (const Tensor u : kAllTensors) {
    if (bank_of(a, u) != bank_of(a, t)) continue;
    moves[index(u)] = moves_of(a, w, m, u);
    for (const auto& [iteration, rows] : moves[index(u)]) iterations.insert(iteration);
  }
  std::int64_t activations = 0;
  std::pair<Tensor, std::int64_t> open{t, -1};
  for (const std::int64_t iteration : iterations) {
    for (const Tensor u : kAllTensors) {
      const auto move = moves[index(u)].find(iteration);
      if (move == moves[index(u)].end()) continue;
      for (const std::int64_t row : move->second) {
        if (u == t && open != std::pair(u, row)) ++activations;
        open = {u, row};
      }
    }
  }
  return activations;
}

std::int64_t trace(const Architecture& a, const Workload& w, const Mapping& m, Tensor t) {
  if (shares_bank(a, t)) return trace_together(a, w, m, t);
  Bank bank(row_bits(a));
  for_each_access(a, w, m, t, [&](const Access& access) { bank.access(access.bit); });
  return bank.activations();
}

/// Products of one level's irrelevant loops: inner ones have no relevant loop inside them.
struct Irrelevant {
  std::int64_t inner = 1;
  std::int64_t outer = 1;
};

Irrelevant irrelevant_loops(const Mapping& m, std::size_t level, Tensor t) {
  Irrelevant product;
  bool relevant_inside = false;
  const std::vector<Loop>& loops = m.levels[level].loops;
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    if (indexed_by(t, loop->dim)) {
      relevant_inside = relevant_inside || loop->factor > 1;
    } else {
      (relevant_inside ? product.outer : product.inner) *= loop->factor;
    }
  }
  return product;
}

/// The closed formulas and the walks over row-buffer tiles that they need.
class Formulas {
 public:
  Formulas(const Architecture& a, const Workload& w, const Mapping& m, Tensor t)
      : a_(a),
        w_(w),
        m_(m),
        t_(t),
        row_(row_bits(a)),
        shape_(cumulative(m, a.row_buffer())),
        at_dram_(irrelevant_loops(m, a.dram(), t)),
        at_rb_(irrelevant_loops(m, a.row_buffer(), t)) {}

  [[nodiscard]] Fraction analytic() const {
    const std::int64_t sweeps = at_dram_.inner * at_rb_.inner * at_rb_.outer;
    if (sequential()) {
      if (tensor_bits() <= row_) return 1;
      return stream() * (tile_divides_row() ? 1 : sweeps) * at_dram_.outer;
    }
    Fraction total = tiles() * at_dram_.outer;
    if (t_ == Tensor::input) total += 2 * crossings() * sweeps;
    return total;
  }

  [[nodiscard]] Fraction hybrid() const {
    const std::int64_t reuse = at_dram_.inner * at_rb_.inner;
    if (sequential()) {
      if (tensor_bits() <= row_) return 1;
      if (t_ == Tensor::input) {
        return (tiles() + (micro_traces() - tiles()) * reuse) * at_dram_.outer;
      }
      const int misaligned = tile_divides_row() || reuse == 1 ? 1 : 2;
      return stream() * reuse * misaligned * at_dram_.outer * at_rb_.outer;
    }
    const std::int64_t padded_rows = (tiles() * row_ + row_ - 1) / row_;
    Fraction total = padded_rows * reuse * at_dram_.outer * at_rb_.outer;
    if (t_ == Tensor::input) total += crossings() * 2 * reuse;
    return total;
  }

 private:
  [[nodiscard]] bool sequential() const { return m_.layout[index(t_)] == Layout::sequential; }
  [[nodiscard]] std::int64_t bits(const Factors& shape) const {
    return tile_elements(w_, t_, shape) * element_bits(a_, t_);
  }
  [[nodiscard]] std::int64_t tensor_bits() const { return bits(w_.bounds); }
  [[nodiscard]] bool tile_divides_row() const { return row_ % bits(shape_) == 0; }
  [[nodiscard]] Fraction stream() const {
    return max(Fraction(1), Fraction(tensor_bits()) / Fraction(row_));
  }

  /// Calls `visit` with the origin of every row-buffer tile of the tensor.
  template <class Visit>
  void for_each_tile(const Visit& visit) const {
    std::vector<PlacedLoop> loops;
    for (const PlacedLoop& loop : loops_from(m_, a_.dram())) {
      if (indexed_by(t_, loop.dim)) loops.push_back(loop);
    }
    run(loops, [&](const std::vector<std::int64_t>& at) { visit(origin_of(loops, at)); });
  }

  [[nodiscard]] std::int64_t tiles() const {
    std::int64_t count = 0;
    for_each_tile([&](const Factors&) { ++count; });
    return count;
  }

  /// Row switches of every row-buffer tile walked on its own in the linear tensor.
  [[nodiscard]] std::int64_t micro_traces() const {
    const Addresses addresses(a_, w_, m_, t_);
    std::int64_t total = 0;
    for_each_tile([&](const Factors& origin) {
      std::vector<std::int64_t> stream;
      Addresses::for_each(tile_box(w_, t_, origin, shape_), [&](const Axes& element) {
        stream.push_back(addresses.sequential(element));
      });
      std::sort(stream.begin(), stream.end());  // n, c, h, w or n, h, w, c: ascending either way
      Bank bank(row_);
      for (const std::int64_t address : stream) bank.access(address);
      total += bank.activations();
    });
    return total;
  }

  /// Tiles whose window straddles a block edge along the height, plus those along the width.
  [[nodiscard]] std::int64_t crossings() const {
    std::int64_t count = 0;
    for_each_tile([&](const Factors& origin) {
      const Box box = tile_box(w_, t_, origin, shape_);
      const auto straddles = [&](std::size_t axis, std::int64_t block) {
        return box.origin[axis] % block + box.size[axis] > block;
      };
      count += straddles(3, m_.input_block.h) ? 1 : 0;
      count += straddles(4, m_.input_block.w) ? 1 : 0;
    });
    return count;
  }

  const Architecture& a_;
  const Workload& w_;
  const Mapping& m_;
  Tensor t_;
  std::int64_t row_;
  Factors shape_;
  Irrelevant at_dram_;
  Irrelevant at_rb_;
};

}  // namespace

std::size_t bank_of(const Architecture& a, Tensor t) {
  const auto& row_buffer = a.levels[a.levels.size() - 2].num_banks;
  const auto& banks = row_buffer ? row_buffer : a.levels.back().num_banks;
  return banks ? index(t) % static_cast<std::size_t>(*banks) : index(t);
}

bool shares_bank(const Architecture& a, Tensor t) {
  return std::ranges::any_of(kAllTensors,
                             [&](Tensor u) { return u != t && bank_of(a, u) == bank_of(a, t); });
}

int fed_level(const Architecture& a, const Mapping& m, Tensor t) {
  int level = static_cast<int>(a.row_buffer()) - 1;
  while (level >= 0 && !m.levels[static_cast<std::size_t>(level)].stores[index(t)]) --level;
  return level;
}

Fraction row_activations(const Architecture& a, const Workload& w, const Mapping& m, Tensor t,
                         RowModel model) {
  switch (model) {
    case RowModel::analytic: return Formulas(a, w, m, t).analytic();
    case RowModel::hybrid: return Formulas(a, w, m, t).hybrid();
    case RowModel::none: return Fraction(0);
    default: return trace(a, w, m, t);
  }
}

void for_each_access(const Architecture& a, const Workload& w, const Mapping& m, Tensor t,
                     const std::function<void(const Access&)>& visit) {
  const int level = fed_level(a, m, t);
  const bool to_pes = level < 0;
  const std::size_t first = static_cast<std::size_t>(level + 1);
  const std::vector<PlacedLoop> loops = loops_from(m, first);
  const Factors shape =
      to_pes ? spatial_product(m) : cumulative(m, static_cast<std::size_t>(level));
  const Addresses addresses(a, w, m, t);
  std::int64_t inside = 1;  // iterations of the loops that a tile spans
  for (const PlacedLoop& loop : loops_from(m, 0)) inside *= loop.factor;
  for (const PlacedLoop& loop : loops) inside /= loop.factor;
  std::int64_t iteration = -inside;
  std::vector<std::int64_t> now;   // indices of the relevant loops
  std::vector<std::int64_t> last;  // the same when the tile was last moved
  std::vector<Access> stream;
  run(loops, [&](const std::vector<std::int64_t>& at) {
    iteration += inside;
    now = {0};  // one entry more, so that it differs from `last` at first
    for (std::size_t i = 0; i < loops.size(); ++i) {
      if (indexed_by(t, loops[i].dim)) now.push_back(at[i]);
    }
    if (!to_pes && now == last) return;
    last = now;
    stream.clear();
    Addresses::for_each(tile_box(w, t, origin_of(loops, at), shape), [&](const Axes& element) {
      stream.push_back({iteration, element, addresses.of(element)});
    });
    std::ranges::sort(stream, {}, &Access::bit);
    for (const Access& access : stream) visit(access);
  });
}

}  // namespace oracle
