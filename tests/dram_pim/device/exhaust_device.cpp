// Splits by the oracle, mappings of slices by brute force.
#include "dram_pim/device/exhaust_device.hpp"

#include <map>

#include "support/brute_force.hpp"

namespace exhaust {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;
using Totals = oracle::CostOracle::Totals;

bool no_worse(const Totals& a, const Totals& b) {
  return a.latency <= b.latency && a.energy <= b.energy && a.activations <= b.activations;
}

class Exhaustion {
 public:
  Exhaustion(const Device& device, const Workload& layer, const Moves& moves, RowModel row_model,
             const VisitSplit& visit)
      : device_(device), layer_(layer), moves_(moves), row_model_(row_model), visit_(visit) {}

  void run() {
    for (const Split& split : oracle::every_split(device_, layer_.bounds)) {
      Factors slice = least_slice(layer_.bounds, split);
      each_padded(0, split, least_slice(layer_.bounds, split), slice);
    }
  }

 private:
  /// The costs of all mappings of a slice that no other mapping beats.
  [[nodiscard]] std::vector<Totals> front(const Workload& slice) const {
    std::vector<Totals> kept;
    oracle::Restriction all;
    all.costs = [&](const Totals& totals) {
      for (const Totals& other : kept) {
        if (no_worse(other, totals)) return;
      }
      std::erase_if(kept, [&](const Totals& other) { return no_worse(totals, other); });
      kept.push_back(totals);
    };
    oracle::brute_force(device_.unit, slice, Objective::parse("latency"), row_model_, all);
    return kept;
  }

  void each_padded(std::size_t j, const Split& split, const Factors& least, Factors& slice) {
    if (j == kDims) {
      if (oracle::splits(device_, layer_, moves_, split, slice)) price(split, slice);
      return;
    }
    const Dim dim = kAllDims[j];
    const std::int64_t top = layer_.padding ? layer_.padding->top(dim, least[j]) : least[j];
    for (slice[j] = least[j]; slice[j] <= top; ++slice[j]) each_padded(j + 1, split, least, slice);
    slice[j] = least[j];
  }

  void price(const Split& split, const Factors& slice) {
    const auto [known, fresh] = fronts_.try_emplace(slice);
    if (fresh) known->second = front(slice_of(layer_, slice));
    for (const Totals& t : known->second) {
      visit_(split, slice,
             oracle::device_costs(device_, layer_, moves_, split, slice, t.latency, t.energy,
                                  t.activations));
    }
  }

  const Device& device_;
  const Workload& layer_;
  const Moves& moves_;
  RowModel row_model_;
  const VisitSplit& visit_;
  std::map<Factors, std::vector<Totals>> fronts_;
};

}  // namespace

void each_split_on_device(const Device& device, const Workload& layer, const Moves& moves,
                          RowModel row_model, const VisitSplit& visit) {
  Exhaustion(device, layer, moves, row_model, visit).run();
}

void each_on_device(const Device& device, const Workload& layer, const Moves& moves,
                    RowModel row_model, const VisitDevice& visit) {
  each_split_on_device(device, layer, moves, row_model,
                       [&](const Split&, const Factors& slice, const oracle::DeviceCosts& costs) {
                         visit(slice, costs);
                       });
}

std::vector<oracle::Fraction> least_on_device(const testkit::DeviceInstance& instance) {
  std::vector<oracle::Fraction> best;
  each_on_device(instance.device, instance.layer, instance.moves, instance.row_model,
                 [&](const Factors&, const oracle::DeviceCosts& costs) {
                   std::vector<oracle::Fraction> values;
                   for (const Goal goal : instance.objective.goals) {
                     values.push_back(costs.value(goal, instance.objective));
                   }
                   if (best.empty() || values < best) best = values;
                 });
  return best;
}

}  // namespace exhaust
