// All splits of a layer over the levels of a device that count, by the slices that they lead to.
#pragma once

#include <functional>
#include <map>

#include "problem.hpp"

namespace pimbb_check::device {

class Splits {
 public:
  explicit Splits(const Problem& p);

  /// Calls `visit` for the bounds of all slices, in descending order, with the splits that lead to
  /// them.
  void for_each_slice(
      const std::function<void(const Factors&, const std::vector<Split>&)>& visit) const;

 private:
  /// Factors of one dimension, by level.
  using Factoring = std::vector<std::int64_t>;

  void enumerate(std::size_t j, Factoring& factors, std::int64_t product);
  void add(std::size_t j, const Factoring& factors, std::int64_t product);
  void descend(std::size_t j, Factors& slice, const std::vector<Split>& so_far,
               const std::function<void(const Factors&, const std::vector<Split>&)>& visit) const;
  [[nodiscard]] bool fits(const Split& split) const;

  const Problem& p_;
  std::array<std::map<std::int64_t, std::vector<Factoring>, std::greater<>>, kDims> factorings_;
};

/// Throws a Refusal unless the split obeys the rules and its slices, with these bounds, cover the
/// layer without more padding than is allowed.
void require_split(const Problem& p, const Split& split, const Factors& slice);

}  // namespace pimbb_check::device
