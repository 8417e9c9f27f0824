// Naming the parts of Metrics.
#include "cim/cli/breakdown.hpp"

#include <fmt/format.h>

#include "terminal/format.hpp"

namespace pimbb::cim::cli {
namespace {

template <class Value>
void add_ports(std::vector<Term>& terms, const Architecture& a, const Value& value) {
  for (std::size_t m = a.levels.size(); m-- > 0;) {
    for (const Tensor t : kAllTensors) {
      if (!a.levels[m].stores[index(t)]) continue;
      terms.push_back({fmt::format("{} {}", printable(a.levels[m].name), name(t)), value(m, t)});
    }
  }
}

}  // namespace

std::vector<Term> cycle_terms(const Architecture& architecture, const Metrics& metrics) {
  std::vector<Term> terms{
      {"products", Rational(architecture.product_cycles()) * Rational(metrics.products)}};
  add_ports(terms, architecture,
            [&](std::size_t m, Tensor t) { return metrics.busy[m][index(t)]; });
  return terms;
}

std::vector<Term> energy_terms(const Architecture& architecture, const Metrics& metrics) {
  std::vector<Term> terms{{"activations", metrics.activation_energy},
                          {"leakage", metrics.leakage_energy}};
  add_ports(terms, architecture,
            [&](std::size_t m, Tensor t) { return metrics.levels[m][index(t)].total(); });
  return terms;
}

}  // namespace pimbb::cim::cli
