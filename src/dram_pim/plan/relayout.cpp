// Walking a pass in the order of the new addresses: run by run, or box by box where boxes of a
// target are filled from a sequential source.
#include "dram_pim/plan/relayout.hpp"

#include <boost/container_hash/hash.hpp>

#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "dram_pim/plan/relayout_bound.hpp"
#include "dram_pim/rows/dense_tensor.hpp"
#include "dram_pim/rows/element_runs.hpp"
#include "dram_pim/rows/micro_trace.hpp"
#include "exact/factors.hpp"
#include "exact/int128.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::network {
namespace {

/// One open row.
class Bank {
 public:
  explicit Bank(std::int64_t row) : row_(row) {}
  /// `count` elements, `step` units apart.
  void access(std::int64_t first, std::int64_t count, std::int64_t step) {
    if (step > row_) {
      for (std::int64_t k = 0; k < count; ++k) access(first + k * step, first + k * step);
    } else {
      access(first, first + (count - 1) * step);
    }
  }
  /// Elements whose addresses ascend from `first` to `last` without leaving out a row.
  void access(std::int64_t first, std::int64_t last) {
    const std::int64_t row = first / row_;
    activations_ += (row != open_ ? 1 : 0) + last / row_ - row;
    open_ = last / row_;
  }
  [[nodiscard]] std::int64_t activations() const { return activations_; }

 private:
  std::int64_t row_;
  std::int64_t open_ = -1;
  std::int64_t activations_ = 0;
};

/// A part of an axis: `length` indices from `first` on.
struct Span {
  std::int64_t first;
  std::int64_t length;
};

std::vector<Span> spans_of(const Blocks& blocks, std::int64_t length) {
  std::vector<Span> spans;
  for_each_piece(blocks, length, [&](std::int64_t begin, std::int64_t end) {
    spans.push_back({begin, end - begin});
  });
  return spans;
}

/// Boxes of a dense tensor, read one after the other, each in the order n c h w. What one opens
/// depends on its extents and on where in a row it begins, but for the row that is open before.
class DenseBoxes {
 public:
  /// `steps`: units from one element to the next along each axis.
  DenseBoxes(const LayoutBox& steps, std::int64_t row) : steps_(steps), row_(row) {}

  void read(std::int64_t first, const LayoutBox& extent) {
    const auto [known, is_new] = known_.try_emplace({first % row_, extent});
    if (is_new) known->second = opened(first % row_, extent);
    activations_ += known->second - (first / row_ == open_ ? 1 : 0);
    std::int64_t last = first;
    for (std::size_t k = 0; k < extent.size(); ++k) last += (extent[k] - 1) * steps_[k];
    open_ = last / row_;
  }
  [[nodiscard]] std::int64_t activations() const { return activations_; }

 private:
  /// With no row open before.
  [[nodiscard]] std::int64_t opened(std::int64_t first, LayoutBox extent) const {
    std::int64_t step = steps_[3];
    std::int64_t count = extent[3];
    for (std::size_t k = 3; k-- > 0;) {  // as many in one line as possible
      if (extent[k] == 1) continue;
      if (count == 1) step = steps_[k];
      if (steps_[k] != count * step) break;
      count *= extent[k];
      extent[k] = 1;
    }
    Bank bank(row_);
    for (std::int64_t n = 0; n < extent[0]; ++n) {
      for (std::int64_t c = 0; c < extent[1]; ++c) {
        for (std::int64_t h = 0; h < extent[2]; ++h) {
          bank.access(first + n * steps_[0] + c * steps_[1] + h * steps_[2], count, step);
        }
      }
    }
    return bank.activations();
  }

  using Key = std::pair<std::int64_t, LayoutBox>;  // where in a row a box begins, its extents
  LayoutBox steps_;
  std::int64_t row_;
  std::unordered_map<Key, std::int64_t, boost::hash<Key>> known_;
  std::int64_t open_ = -1;
  std::int64_t activations_ = 0;
};

/// Calls visit(run) with the runs that make up `part`, ascending in the addresses of `place`.
template <class Visit>
void in_order(const Placement& place, const Rectangle& part, std::int64_t row, const Visit& visit) {
  rows::ElementRuns runs(place.map(row));
  runs.begin(place.first(part), place.extent(part));
  rows::ElementRun run{};
  while (runs.next(run)) visit(run);
}

}  // namespace

