// Mappings of one layer priced in scaled integers: the fast path of searches and measurements.
#pragma once

#include "cim/cost/energy.hpp"

namespace pimbb::cim::cost {

struct Price {
  Time latency = 0;
  Energy dynamic = 0;
  friend bool operator==(const Price&, const Price&) = default;
};

class Pricer {
 public:
  /// Throws InputError if the numbers of the layer exceed the exact range.
  Pricer(const Architecture& architecture, const Workload& workload, const Pricing& pricing);

  /// The price of a feasible mapping.
  [[nodiscard]] Price operator()(const Mapping& mapping) const;
  [[nodiscard]] const Units& units() const { return units_; }

 private:
  const Architecture& a_;
  Pricing pricing_;
  Workload layer_;  // padded, but for Padding::ceil
  Units units_;
  Elements elements_;
};

}  // namespace pimbb::cim::cost
