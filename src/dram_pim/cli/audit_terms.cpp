// The same terms are named for both mappings, then laid side by side.
#include "dram_pim/cli/audit_terms.hpp"

#include "dram_pim/cli/breakdown.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

using Terms = std::vector<Term>;

Terms activation_terms(const Metrics& metrics) {
  Terms terms;
  for (const Tensor t : kAllTensors) {
    terms.push_back({std::string(name(t)), metrics.row_activations[index(t)]});
  }
  return terms;
}

Terms utilization_terms(const Architecture& architecture, const Metrics& metrics) {
  Terms terms{{"PE array", metrics.pe_utilization}};
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    const MemoryLevel& level = architecture.levels[m];
    if (level.capacity) {
      terms.push_back({printable(level.name) + " capacity", fill(architecture, metrics, m)});
    }
    if (!metrics.levels[m].cycles) continue;
    const bool idle = metrics.latency.sign() == 0;
    terms.push_back({printable(level.name) + " bandwidth",
                     idle ? Rational() : *metrics.levels[m].cycles / metrics.latency});
  }
  return terms;
}

std::vector<ComparedTerm> side_by_side(const Terms& given, const std::optional<Terms>& best) {
  std::vector<ComparedTerm> rows;
  for (std::size_t k = 0; k < given.size(); ++k) {
    ComparedTerm row{given[k].name, given[k].value, {}};
    if (best) row.best = (*best)[k].value;
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Applies `terms` to the metrics of both.
template <class Make>
std::vector<ComparedTerm> both(const Audit& audit, const Make& terms) {
  const auto& best = audit.solution.metrics;
  return side_by_side(terms(audit.metrics), best ? std::optional(terms(*best)) : std::nullopt);
}

std::vector<ComparedTerm> cycle_rows(const Architecture& architecture, const Audit& audit) {
  std::vector<ComparedTerm> rows;
  for (ComparedTerm& term :
       both(audit, [&](const Metrics& m) { return cycle_terms(architecture, m); })) {
    term.given_binds = term.given == audit.metrics.latency;
    term.best_binds = term.best && *term.best == audit.solution.metrics->latency;
    rows.push_back(std::move(term));
    const std::string resource = rows.back().name;
    for (ComparedTerm& part :
         both(audit, [&](const Metrics& m) { return dram_parts(architecture, m, resource); })) {
      part.part = true;
      rows.push_back(std::move(part));
    }
  }
  return rows;
}

}  // namespace

Comparison compare(const GivenMapping& given, const Audit& audit) {
  const Architecture& architecture = given.architecture;
  const Workload best = mapped_layer(given.layer, audit.solution);
  return {cycle_rows(architecture, audit),
          both(audit,
               [&](const Metrics& m) {
                 return energy_terms(architecture, &m == &audit.metrics ? given.workload : best, m);
               }),
          both(audit, activation_terms),
          both(audit, [&](const Metrics& m) { return utilization_terms(architecture, m); })};
}

}  // namespace pimbb::dram_pim::cli