const PassCost& Passes::cost(const Placement& from, const Placement& to) {
  static const PassCost nothing;
  if (from.agrees(to) || intersection(from.own, to.own).empty()) return nothing;
  return known_.get({from, to}, [&] {
    const bool exact = from.layout == Layout::row_aligned;
    return exact ? estimate(from, to) : cost_of(from, to, walk(from, to));
  });
}

PassCost Passes::cost_of(const Placement& from, const Placement& to, const PassRows& rows) const {
  const std::int64_t elements = rows::volume(from.extent(intersection(from.own, to.own)));
  const MemoryLevel& buffer = a_.levels[a_.row_buffer()];
  const auto stream = [&](Tensor t, std::int64_t units, std::int64_t activations) {
    return Rational(elements) * Rational(units, a_.byte_units()) / buffer.bandwidth(t) +
           Rational(activations) * a_.activation_cycles();
  };
  PassCost cost;
  const Rational read = stream(Tensor::input, from.element_units, rows.source);
  const Rational written = stream(Tensor::output, to.element_units, rows.target);
  cost.latency = a_.shared_streams ? read + written : max(read, written);
  cost.activations = Rational(rows.source) + rows.target;
  cost.energy = Rational(2) * elements * (buffer.access_cost + a_.levels[a_.dram()].access_cost) +
                cost.activations * a_.activation_energy;
  return cost;
}

/// Row activations of both: of a sequential source in the order of the new addresses, which open
/// every row of the target once.
PassRows Passes::walk(const Placement& from, const Placement& to) {
  const Rectangle part = intersection(from.own, to.own);
  const std::int64_t read = to.layout == Layout::row_aligned ? rows_filling_boxes(from, to, part)
                                                             : rows_in_runs(from, to, part);
  assert(read >= 1);
  return {read, written_rows(to, part)};
}

/// Rows of a sequential source that are opened while the boxes of the target are filled.
std::int64_t Passes::rows_filling_boxes(const Placement& from, const Placement& to,
                                        const Rectangle& part) const {
  const rows::ElementMap source = from.map(a_.row_units());
  rows::Indices steps{};
  for (const rows::ElementAxis& axis : source.axes) steps[axis.index] = axis.stride;
  const rows::Indices first = to.first(part);
  const rows::Indices extent = to.extent(part);
  const rows::Indices edges = indices_of(to.box);
  std::array<std::vector<Span>, rows::kAxes> spans;
  for (std::size_t k = 0; k < rows::kAxes; ++k) {
    spans[k] = spans_of({first[k], edges[k]}, extent[k]);
  }
  const std::int64_t begin = source.address(from.first(part));
  DenseBoxes boxes(plane_axes(steps), a_.row_units());
  for (const Span& n : spans[0]) {
    for (const Span& c : spans[2]) {
      for (const Span& h : spans[3]) {
        for (const Span& w : spans[4]) {
          boxes.read(begin + n.first * steps[0] + c.first * steps[2] + h.first * steps[3] +
                         w.first * steps[4],
                     {n.length, c.length, h.length, w.length});
        }
      }
    }
  }
  return boxes.activations();
}

/// Rows of a sequential source that are opened while a sequential target is filled.
std::int64_t Passes::rows_in_runs(const Placement& from, const Placement& to,
                                  const Rectangle& part) const {
  const rows::AddressTable addresses(from.map(a_.row_units()), from.first(part), from.extent(part),
                                     to.first(part));
  Bank source(a_.row_units());
  in_order(to, part, a_.row_units(), [&](const rows::ElementRun& run) {
    std::int64_t line = 0;
    for (std::size_t i = 0; i < rows::kAxes; ++i) {
      if (i != run.axis) line += addresses.part(i, run.first[i]);
    }
    const std::int64_t end = run.first[run.axis] + run.count;
    for (std::int64_t at = run.first[run.axis]; at < end;) {  // as far as both places are runs
      const std::int64_t next = std::min(end, addresses.run_end(run.axis, at));
      const std::int64_t first = line + addresses.part(run.axis, at);
      source.access(first, first + (next - at - 1) * from.element_units);
      at = next;
    }
  });
  return source.activations();
}

