// Walking a pass, run by run in the order of the new addresses.
#include "dram_pim/plan/relayout.hpp"

#include <algorithm>
#include <cassert>

#include "dram_pim/plan/relayout_bound.hpp"
#include "dram_pim/rows/dense_tensor.hpp"
#include "dram_pim/rows/element_runs.hpp"
#include "dram_pim/rows/micro_trace.hpp"

namespace pimbb::dram_pim::network {
namespace {

/// One open row.
class Bank {
 public:
  explicit Bank(std::int64_t row) : row_(row) {}
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
  const auto [place, is_new] = known_.try_emplace({from, to});
  PassCost& cost = place->second;
  if (!is_new || from.agrees(to) || intersection(from.own, to.own).empty()) return cost;
  const bool exact = from.layout == Layout::row_aligned && to.layout == Layout::sequential;
  cost = exact ? estimate(from, to) : cost_of(from, to, walk(from, to));
  return cost;
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

/// Row activations of both: of the source run by run in the order of the new addresses, which open
/// every row of the target once.
PassRows Passes::walk(const Placement& from, const Placement& to) {
  const Rectangle part = intersection(from.own, to.own);
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
  assert(source.activations() >= 1);
  return {source.activations(), written_rows(to, part)};
}

/// Rows of `to` that a pass writes, in the order of their addresses.
std::int64_t Passes::written_rows(const Placement& to, const Rectangle& part) {
  return to.layout == Layout::row_aligned ? touched_boxes(to, part) : sequential_rows(to, part);
}

std::int64_t Passes::sequential_rows(const Placement& place, const Rectangle& part) {
  const auto [known, is_new] = rows_.try_emplace({place, part});
  if (is_new) {
    Bank bank(a_.row_units());
    in_order(place, part, a_.row_units(),
             [&](const rows::ElementRun& run) { bank.access(run.address, run.last_address()); });
    known->second = bank.activations();
  }
  return known->second;
}

PassCost Passes::estimate(const Placement& from, const Placement& to) {
  const Rectangle part = intersection(from.own, to.own);
  if (from.agrees(to) || part.empty()) return {};
  if (from.layout == Layout::row_aligned) {
    if (to.layout == Layout::row_aligned) return least(from, {from.box}, to, {to.box}).cost;
    return cost_of(from, to, {box_changes(from, part, to.channels_last), written_rows(to, part)});
  }
  if (to.layout == Layout::sequential) return cost_of(from, to, walk(from, to));
  const std::int64_t full = whole_boxes(to, part);
  const std::int64_t each =
      rows::least_rows(rows::box_in(from.map(a_.row_units()), indices_of(to.box)), a_.row_units());
  const std::int64_t read = full * (each - 1) + std::min<std::int64_t>(1, full);
  return cost_of(from, to, {std::max(sequential_rows(from, part), read), written_rows(to, part)});
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
