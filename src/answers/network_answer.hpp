// What a network takes on one accelerator, from the answers about its parts.
//
// For goals that are sums the parts are independent. The product of two totals (EDP) is found by
// blends of both (search/least_product.hpp): which blends are needed depends on answers. The search
// for the product is therefore repeated from the beginning whenever answers have arrived, until
// none is missing; a repetition takes no time beside a search of a part. So nothing waits inside of
// it, and parts of many networks and points can be solved in any order, by anybody.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "answers/explorable.hpp"

namespace pimbb::answers {

/// An objective: goals in order of importance, or the product of goals 0 and 1.
struct ObjectiveGoals {
  std::vector<std::size_t> order;
  bool product = false;
};

/// Reads the objective of a space; throws InputError, naming the allowed goals.
ObjectiveGoals parse_objective(const Space& space, const Explorable& explorable);

/// A question about a part of the network.
struct PartNeed {
  std::size_t part = 0;
  Ask ask;
};

struct NetworkAnswer {
  std::optional<ExploredNetwork> result;  ///< if nothing is missing
  std::vector<PartNeed> missing;
  std::vector<PartNeed> used;  ///< answers that it was made from
  /// A lower bound of the objective before there is a result: of a product, if both ends of its
  /// hull are known.
  std::optional<Rational> floor;
};

using PartLookup = std::function<const PartAnswer*(const PartNeed&)>;

/// `known` gives an answer, or null.
NetworkAnswer answer_network(const Explorable& explorable, const PointMachine& machine,
                             std::size_t network, const ObjectiveGoals& goals,
                             const PartLookup& known);

/// A lower bound of the objective's first goal that takes no search: the sum of the parts' floors,
/// or the product of two such sums.
Rational cheap_floor(const Explorable& explorable, const PointMachine& machine, std::size_t network,
                     const ObjectiveGoals& goals);

/// The weaker status of two parts: a missing mapping is weaker than a missing proof, and
/// infeasibility is weaker than an unknown mapping.
Status weaker_status(Status a, Status b);

}  // namespace pimbb::answers
