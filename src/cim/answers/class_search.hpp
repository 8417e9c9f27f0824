// All classes of mappings of one spatial scheme within a cutoff, each with the number of mappings
// in it.
//
// A class is what the costs of a nest depend on (pimbb/cim/top.hpp): the loops that carry
// transfers, in order, with their factors; each transfer with its ends, what it carries, and
// whether it is hidden; and of a run of loops without transfers between them the product of the
// factors, under `recursion` also the factor of the innermost one if the loop just inside carries a
// hidden transfer of inputs or weights. Nests are built from the innermost loop outwards along the
// steps of mapper/nest_walk.hpp, all of them, and what is built so far has the *key* of these data.
//
// Claim 1. Under `recursion` and `table3` a run without transfers changes a label by its product
// and, under `recursion`, the factor f of its innermost loop only; and if no transfer of inputs or
// weights is hidden just inside, not even by that. Proof. Let M be the greatest P. A loop without
// transfers adds (f - 1) B to every P, where B is the body, and leaves the body M + (f - 1) B. The
// next one, of factor g, has the body M + (f - 1) B, which is the greatest P now, adds g - 1 times
// that, and leaves g times it as the greatest P and as the body: so do further ones. The P of the
// whole run are more by (f - 1) B + (r / f - 1)(M + (f - 1) B), r being its product, and the body
// is r / f times M + (f - 1) B. If B = M, that is (r - 1) M and r M. The body is the greatest of P
// less hidden transfers of inputs and weights of the loop just inside, and all P and the body are
// equal before all loops: without such transfers B = M. table3: after a loop of factor f without
// transfers, M = f L and P = P' + (f - 1) L with P' <= L, so the next one has L' = f L: P grows by
// (f g - 1) L in all, and M is f g L.  []
//
// So nests in the same state (mapper/state.hpp, transfers told apart) with the same key have the
// same label, and the same steps lead to the same keys: they are one entry here, with the number of
// nests and the first of them.
//
// There is no dominance among entries. What keeps their number small is what can be learnt from the
// search that has it:
//
// Claim 2. First, labels are set with dominance (rule 1, 5 and 6 of mapper/label.hpp without an
// exchange), and none is dropped whose bound is within the cutoff; then, from the last cell
// backwards, each label gets the least latency, total energy and goal of its completions within the
// cutoff. Let x be such a label and y an entry of the same state that x covers. Then every
// completion of y within the cutoff ends at least as much later than that of x as
// Rule::delay says, and takes as much more energy as y has in excess; so the least of x, plus these
// differences, is a bound of y. Proof. What completes y completes x, which has no more bits
// committed, at no greater costs, hence within the cutoff: it is among the completions of x. The
// differences are those of rules 5 to 7, and the goals are monotone: EDP, (L + d)(T + u) >= L T + d
// T + u L + d u, the others are linear.  []
#pragma once

#include <array>
#include <compare>
#include <optional>

#include "answers/best.hpp"
#include "cim/mapper/label_search.hpp"

namespace pimbb::cim::classes {

/// Values of the goals, in order of importance; 0 behind the last.
struct ClassCost {
  std::array<Wide, kGoalNames.size()> value{};
  friend bool operator==(const ClassCost&, const ClassCost&) = default;
  friend auto operator<=>(const ClassCost& a, const ClassCost& b) = default;
};

struct FoundClass {
  Mapping mapping;  ///< of its mappings, the first one of those with the fewest loops
  UInt128 members = 1;
};

using BestClasses = pimbb::answers::Best<ClassCost, FoundClass>;

/// What classes are searched for: all that cost at most `cutoff`, goal after goal.
struct ClassQuestion {
  const mapper::Problem& problem;
  const std::vector<mapper::Target>& targets;  ///< one for each goal
  /// The first goal, with caps: those of the question, and the cutoffs of later goals where those
  /// before them cannot be better than their cutoffs.
  const mapper::Target& target;
  Wide cutoff;  ///< the first goal must be less
};

struct ClassOutcome {
  bool complete = false;
  std::uint64_t states = 0;
  std::uint64_t labels = 0;      ///< labels and entries extended
  std::uint64_t candidates = 0;  ///< made
  std::uint64_t bytes = 0;       ///< at the peak
};

/// Adds all classes of a scheme that are within the cutoff, and of use, to `best`.
ClassOutcome search_classes(const ClassQuestion& question, const mapper::Scheme& scheme,
                            const mapper::DimensionSteps& steps, const mapper::LabelLimits& limits,
                            BestClasses& best);

}  // namespace pimbb::cim::classes
