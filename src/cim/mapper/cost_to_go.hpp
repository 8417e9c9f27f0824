// The least that one tensor still costs, if the loops inside have consumed a plot.
//
// Each tensor completes its way to the DRAM as if it were alone: all loops that are irrelevant to
// it come next and at its present level, so that transfers further out fire only for relevant
// loops. What is left to choose is where each level begins, which dynamic programming over plots
// does.
//
// Energy. A transfer of a block that begins at a plot costs its energy times the relevant loops
// that are left there, wherever the block ends.
//
// Latency (recursion). Let R_i be the product of the loops outside loop i, σ_i = max_λ(c_λ S_iλ -
// [hidden] T_iλ), B_i = A_i + σ_i the body of the loop around, and k the loops outside so far. As
// Crit_i >= B_{i+1},
//
//     B_i >= F_i B_{i+1} + σ_i - σ_{i+1} + (F_i - 1)(Crit_i - B_{i+1}),
//
// so that, with σ_i >= c_λ S_iλ - [hidden] T_iλ for any one tensor λ, the latency is at least
//
//     R_k B_k - R_{k-1} (σ_k - c_λ S_kλ) + [λ != O] S_kO + sum_j w_j T_jλ
//
// over the transfers j to come, where w_j is c_λ times the firings if the transfer is exposed
// (Crit_j >= c_λ T_j + B_{j+1}), 2 R_j for hidden transfers of outputs and R_{j-1} for other hidden
// ones. Boots add c_λ times the time of the whole tensor. Firings are at least the relevant loops
// left; R_j is at least these divided by the largest factor a loop can take, R_{j-1} by its square.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cim/mapper/space.hpp"

namespace pimbb::cim::mapper {

inline constexpr Time kNever = std::int64_t{1} << 61;  ///< no completion

struct ToGo {
  Energy energy = 0;
  Time time = 0;
};

class CostToGo {
 public:
  explicit CostToGo(const Space& space);

  /// If the tensor is at `level` and its transfer there is placed.
  [[nodiscard]] const ToGo& placed(Tensor t, std::size_t level, bool psum,
                                   std::uint32_t plot) const {
    return tables_[index(t)][psum][level].placed[plot];
  }
  /// If it has to leave the level (or, before all loops, the MAC array) now.
  [[nodiscard]] const ToGo& leaving(Tensor t, std::size_t level, bool psum,
                                    std::uint32_t plot) const {
    return tables_[index(t)][psum][level].leaving[plot];
  }
  /// Least weight w of a transfer that begins at a plot.
  [[nodiscard]] Time weight(Tensor t, std::uint32_t plot, bool hidden) const {
    return weights_[index(t)][hidden][plot];
  }
  /// Longest transfer into a tile at `level`, times ways, that can be hidden if the tensor leaves
  /// the level now; 0 if the tile cannot be doubled. Known for the recursion only.
  [[nodiscard]] Time hidden(Tensor t, std::size_t level, bool psum, std::uint32_t plot) const {
    const std::vector<Time>& table = tables_[index(t)][psum][level].hidden;
    return table.empty() ? 0 : table[plot];
  }
  /// Relevant loops left.
  [[nodiscard]] std::int64_t left(Tensor t, std::uint32_t plot) const {
    return left_[index(t)][plot];
  }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct Table {
    std::vector<ToGo> placed, leaving;
    std::vector<Time> hidden;
  };
  void weigh(Tensor t);
  void fill(Tensor t, bool psum, std::size_t level);
  [[nodiscard]] ToGo leave(Tensor t, bool psum, std::size_t level, std::uint32_t plot) const;
  [[nodiscard]] Time longest_hidden(Tensor t, bool psum, std::size_t level,
                                    std::uint32_t plot) const;
  [[nodiscard]] ToGo end(Tensor t, bool psum, std::size_t level, std::uint32_t plot) const;
  [[nodiscard]] bool fits(Tensor t, bool psum, std::size_t level, std::uint32_t plot,
                          std::int64_t copies) const;

  const Space& space_;
  bool times_;  // under other semantics there is no bound of latency
  PerTensor<std::array<std::array<Table, kMaxLevels + 1>, 2>> tables_;  // by tensor, psum, level
  PerTensor<std::array<std::vector<Time>, 2>> weights_;
  PerTensor<std::vector<std::int64_t>> left_;
  bool cheap_psum_;  // the cheaper precision of outputs further out
};

}  // namespace pimbb::cim::mapper
