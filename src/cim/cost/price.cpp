// Nest, latency, contention, energy.
#include "cim/cost/price.hpp"

#include <algorithm>

namespace pimbb::cim::cost {

Pricer::Pricer(const Architecture& architecture, const Workload& workload, const Pricing& pricing)
    : a_(architecture),
      pricing_(pricing),
      layer_(pricing.padding == Padding::even ? padded(workload, Padding::even) : workload),
      units_(architecture),
      elements_(layer_) {
  Workload largest = layer_;
  if (pricing.padding == Padding::ceil) {  // no bound doubles
    for (std::int64_t& bound : largest.bounds) bound = 2 * bound - 1;
  }
  units_.check_range(architecture, largest);
}

Price Pricer::operator()(const Mapping& mapping) const {
  const bool grows = pricing_.padding == Padding::ceil;
  const Workload grown = grows ? padded(layer_, Padding::ceil, mapping.unrolled()) : Workload{};
  const Nest nest(a_, units_, grows ? grown : layer_, elements_, mapping);
  Price price;
  price.latency = cost::latency(nest, pricing_.semantics);
  if (pricing_.contention != Contention::none) {
    const Busy ports = busy(nest, pricing_.semantics);
    price.latency = std::max(price.latency, contention_floor(nest, ports, pricing_.contention));
  }
  price.dynamic = dynamic_energy(nest);
  return price;
}

}  // namespace pimbb::cim::cost
