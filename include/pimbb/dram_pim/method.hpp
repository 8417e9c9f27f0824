// Where a mapping comes from: the whole space, one dataflow of it, or a heuristic.
//
// A dataflow (Eyeriss's taxonomy) is a constraint on mappings. Its optimum is found by the same
// exact search and is proven within it. What each one demands, in terms of the model:
//
//   ws, os, is   The weight, output or input is stationary. Its home is the innermost level that
//                may store it, and that level stores it. At every level further out the loops that
//                do not index it stand inside those that do, and the innermost loop of all is one
//                of them: the tile at home stays put while other data streams by. (Only where no
//                such loop is left outside the home, each of its tiles comes once anyway.)
//   rs           Row stationary: a PE convolves a filter row with an input row. It holds the whole
//                row, R, of one filter row and one output row at a time; level 0 stores what it
//                may. Filter rows S and output rows Q go to different PEs, P and R do not.
//
// The heuristics claim no optimality: `greedy` builds one mapping, `random` takes the best of many.
// docs/dataflows.md says more about all of them.
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
/// Whether it searches part of the space only, and exactly.
constexpr bool is_dataflow(Method method) { return method >= Method::ws && method <= Method::rs; }
/// The tensor that stays put in a dataflow, if it is named after one.
constexpr std::optional<Tensor> stationary_tensor(Method method) {
  switch (method) {
    case Method::ws: return Tensor::weight;
    case Method::os: return Tensor::output;
    case Method::is: return Tensor::input;
    default: return std::nullopt;
  }
}

/// Which demand of a dataflow a feasible mapping does not meet, in a sentence; nothing if it is
/// within the dataflow, or if the method is none.
std::optional<std::string> find_departure(const Architecture& architecture,
                                          const Workload& workload, const Mapping& mapping,
                                          Method method);

}  // namespace pimbb::dram_pim
