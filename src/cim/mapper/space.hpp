// The nests of one spatial scheme: what the loops inside have consumed, and what tiles cost then.
//
// A cell is one position per dimension (factor_steps.hpp): the extents that the loops inside have
// consumed. Tiles, transfer times and energies depend on the cell, the level and little else. For a
// tensor only the relevant dimensions count, so its tables are over *plots*: cells without the
// dimensions that are irrelevant to it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cim/cost/energy.hpp"
#include "cim/mapper/factor_steps.hpp"
#include "cim/mapper/schemes.hpp"
#include "cim/model/elements.hpp"
#include "cim/model/unrolling.hpp"

namespace pimbb::cim::mapper {

using cost::Energy;
using cost::Time;

inline constexpr std::uint8_t kMac = cost::kMac;

/// What is common to all schemes of a layer.
struct Problem {
  const Architecture& architecture;
  const Workload& layer;  ///< padded, but for Padding::ceil
  const Question& question;
  const cost::Units& units;
  const Elements& elements;
  PerTensor<std::vector<std::uint8_t>> chain;
  PerTensor<std::uint8_t> innermost{};
  std::vector<std::uint8_t> shared;  ///< bounded levels that several tensors may use
  std::array<std::int8_t, kMaxLevels> shared_index{};  ///< position in `shared`, or -1
  bool stationary = false;  ///< loops over P, Q, N only where weights stay in place

  Problem(const Architecture& a, const Workload& w, const Question& q, const cost::Units& u,
          const Elements& e);

  [[nodiscard]] std::int64_t bits(Tensor t, bool psum) const {
    return t == Tensor::output && psum ? architecture.bits.psum
                                       : architecture.bits.tensor[index(t)];
  }
  /// Whether the tile of t at a level may, and whether it has to be doubled.
  [[nodiscard]] bool may_double(std::size_t level, Tensor t) const {
    return question.doubling != DoubleRule::off && architecture.may_double(level, t);
  }
  [[nodiscard]] bool must_double(std::size_t level, Tensor t) const {
    return question.doubling == DoubleRule::on && architecture.may_double(level, t);
  }
};

class Space {
 public:
  Space(const Problem& problem, const Scheme& scheme, const std::array<const FactorSteps*, kDims>&);

  struct Dimension {
    const FactorSteps* steps = nullptr;
    std::uint32_t stride = 1;                ///< of cells
    PerTensor<std::uint32_t> plot_stride{};  ///< 0 if irrelevant
  };
  std::array<Dimension, kDims> dims;
  std::uint32_t cells = 1;
  PerTensor<std::uint32_t> plots{1, 1, 1};
  std::int64_t products = 1;    ///< of all loops
  std::int64_t reductions = 1;  ///< of the loops over R, S, C
  Workload layer;               ///< padded
  Unrolling unrolling;
  PerTensor<Time> boot{};  ///< time for the whole tensor past the DRAM
  PerTensor<Energy> boot_energy{};

  /// Position of a cell in a dimension.
  [[nodiscard]] std::size_t position(std::uint32_t cell, std::size_t dim) const {
    return cell / dims[dim].stride % dims[dim].steps->positions.size();
  }
  [[nodiscard]] std::uint32_t plot(std::uint32_t cell, Tensor t) const;

  /// Bits of the tile of t at a level if the loops inside or at the level have consumed the plot.
  [[nodiscard]] std::int64_t data(Tensor t, std::size_t level, std::uint32_t plot,
                                  bool psum) const {
    return elements_[index(t)][level][plot] * problem_.bits(t, psum);
  }
  /// Time of a transfer out of a level to the next used one inside (or kMac), if the loops strictly
  /// inside the level have consumed the plot. 0 for weights that stay in place.
  [[nodiscard]] Time time(Tensor t, std::size_t from, std::size_t to, std::uint32_t plot,
                          bool psum) const;
  /// Energy of such a transfer; `psum_to` is the one of the destination.
  [[nodiscard]] Energy energy(Tensor t, std::size_t from, std::size_t to, std::uint32_t plot,
                              bool psum, bool psum_to) const;
  /// Energy of the innermost level of t if it is bypassed.
  [[nodiscard]] Energy charged(Tensor t) const;
  [[nodiscard]] Energy activations() const {
    return Energy{problem_.units.activation} * products * unrolling.cores();
  }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  void index_dimensions(const std::array<const FactorSteps*, kDims>& steps);
  void count_elements();

  const Problem& problem_;
  PerTensor<std::array<std::vector<std::int64_t>, kMaxLevels>> elements_;
};

}  // namespace pimbb::cim::mapper