/// Rows of `to` that a pass writes, in the order of their addresses.
std::int64_t Passes::written_rows(const Placement& to, const Rectangle& part) {
  return to.layout == Layout::row_aligned ? touched_boxes(to, part) : sequential_rows(to, part);
}

std::int64_t Passes::sequential_rows(const Placement& place, const Rectangle& part) {
  return rows_.get({place, part}, [&] {
    Bank bank(a_.row_units());
    in_order(place, part, a_.row_units(),
             [&](const rows::ElementRun& run) { bank.access(run.address, run.last_address()); });
    return bank.activations();
  });
}

PassCost Passes::estimate(const Placement& from, const Placement& to) {
  const Rectangle part = intersection(from.own, to.own);
  if (from.agrees(to) || part.empty()) return {};
  if (from.layout == Layout::row_aligned) {
    if (to.layout == Layout::row_aligned) return cost_of(from, to, rows_between(from, to, part));
    return cost_of(from, to, {box_changes(from, part, to.channels_last), written_rows(to, part)});
  }
  if (to.layout == Layout::sequential) return cost_of(from, to, walk(from, to));
  const std::int64_t full = whole_boxes(to, part);
  const std::int64_t each =
      rows::least_rows(rows::box_in(from.map(a_.row_units()), indices_of(to.box)), a_.row_units());
  const std::int64_t read = full * (each - 1) + std::min<std::int64_t>(1, full);
  return cost_of(from, to, {std::max(sequential_rows(from, part), read), written_rows(to, part)});
}

std::vector<LayoutBox> Passes::boxes(const Placement& place) const {
  std::vector<LayoutBox> all;
  for (const std::int64_t n : divisors_of(place.batch)) {
    for (const std::int64_t c : divisors_of(place.channels)) {
      for (const std::int64_t h : divisors_of(place.own.height)) {
        for (const std::int64_t w : divisors_of(place.own.width)) {
          const Int128 units = static_cast<Int128>(n) * c * h * w * place.element_units;
          if (units <= a_.row_units()) all.push_back({n, c, h, w});
        }
      }
    }
  }
  return all;
}

/// For each box of a place, on several threads.
template <class CostOf>
std::vector<Passes::BoxCopy> Passes::copies(const Placement& boxed, const CostOf& cost_of) const {
  constexpr std::size_t kBoxesAtATime = 64;
  const std::vector<LayoutBox> all = boxes(boxed);
  std::vector<BoxCopy> copies(all.size());
  run::for_each_chunk(all.size(), kBoxesAtATime, [&](const run::Chunk& chunk) {
    Placement place = boxed;
    for (std::size_t k = chunk.begin; k < chunk.end; ++k) {
      place.box = all[k];
      copies[k] = {all[k], cost_of(place)};
    }
  });
  return copies;
}

const std::vector<Passes::BoxCopy>& Passes::from_boxes(const Placement& boxed,
                                                       const Placement& to) {
  return from_boxes_.get({boxed, to}, [&] {
    return copies(boxed, [&](const Placement& from) { return estimate(from, to); });
  });
}

const std::vector<Passes::BoxCopy>& Passes::to_boxes(const Placement& from,
                                                     const Placement& boxed) {
  return to_boxes_.get({from, boxed}, [&] {
    return copies(boxed, [&](const Placement& to) { return estimate(from, to); });
  });
}

/// Costs grow with both counts: of all pairs of boxes only those matter that no other pair beats in
/// both.
Passes::LeastCopy Passes::least(const Placement& from, const std::vector<LayoutBox>& sources,
                                const Placement& to, const std::vector<LayoutBox>& targets) const {
  if (intersection(from.own, to.own).empty()) return {};
  const FewestRows fewest = fewest_rows(from, sources, to, targets);
  LeastCopy least{cost_of(from, to, fewest.undominated.front()), fewest.source, fewest.target};
  for (const PassRows& rows : fewest.undominated) {
    const PassCost cost = cost_of(from, to, rows);
    least.cost.latency = std::min(least.cost.latency, cost.latency);
    least.cost.energy = std::min(least.cost.energy, cost.energy);
    least.cost.activations = std::min(least.cost.activations, cost.activations);
  }
  return least;
}

}  // namespace pimbb::dram_pim::network
