// Spatial schemes, and the loops that a scheme leaves.
//
// A *place* of a dimension is what the loops inside have consumed of its temporal extent: a divisor
// or, where the factors of loops come from a list, a part of that list. A step is a loop that may
// come next.
#pragma once

#include <map>
#include <vector>

#include "problem.hpp"

namespace pimbb_check::cim {

struct Scheme {
  std::vector<Factors> spatial;  // of each axis
  Factors extents = kOnes;       // of all loops of a dimension together

  [[nodiscard]] Factors unrolled() const;
  [[nodiscard]] std::int64_t products() const;
  [[nodiscard]] std::int64_t cores() const;
  /// With width and height exchanged.
  [[nodiscard]] Scheme mirrored() const;
};

/// All of them, axes in order, dimensions R .. G, factors ascending.
std::vector<Scheme> schemes(const Problem& p);
/// Whether width and height can be exchanged.
bool symmetric(const Problem& p);

struct Step {
  std::int64_t factor;
  std::size_t to;  // a later place
};
struct Place {
  std::int64_t done = 1, left = 1;
  std::vector<Step> steps;    // ascending places
  std::int64_t largest = 1;   // factor of a step
  std::int64_t smallest = 1;  // the same; 1 without steps
};
using Places = std::vector<Place>;

/// The list of factors of the flexible factorization, ascending.
std::vector<std::int64_t> flexible(std::int64_t extent);
bool is_prime(std::int64_t n);

Places places(std::int64_t extent, FactorRule rule);

/// Places by extent.
class PlaceTable {
 public:
  explicit PlaceTable(FactorRule rule) : rule_(rule) {}
  const Places& of(std::int64_t extent) {
    const auto found = table_.find(extent);
    if (found != table_.end()) return found->second;
    return table_.emplace(extent, places(extent, rule_)).first->second;
  }

 private:
  FactorRule rule_;
  std::map<std::int64_t, Places> table_;
};

}  // namespace pimbb_check::cim
