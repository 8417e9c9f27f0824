// Choices, and exact products of choices without a single product of variables.
//
// A choice is a list of options of which exactly one is taken. Option k has a key (integers: a
// factor, a tile, a number of sweeps) and a sum of columns `when` that is 1 if it is taken and 0
// otherwise. A function of the choice is then linear: sum over k of f(key[k]) * when[k].
//
// The joint choice of A and B has one column for every admissible pair of options, tied to both by
// its marginals:
//
//                  b1    b2    b3
//          a1  [  w11   w12   w13 ]  sums to  when(a1)
//          a2  [  w21    -    w23 ]  sums to  when(a2)        - : pair not admissible
//            = when(b1)   (b2)  (b3)
//
// If A and B are integral, the one pair with both marginals 1 carries w = 1 and all others 0: the
// w need not be binary, the product is exact, and the relaxation is the convex hull of the table.
// Pairs with equal keys are merged, which keeps chains of products short. Leaving a pair out
// forbids it; so divisibility and capacities cost no row.
//
// With a `mass` below 1 (a decision), the joint choice is taken only if the mass is 1; then no
// marginal is exceeded, and as the pairs add up to 1 they can only sit on the options taken.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dram_pim/milp/program_builder.hpp"

namespace pimbb::dram_pim::milp {

using Key = std::vector<std::int64_t>;

struct Option {
  Key key;
  Sum when;
};
using Choice = std::vector<Option>;  ///< distinct keys, ascending

using Admits = std::function<bool(const Key&)>;
inline bool anything(const Key&) { return true; }

/// The choice without alternative.
inline Choice certain(Key key) { return {{std::move(key), certainty()}}; }
/// A new decision among options with the given names and distinct keys.
Choice decide(ProgramBuilder& program, const std::string& subject,
              std::vector<std::pair<std::string, Key>> options);
/// Whether a decision is taken: `yes` if so, else `no`.
Choice whether(const Sum& decision, Key yes, Key no);

/// The same choice seen through another key.
Choice rekeyed(const Choice& choice, const std::function<Key(const Key&)>& key);
/// Joint choice; its keys are the products, number by number, of the keys of `a` and `b`.
Choice joint(ProgramBuilder& program, const std::string& subject, const Choice& a, const Choice& b,
             const Sum& mass, const Admits& admits = anything);
/// Joint choice of all `parts`, one after the other; `admits` sees the partial products as well.
Choice product(ProgramBuilder& program, const std::string& subject,
               const std::vector<Choice>& parts, const Admits& admits = anything);
/// Splits a choice over decisions of which at most one is taken: result k is taken if bits[k] is.
std::vector<Choice> split(ProgramBuilder& program, const std::string& subject, const Choice& choice,
                          const std::vector<Sum>& bits, const Admits& admits = anything);

/// sum over the options of value(key) * when.
Sum expectation(const Choice& choice, const std::function<Int128(const Key&)>& value);

}  // namespace pimbb::dram_pim::milp
