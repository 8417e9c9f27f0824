// The nests of one spatial scheme: the lattice of consumed factors, and what transfers cost there.
//
// A *cell* is a place in every dimension, a *plot* of a tensor a place in every dimension that is
// relevant to it. Tiles, times and energies of a transfer depend on the plot where its block
// begins, on levels and on precisions, and on nothing else.
#pragma once

#include <vector>

#include "scheme.hpp"
#include "units.hpp"

namespace pimbb_check::cim {

class Space {
 public:
  Space(const Problem& p, const Units& units, const Scheme& scheme, PlaceTable& table);

  [[nodiscard]] const Problem& problem() const { return p_; }
  [[nodiscard]] const Units& units() const { return units_; }

  [[nodiscard]] std::size_t cells() const { return cells_; }
  [[nodiscard]] std::size_t plots(std::size_t t) const { return plots_[t]; }
  [[nodiscard]] std::size_t stride(std::size_t j) const { return stride_[j]; }
  /// 0 if the dimension is irrelevant.
  [[nodiscard]] std::size_t plot_stride(std::size_t t, std::size_t j) const {
    return plot_stride_[t][j];
  }
  [[nodiscard]] const Places& places(std::size_t j) const { return *places_[j]; }
  [[nodiscard]] std::size_t number(std::size_t cell, std::size_t j) const {
    return cell / stride_[j] % places_[j]->size();
  }
  [[nodiscard]] const Place& place(std::size_t cell, std::size_t j) const {
    return (*places_[j])[number(cell, j)];
  }
  [[nodiscard]] std::size_t plot(std::size_t cell, std::size_t t) const;
  [[nodiscard]] const Place& place_of_plot(std::size_t t, std::size_t plot, std::size_t j) const {
    return (*places_[j])[plot / plot_stride_[t][j] % places_[j]->size()];
  }

  std::int64_t products = 1;     // of all loops
  std::int64_t reductions = 1;   // of those over R, S, C
  PerTensor<Time> boot{};        // of the whole tensor past the DRAM
  PerTensor<Energy> boot_out{};  // the same: energy at the DRAM

  /// Bits that a tensor has in one instance of a level, if the loops up to there have consumed the
  /// plot; also what one transfer out of the level carries, if those inside have.
  [[nodiscard]] std::int64_t bits(std::size_t t, std::size_t m, std::size_t plot, bool psum) const {
    return elements_[t][m][plot] * p_.bits_of(t, psum);
  }
  /// Whether the block at a level has a transfer; weights stay in place at their innermost level.
  [[nodiscard]] bool moves(std::size_t t, std::size_t m) const {
    return t != kWeight || m != p_.innermost(t);
  }
  /// Of a transfer out of a level; `first`: of the innermost block.
  [[nodiscard]] Time time(std::size_t t, std::size_t m, std::size_t plot, bool psum,
                          bool first) const;
  /// Of a transfer out of m into the level x (or kMac), on all instances.
  [[nodiscard]] Energy energy(std::size_t t, std::size_t m, bool psum, std::size_t x, bool psum_x,
                              std::size_t plot) const;
  /// Of what comes into a level that the tensor fills past all levels outside.
  [[nodiscard]] Energy boot_in(std::size_t t, std::size_t m, std::size_t plot, bool psum) const {
    return Energy{bits(t, m, plot, psum)} * instances_[t][m] * units_.in(p_, t, m);
  }
  /// Of a tensor's innermost level, if it is bypassed.
  [[nodiscard]] Energy charged(std::size_t t) const;
  [[nodiscard]] Energy activations() const { return Energy{units_.activation} * products * cores_; }

 private:
  /// Instances of a level that stores the tensor, and its tiles there.
  void measure(std::size_t t, std::size_t m, const Scheme& scheme);

  const Problem& p_;
  const Units& units_;
  std::array<const Places*, kDims> places_{};
  std::array<std::size_t, kDims> stride_{};
  PerTensor<std::array<std::size_t, kDims>> plot_stride_{};
  std::size_t cells_ = 1;
  PerTensor<std::size_t> plots_{1, 1, 1};
  std::int64_t cores_ = 1;
  PerTensor<std::array<std::int64_t, kMostLevels>> instances_{};
  PerTensor<std::array<std::vector<std::int64_t>, kMostLevels>> elements_;
};

}  // namespace pimbb_check::cim
