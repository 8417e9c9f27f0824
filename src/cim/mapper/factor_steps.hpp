// The loops that a dimension may have: positions on the way from 1 to its temporal extent.
//
// A position is what the loops so far, innermost first, have consumed of the extent. Under the rule
// `any` positions are the divisors, and each loop may take any factor of what is left; under
// `prime` it takes a prime. Under `flex` the extent has a fixed list of factors, and a position is
// a part of that list.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "pimbb/cim/question.hpp"

namespace pimbb::cim::mapper {

struct FactorSteps {
  struct Step {
    std::int64_t factor = 2;
    std::uint16_t to = 0;  ///< position afterwards
    bool cover = true;     ///< no position lies between; every position is reached by covers
  };
  struct Position {
    std::int64_t done = 1;     ///< product of the loops so far
    std::int64_t left = 1;     ///< product of the loops to come
    std::int64_t largest = 1;  ///< factor of a step, 1 if there is none
    std::int64_t smallest = 1;
    std::vector<Step> steps;
  };
  std::vector<Position> positions;  ///< in an order in which steps ascend; the last is the extent

  FactorSteps(std::int64_t extent, FactorRule rule);
};

/// The factors of `flex`, ascending: prime factors, pairs of which are merged while the number of
/// products that they can form hardly shrinks.
std::vector<std::int64_t> flexible_factors(std::int64_t extent);

/// The steps of every extent that occurs, made once.
class FactorTables {
 public:
  explicit FactorTables(FactorRule rule) : rule_(rule) {}
  /// Not thread-safe.
  const FactorSteps& of(std::int64_t extent);

 private:
  FactorRule rule_;
  std::map<std::int64_t, FactorSteps> tables_;
};

}  // namespace pimbb::cim::mapper
