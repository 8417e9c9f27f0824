// The optimum of a tiny problem by trying every mapping.
//
// All factorizations over the array's directions and the levels, all orders of the loops at every
// level above 0, all storage patterns, layouts and input blocks. Nothing is pruned but what is
// infeasible. Two facts, plain from the definitions, save repetition:
//   - given the loops, a tensor's share of the cost depends on its own storage and layout only, so
//     it is computed once and combined with every choice of the other two tensors;
//   - layout and block enter the cost through that tensor's N_act only, which no goal rewards: the
//     least N_act over a tensor's layouts is the best of them, whatever the rest.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "support/enumeration.hpp"
#include "support/oracle_cost.hpp"

namespace oracle {

struct Optimum {
  std::uint64_t mappings = 0;      ///< feasible ones
  std::vector<Fraction> values;    ///< lexicographic optimum, one value per goal; empty if none
  std::optional<Mapping> mapping;  ///< one that attains it
};

/// A part of the space: loops and factors that are in it, storage bits of a tensor by level, and
/// layouts of a tensor for given factors.
struct Restriction {
  std::function<bool(const Mapping&)> loops{};
  std::function<bool(Tensor, const std::vector<bool>&)> storage{};
  std::function<bool(const Mapping&, Tensor, const LayoutChoice&)> layout{};
  /// Sees the costs of every mapping whose layouts are the best for its loops.
  std::function<void(const CostOracle::Totals&)> costs{};
};

/// What is in both parts; without their `costs`.
Restriction both(const Restriction& a, const Restriction& b);

/// Over all mappings, or those of a part.
Optimum brute_force(const Architecture& a, const Workload& w,
                    const pimbb::dram_pim::Objective& objective, RowModel model,
                    const Restriction& part = {});

/// Calls `visit` with every feasible mapping, one by one, without any of the savings above.
void for_each_mapping(const Architecture& a, const Workload& w,
                      const std::function<void(const Mapping&)>& visit);

}  // namespace oracle
