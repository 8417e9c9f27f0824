// A vector of rational numbers over a common denominator, which need not be the least one: sums
// and comparisons of its entries are those of integers, and nothing is brought to lowest terms.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

namespace pimbb::lp {

using Integer = boost::multiprecision::cpp_int;

/// x_i = numerators[i] / denominator, denominator > 0.
struct ExactVector {
  std::vector<Integer> numerators;
  Integer denominator = 1;
};

}  // namespace pimbb::lp
