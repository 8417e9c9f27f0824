// A re-layout pass: a tensor copied from one place in DRAM to another, and what that costs.
//
// The pass reads every element that both places have once and writes it once, in the order of the
// new addresses. Source and destination lie in banks of their own, one open row each, as the
// tensors of a layer do. With n elements, and N_src, N_dst row activations counted access by
// access,
//
//     latency     = max of n * bytes / bandwidth + N * t_act over source (read) and destination
//                   (write), the row buffer's bandwidths: the DRAM's term of a layer
//     energy      = 2 * n * (access cost of DRAM + that of the row buffer)
//                   + (N_src + N_dst) * activation energy
//     activations = N_src + N_dst
//
// Elements of a border are not copied: they are zero before the network runs, and stay so.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/layout_range.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::dram_pim::network {

/// A rectangle of a plane, in the coordinates of the tensor that layers exchange.
struct Rectangle {
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::int64_t height = 1;
  std::int64_t width = 1;
  [[nodiscard]] bool empty() const { return height == 0 || width == 0; }
  auto operator<=>(const Rectangle&) const = default;
};

Rectangle intersection(const Rectangle& a, const Rectangle& b);
Rectangle hull(const Rectangle& a, const Rectangle& b);

/// Where a tensor of N x C planes lies.
struct Placement {
  std::int64_t batch = 1;
  std::int64_t channels = 1;
  Rectangle own;    ///< elements that it has
  Rectangle frame;  ///< sequential: the planes that they are stored in
  Layout layout = Layout::sequential;
  LayoutBox box{1, 1, 1, 1};   ///< row-aligned: n c h w
  bool channels_last = false;  ///< sequential: N H W C
  std::int64_t element_bytes = 1;
  auto operator<=>(const Placement&) const = default;

  /// Byte address of element n c h w, in rows of `row` bytes.
  [[nodiscard]] std::int64_t address(const std::array<std::int64_t, 4>& position,
                                     std::int64_t row) const;
  /// Whether the elements that both have lie at the same addresses.
  [[nodiscard]] bool agrees(const Placement& other) const;
};

struct PassCost {
  Rational latency;      ///< cycles
  Rational energy;       ///< nJ
  Rational activations;  ///< N_src + N_dst
};

/// The cost of copying `elements` elements with given activations.
PassCost pass_cost(const Architecture& architecture, std::int64_t elements,
                   std::int64_t source_bytes, std::int64_t target_bytes, std::int64_t source_rows,
                   std::int64_t target_rows);

/// Counts passes, remembering those that it has seen.
class Passes {
 public:
  explicit Passes(const Architecture& architecture) : a_(architecture) {}

  /// Nothing at all if the places agree or have no element in common.
  const PassCost& cost(const Placement& from, const Placement& to);
  /// A lower bound that is quick: exact but for copies from a sequential place into boxes.
  PassCost estimate(const Placement& from, const Placement& to);
  struct Least {
    PassCost cost;
    LayoutBox source{1, 1, 1, 1};  ///< a pair with the fewest activations by that bound
    LayoutBox target{1, 1, 1, 1};
  };
  /// A lower bound over all boxes in the given lists, both places being row-aligned.
  [[nodiscard]] Least least(const Placement& from, const std::vector<LayoutBox>& sources,
                            const Placement& to, const std::vector<LayoutBox>& targets) const;

 private:
  struct Counts {
    std::int64_t source = 0;
    std::int64_t target = 0;
  };
  [[nodiscard]] PassCost cost_of(const Placement& from, const Placement& to,
                                 const Counts& rows) const;
  [[nodiscard]] Counts walk(const Placement& from, const Placement& to);
  std::int64_t sequential_rows(const Placement& place, const Rectangle& part);

  const Architecture& a_;
  std::map<std::pair<Placement, Placement>, PassCost> known_;
  std::map<std::pair<Placement, Rectangle>, std::int64_t> rows_;  // of sequential places
};

}  // namespace pimbb::dram_pim::network
