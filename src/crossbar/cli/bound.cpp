// The bounds once more, one by one.
#include "crossbar/cli/bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "crossbar/assign/bounds.hpp"
#include "terminal/bars.hpp"
#include "terminal/format.hpp"

namespace pimbb::crossbar::cli {
namespace {

std::vector<Term> counted_bounds(const Problem& problem, const Asked& asked) {
  const Architecture& a = problem.architecture;
  const Partition& p = problem.partition;
  if (asked.simulated) {
    const SimulatedBound bound = simulated_bound(a, p, asked.schedule());
    return {{"memory", Rational(bound.memory)},
            {"multiplications", Rational(bound.multiplications)},
            {"windows", Rational(bound.windows)}};
  }
  if (asked.exact_goal() == Goal::ll) return {};
  const auto bounds = assign::throughput_bounds(assign::Problem(a, p));
  if (!bounds) return {};
  return {{"multiplications", Rational(bounds->load)},
          {"windows", Rational(bounds->cycles)},
          {"narrow nodes", Rational(bounds->mandatory)}};
}

}  // namespace

std::string bound_section(const Style& style, const Problem& problem, const Asked& asked,
                          const Answer& found) {
  if (!found.mapping || found.bound.sign() == 0 || found.local) return "";
  std::vector<Term> terms = counted_bounds(problem, asked);
  const auto less = [&](const Term& term) { return term.value < found.bound; };
  if (std::ranges::all_of(terms, less)) terms.push_back({"search", found.bound});
  const auto best = std::ranges::max_element(terms, {}, &Term::value);
  return section(style, "Bound",
                 fmt::format("{} by {}; shares of the value",
                             with_unit(asked.objective, found.bound), best->name)) +
         bars(style, terms, found.value);
}

}  // namespace pimbb::crossbar::cli
