// How a mapping is found: the exact optimum, the optimum within a dataflow, or a heuristic.
//
// A dataflow (Eyeriss's taxonomy) is a constraint on mappings. The same exact search finds its
// optimum and proves it within the dataflow. The demands in terms of the model:
//
//   ws, os, is   The weight, output or input is stationary. Its home is the innermost level that
//                may store it, and that level stores it. At every level further out, the loops that
//                do not index the tensor are inside those that do, and the innermost loop outside
//                the home is one of them: the tile in the home stays in place while other data
//                moves. (If no such loop exists outside the home, each tile is transferred only
//                once anyway.)
//   rs           Row stationary: a PE convolves a filter row with an input row. It has the whole
//                of R, and works on one filter row and one output row at a time; level 0 stores
//                every tensor that it may. Filter rows S and output rows Q are unrolled over
//                different PEs; P and R are not unrolled.
//
// The heuristics claim no optimality: `greedy` builds one mapping, `random` takes the best of many.
// docs/dataflows.md explains all of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim {

enum class Method : std::uint8_t { exact, ws, os, is, rs, greedy, random };
inline constexpr std::array<std::string_view, 7> kMethodNames{"exact", "ws",     "os",    "is",
                                                              "rs",    "greedy", "random"};

constexpr std::string_view name(Method method) {
  return kMethodNames[static_cast<std::size_t>(method)];
}

/// Whether the method proves nothing about the mapping that it returns.
constexpr bool is_heuristic(Method method) {
  return method == Method::greedy || method == Method::random;
}
/// Whether the method searches a part of the space only, but exactly.
constexpr bool is_dataflow(Method method) { return method >= Method::ws && method <= Method::rs; }
/// The stationary tensor of a dataflow; none for `rs` and for other methods.
constexpr std::optional<Tensor> stationary_tensor(Method method) {
  switch (method) {
    case Method::ws: return Tensor::weight;
    case Method::os: return Tensor::output;
    case Method::is: return Tensor::input;
    default: return std::nullopt;
  }
}

/// The demand of a dataflow that a feasible mapping violates, in a sentence; nothing if the mapping
/// is within the dataflow, or if the method is not a dataflow.
std::optional<std::string> find_departure(const Architecture& architecture,
                                          const Workload& workload, const Mapping& mapping,
                                          Method method);

}  // namespace pimbb::dram_pim
