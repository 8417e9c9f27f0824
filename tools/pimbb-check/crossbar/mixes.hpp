// Lower bounds of `ll` in a box by mixes of cuts, and by prices for what all cores have too little
// of: crossbars and, with a deadline, multiplications.
//
// A mapping of the box with replications R needs no more crossbars than there are, and no more
// multiplications than start before the deadline. For prices that are not negative,
//
//     ll >= mix of cuts >= sum over families of weight / R
//        >= sum over families of min over R of
//             (weight / R + price * crossbars * R + price of work * array groups * R * cycles(R))
//           - price * all crossbars - price of work * multiplications before the deadline
#pragma once

#include "box.hpp"
#include "latency.hpp"

namespace pimbb_check::crossbar {

class Mixes {
 public:
  /// `counting` is that of the tree, and is kept.
  Mixes(const Problem& p, const Latency& latency, const Counting& counting)
      : p_(p), latency_(latency), counting_(counting) {}

  /// "cut NODE:FAMILY ...": gets the next number.
  void add_cut(const std::vector<std::string>& words);
  /// "mix PRICE CUT:SHARE ...": prices are in units of 2^-40 ns, shares of 2^-20.
  [[nodiscard]] Rational mix(const Box& box, const std::vector<std::string>& words) const;
  /// "prices PRICE WORK WIDTH CUT:SHARE ...": multiplications of the array groups narrower than
  /// WIDTH have a price too. With a deadline only.
  [[nodiscard]] Rational prices(const Box& box, const std::vector<std::string>& words) const;

 private:
  /// Weights by family of the mix of the words from `first` on.
  [[nodiscard]] std::vector<cpp_int> weights(const std::vector<std::string>& words,
                                             std::size_t first) const;

  const Problem& p_;
  const Latency& latency_;
  const Counting& counting_;
  std::vector<std::vector<cpp_int>> cuts_;  // weights by family, in units of 2^-20 ns
};

}  // namespace pimbb_check::crossbar
