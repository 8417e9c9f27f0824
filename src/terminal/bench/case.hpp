// One case of `pimbb bench`: a problem of any kind of accelerator that one call solves.
//
// A case and its answer are text, exact values and counts, so that a corpus is solved, shown,
// hashed and written by the same code for every kind. BenchKind has the words of a kind.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/json_text.hpp"
#include "pimbb/rational.hpp"
#include "pimbb/run_limits.hpp"
#include "pimbb/workload.hpp"
#include "terminal/log.hpp"

namespace pimbb::terminal {

/// A count that repeats exactly: its key in documents, the header of its column, and its name in
/// the summary.
struct BenchCount {
  std::string key;
  std::string header;
  std::string text;
};

struct BenchKind {
  std::string model_key;                 ///< how costs are modelled, in documents: "row_model"
  std::string model_header;              ///< the same in the table: "rows"
  std::string model_option;              ///< the option that narrows it: "--row-model"
  std::string model_word;                ///< the same in a corpus file: "ROW_MODEL"
  std::vector<BenchCount> totals;        ///< counts of the table and the summary
  std::vector<std::string> searched;     ///< counts that the signature `search` hashes
  std::vector<std::string> columns;      ///< counts in CSV tables
  std::string subject = "layer";         ///< what a case is about: the key of its name in documents
  std::string machine = "architecture";  ///< the key of the accelerator's name in documents
  std::string machine_word = "ARCH";     ///< the same in a corpus file
};

struct BenchAnswer {
  struct GoalAnswer {
    Rational value;
    Rational bound;
    Rational gap;
  };
  Status status = Status::unknown;
  bool has_mapping = false;
  std::vector<GoalAnswer> goals;  ///< values are those of the mapping, if there is one
  std::vector<std::pair<std::string, std::uint64_t>> counts;  ///< by name, in documents' order
  int threads = 1;
  std::function<void(Log& log)> log;  ///< writes the answer to the log

  [[nodiscard]] bool closed() const {
    return status == Status::optimal || status == Status::infeasible;
  }
  /// A count that exists.
  [[nodiscard]] std::uint64_t count(std::string_view key) const;
  /// Exact values of all goals, "1806336,2409/20"; empty unless proven optimal.
  [[nodiscard]] std::string exact_values() const;
};

struct BenchCase {
  std::string architecture;  ///< as given: a preset or a file; a device where the kind says so
  std::string layer;         ///< "network:layer", or the network where a case is a whole one
  Workload workload;
  bool whole_network = false;  ///< it has no layer
  std::string model;
  std::string objective;
  std::string problem;  ///< cases in which it is equal are the same problem
  /// Solves the case, where the kind has pruning rules without the one named; empty: with all.
  std::function<BenchAnswer(const RunLimits& limits, std::string_view without)> solve;
  std::function<files::Json()> describe_architecture;  ///< the accelerator in full

  /// "simple_pim resnet18:conv2_x hybrid edp", a line of a corpus file.
  [[nodiscard]] std::string name() const;
};

/// A case's answer, and how long each repetition took.
struct BenchResult {
  BenchAnswer answer;
  std::vector<double> runs;  ///< seconds
  double cpu_seconds = 0;    ///< of all runs and threads

  [[nodiscard]] double seconds() const;  ///< the median
};

/// Answers of the wings: solution.goals have value, bound and gap(), `counts` is an object.
template <class Solution>
BenchAnswer bench_answer(const Solution& solution, const files::Json& counts,
                         std::function<void(Log& log)> log) {
  BenchAnswer answer;
  answer.status = solution.status;
  answer.has_mapping = solution.mapping.has_value();
  for (const auto& goal : solution.goals) {
    answer.goals.push_back({goal.value, goal.bound, goal.gap()});
  }
  for (const auto& [key, count] : counts.items()) {
    answer.counts.emplace_back(key, count.template get<std::uint64_t>());
  }
  answer.threads = solution.threads;
  answer.log = std::move(log);
  return answer;
}

}  // namespace pimbb::terminal
