// `pimbb bench`: a fixed list of problems solved one after the other, and one signature of all the
// answers, so that a change of the solver shows as a changed number. For any kind of accelerator.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "terminal/bench/corpus.hpp"
#include "terminal/option_row.hpp"
#include "terminal/output_settings.hpp"

namespace pimbb::terminal {

struct BenchSettings {
  CorpusSettings corpus;
  RunLimits limits;
  int repeat = 1;
  bool signature_only = false;
  bool list = false;  ///< only the names of the cases
  OutputSettings output;
};

/// Solves a case once more: the name of the way, the rule that it goes without, limits. An
/// interrupted search returns an answer that is not closed.
using SolveAgain = std::function<BenchResult(const std::string& how, std::string_view without,
                                             const RunLimits& limits)>;

/// What a kind adds to the run of a corpus.
class BenchExtras {
 public:
  virtual ~BenchExtras() = default;
  /// After each case. `limits` are those of its search.
  virtual void after_case(const BenchCase& problem, const BenchResult& result,
                          const RunLimits& limits, const SolveAgain& solve_again,
                          const std::function<bool()>& interrupted);
  /// At the end of the report.
  [[nodiscard]] virtual std::string report(bool timeless) const;
  virtual void add_settings(files::Json& json) const;
  virtual void add_results(files::Json& json, bool timeless) const;
};

/// Solves the cases and writes report, documents and log, or lists them; returns the exit code.
int run_bench(const BenchSettings& settings, const BenchKind& kind,
              const std::vector<BenchCase>& cases, BenchExtras& extras);

/// The pimbb-bench/1 document. After an interruption there are fewer `results` than `cases`.
std::string bench_json(const BenchSettings& settings, const BenchKind& kind,
                       std::span<const BenchCase> cases, std::span<const BenchResult> results,
                       const BenchExtras& extras);
/// A row for each case.
std::string bench_csv(const BenchKind& kind, std::span<const BenchCase> cases,
                      std::span<const BenchResult> results, bool timeless);

/// --corpus, with its help, --arch, --network; `corpora`: the names of lists.
OptionRows corpus_rows(CorpusSettings& settings, const char* help,
                       std::vector<std::string> architectures,
                       std::vector<std::string> corpora = {"full", "small"});
/// --threads, --repeat, --time-limit, --node-limit, --memory-limit.
OptionRows bench_effort_rows(BenchSettings& settings);
/// --list, --signature-only, --json, --csv, --log, --timeless.
OptionRows bench_output_rows(BenchSettings& settings);

}  // namespace pimbb::terminal
