// What `pimbb network` is asked and what it answers: a mapping of the solver, or one of a heuristic
// with the solver's bound beside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crossbar/cli/options.hpp"
#include "crossbar/cli/simulated.hpp"
#include "crossbar/cli/words.hpp"
#include "files/json_text.hpp"
#include "pimbb/crossbar/baseline.hpp"
#include "pimbb/crossbar/fastest.hpp"
#include "pimbb/crossbar/minimise.hpp"
#include "pimbb/crossbar/solver.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::crossbar::cli {

inline constexpr std::string_view kExact = "exact";
/// The objective that is the simulated time, beside the estimates.
inline constexpr std::string_view kSimulated = "sim";

struct Asked {
  Estimate objective = Estimate::ht;
  std::vector<Estimate> then;        ///< further ones, each among what those before find equal
  bool simulated = false;            ///< the simulated time instead of an estimate
  std::optional<Mode> mode;          ///< absent: that of the objective
  std::optional<Baseline> baseline;  ///< absent: the solver
  std::uint64_t seed = 1;

  [[nodiscard]] Mode schedule() const {
    return mode.value_or(is_latency(objective) ? Mode::ll : Mode::ht);
  }
  [[nodiscard]] std::vector<Estimate> goals() const;
  /// Their names: "sim", "ht", "ht-roof,traffic".
  [[nodiscard]] std::string goal() const;
  /// What solve() searches exactly; nothing if it is none of its goals, or a list.
  [[nodiscard]] std::optional<Goal> exact_goal() const;
  [[nodiscard]] std::string_view method() const { return baseline ? name(*baseline) : kExact; }
};

struct Answer {
  Status status = Status::unknown;
  std::optional<Mapping> mapping;
  std::optional<Metrics> metrics;
  Rational value;                  ///< of the mapping
  Rational bound;                  ///< proven: no mapping is below it
  std::optional<Solution> best;    ///< of the exact search, for ht and ll
  std::optional<BestFound> local;  ///< of the local search, for other estimates and lists
  std::optional<Fastest> search;   ///< of the simulated time
  std::uint64_t evaluations = 0;   ///< of `ga`
  std::string reason;              ///< infeasible: why
  double seconds = 0;
  int threads = 0;  ///< of the search
  bool interrupted = false;

  [[nodiscard]] Rational gap() const { return relative_gap(value, bound); }
};

/// The names of --method: exact, then the baselines.
std::vector<std::string_view> methods();

/// Throws InputError if the method does not minimise the objective that it is asked for, or if the
/// simulation of its mappings is another one.
void check(const Asked& asked, const SimulationSettings& simulation);

Answer answer(const Problem& problem, const Asked& asked, const RunLimits& limits);

/// "optimal, proven: ht 184,200 ns (gap 0)"; for a heuristic also what it costs against the best.
std::string verdict(const Style& style, const Asked& asked, const Answer& answer);

/// Counts of the search, and seconds and threads unless `timeless`.
files::Json stats_json(const Answer& answer, bool timeless);

/// "12 starts, 3,456 exchanges, 7 nodes, 0.5 s"; without times if `timeless`.
std::string effort(const Answer& answer, bool timeless);

/// The pimbb-crossbar/1 document with the claim.
std::string answer_json(const Problem& problem, const Asked& asked, const Answer& answer,
                        bool timeless);

/// Status, goal and counts, for the log.
files::Json log_fields(const Asked& asked, const Answer& answer, const Simulated& simulated,
                       bool timeless);

/// The value with its unit: "184,200 ns".
std::string with_unit(Estimate estimate, const Rational& value);

}  // namespace pimbb::crossbar::cli
