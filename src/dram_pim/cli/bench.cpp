// pimbb bench: a fixed list of problems solved one after the other, and one signature of all the
// answers, so that a change of the solver shows as a changed number.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "dram_pim/cli/bench_ablation.hpp"
#include "dram_pim/cli/bench_result.hpp"
#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/csv_tables.hpp"
#include "dram_pim/cli/log_solution.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/values.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {
namespace {

class CaseTable {
 public:
  CaseTable(const Style& style, const std::vector<BenchCase>& cases, bool timeless)
      : style_(style),
        timeless_(timeless),
        table_(columns_for(cases, timeless), style.table_width) {}

  [[nodiscard]] std::string header() const { return table_.header(style_) + table_.rule(style_); }
  [[nodiscard]] std::string note() const { return table_.note(style_); }

  [[nodiscard]] std::string row(const BenchCase& problem, const BenchResult& result) const {
    const Solution& solution = result.solution;
    std::string values;
    for (const GoalResult& goal : solution.goals) {
      if (solution.mapping) values += (values.empty() ? "" : " then ") + number(goal.value);
    }
    std::vector<std::string> cells{printable(problem.architecture_name),
                                   printable(problem.layer),
                                   std::string(row_model_name(problem.row_model)),
                                   problem.objective.to_string(),
                                   proof_cell(style_, solution),
                                   values.empty() ? "-" : values,
                                   number(static_cast<std::int64_t>(solution.nodes)),
                                   number(static_cast<std::int64_t>(solution.leaves))};
    if (!timeless_) cells.push_back(fmt::format("{:.4f}", result.seconds()));
    return table_.row(cells);
  }

 private:
  static std::vector<Column> columns_for(const std::vector<BenchCase>& cases, bool timeless) {
    std::vector<Column> all{
        {"architecture", 0, false, 2}, {"layer", 0, false},     {"rows", 8, false, 3},
        {"objective", 0, false, 1},    {"proof", 10, false, 1}, {"value", 20, true, 4},
        {"nodes", 9, true, 6},         {"leaves", 9, true, 7},  {"seconds", 9, true, 5}};
    for (const BenchCase& problem : cases) {
      all[0].width = std::max(all[0].width, columns(printable(problem.architecture_name)));
      all[1].width = std::max(all[1].width, columns(printable(problem.layer)));
      all[3].width = std::max(all[3].width, problem.objective.to_string().size());
    }
    if (timeless) all.pop_back();
    return all;
  }

  const Style& style_;
  bool timeless_;
  Table table_;
};

/// One call of solve(), with the time that it takes from outside.
Solution timed_solve(const BenchCase& problem, const Question& question, const RunLimits& limits,
                     std::vector<double>& runs) {
  const auto begin = std::chrono::steady_clock::now();
  Solution solution = solve(*problem.architecture, problem.workload, question, limits);
  runs.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return solution;
}

void check_repeats(const BenchCase& problem, const BenchResult& first, const Solution& again) {
  const bool both =
      first.closed() && (again.status == Status::optimal || again.status == Status::infeasible);
  if (!both) return;  // a limit in seconds cuts where it will
  if (exact_values(first.solution) != exact_values(again) || first.solution.nodes != again.nodes) {
    throw std::logic_error(problem.name() + ": two runs differ in the optimum or in the nodes");
  }
}

/// The whole corpus under one session: case by case, fewer than all if interrupted.
class Runner {
 public:
  Runner(const BenchSettings& settings, const std::vector<BenchCase>& cases, Log& log)
      : settings_(settings),
        cases_(cases),
        log_(log),
        session_(settings.limits, settings.output, log) {
    if (settings.ablation) ablations_ = ablations_of(settings.rules);
  }

  /// `on_result` after each case; false if interrupted.
  template <class OnResult>
  bool run(const OnResult& on_result) {
    for (const BenchCase& problem : cases_) {
      const BenchResult result =
          solve_case(problem, question_for(problem), session_.limits(), results_.size() + 1, "");
      if (session_.interrupted()) return false;
      results_.push_back(result);
      session_.progress().interleave([&] { on_result(problem, result); });
      if (!ablate(problem, result)) return false;
    }
    return true;
  }

  [[nodiscard]] const std::vector<BenchResult>& results() const { return results_; }
  [[nodiscard]] const std::vector<Ablation>& ablations() const { return ablations_; }

 private:
  [[nodiscard]] Question question_for(const BenchCase& problem) const {
    Question question;
    question.rules = settings_.rules;
    question.objective = problem.objective;
    question.row_model = problem.row_model;
    return question;
  }

  bool ablate(const BenchCase& problem, const BenchResult& result) {
    for (Ablation& ablation : ablations_) {
      Question question = question_for(problem);
      RunLimits limits = session_.limits();
      question.rules = question.rules.without(ablation.rule());
      const std::uint64_t most = ablation_limit(result.solution.nodes);
      limits.node_limit = std::min(most, limits.node_limit.value_or(most));
      const BenchResult without = solve_case(problem, question, limits, results_.size(),
                                             fmt::format(" without {}", ablation.name()));
      if (session_.interrupted()) return false;
      ablation.add(problem, result, without);
    }
    return true;
  }

  BenchResult solve_case(const BenchCase& problem, const Question& question,
                         const RunLimits& limits, std::size_t number, const std::string& how) {
    session_.progress().begin(
        fmt::format("{}/{} {}{}", number, cases_.size(), printable(problem.name()), how));
    log_.about("case", problem.name() + how);
    BenchResult result;
    result.solution = timed_solve(problem, question, limits, result.runs);
    for (int k = 1; k < settings_.repeat && !session_.interrupted(); ++k) {
      const Solution again = timed_solve(problem, question, limits, result.runs);
      if (!session_.interrupted()) check_repeats(problem, result, again);
    }
    if (!session_.interrupted()) log_solution(log_, "case", result.solution);
    return result;
  }

  const BenchSettings& settings_;
  const std::vector<BenchCase>& cases_;
  Log& log_;
  Session session_;
  std::vector<BenchResult> results_;
  std::vector<Ablation> ablations_;
};

std::string summary_text(const Style& style, const std::vector<BenchCase>& cases,
                         const BenchSummary& s, bool timeless) {
  const auto count = [](std::size_t n) { return number(static_cast<std::int64_t>(n)); };
  std::string text = fmt::format("\n{} of {} cases: {} proven, {} infeasible, {} at a limit\n",
                                 count(s.proven + s.infeasible + s.limit), count(cases.size()),
                                 count(s.proven), count(s.infeasible), count(s.limit));
  if (!timeless) {
    text +=
        fmt::format("time    geometric mean {:.4f} s, total {}, worst {} ({})\n", s.geometric_mean,
                    duration(s.total), duration(s.worst), printable(cases[s.worst_case].name()));
  }
  text += fmt::format("effort  {} nodes, {} mappings evaluated",
                      number(static_cast<std::int64_t>(s.nodes)),
                      number(static_cast<std::int64_t>(s.leaves)));
  if (!timeless) {
    text += fmt::format(", {:.1f} s CPU, {:.1f} MiB peak memory", usage().cpu_seconds,
                        static_cast<double>(usage().peak_memory) / (1 << 20));
  }
  text += "\n";
  if (s.limit > 0) {
    text += style.warning("not all proven") + ": the signature holds for these limits only\n";
  }
  return text;
}

std::string signature_text(const Signature& hashes) {
  return fmt::format("optima {}\nsearch {}\n", hash_text(hashes.optima), hash_text(hashes.search));
}

files::Json log_start(const CorpusSettings& bench, const std::vector<BenchCase>& cases) {
  files::Json json = {{"corpus", bench.corpus}, {"cases", cases.size()}};
  return json;
}

files::Json log_end(const BenchSummary& s, const std::optional<Signature>& hashes, bool timeless) {
  files::Json json = {{"proven", s.proven},
                      {"infeasible", s.infeasible},
                      {"limit", s.limit},
                      {"nodes", s.nodes},
                      {"leaves", s.leaves}};
  if (!timeless) json["seconds"] = s.total;
  if (hashes) {
    json["optima"] = hash_text(hashes->optima);
    json["search"] = hash_text(hashes->search);
  }
  return json;
}

int run(const BenchSettings& settings) {
  const std::vector<BenchCase> cases = bench_corpus(settings.corpus);
  Output output(settings.output);
  Log log(settings.output);
  log.start("bench", log_start(settings.corpus, cases), settings.limits);
  const auto report = [&](const std::string& text) {
    if (!settings.signature_only) output.report(text);
  };
  const Style style = style_of(settings.output);
  const CaseTable table(style, cases, settings.output.timeless);
  report(table.header());

  std::vector<BenchResult> results;
  std::vector<Ablation> ablations;
  bool complete = false;
  {
    Runner runner(settings, cases, log);
    complete = runner.run([&](const BenchCase& problem, const BenchResult& result) {
      report(table.row(problem, result));
    });
    results = runner.results();
    ablations = runner.ablations();
  }
  report(table.note());
  const BenchSummary summary = summarise(results);
  report(summary_text(style, cases, summary, settings.output.timeless));
  for (const Ablation& ablation : ablations)
    report(ablation_text(ablation, settings.output.timeless));
  const bool all_solved = results.size() == cases.size();
  std::optional<Signature> hashes;
  if (all_solved) hashes = signature(cases, results);
  log.end(log_end(summary, hashes, settings.output.timeless));
  if (!complete) {
    report(style.warning("interrupted") +
           (all_solved ? ": the ablation is not complete\n" : ": no signature\n"));
  }
  if (hashes) output.report(signature_text(*hashes));
  const int threads = results.empty() ? settings.limits.threads : results.front().solution.threads;
  output.json([&] { return bench_json(settings, threads, cases, results, ablations); });
  output.csv([&] { return bench_csv(cases, results, settings.output.timeless); });
  output.finish();
  log.finish();
  return complete && summary.limit == 0 ? kProven : kUnproven;
}

OptionRows rows(BenchSettings& s) {
  return rows_of(
      {{{"--corpus", "CORPUS", groups::kProblem, "full",
         "What to solve: full (all presets), small (a few seconds), or a file whose lines are ARCH "
         "NETWORK[:LAYER] ROW_MODEL OBJECTIVE",
         [&](auto option, auto& text) { s.corpus.corpus = not_empty(option, text); },
         values::corpora},
        {"--arch", "ARCH", groups::kProblem, "",
         "Only this accelerator instead of the corpus's: a file or the name of a preset",
         [&](auto option, auto& text) { s.corpus.arch = not_empty(option, text); },
         values::architectures},
        {"--network", "NET", groups::kProblem, "",
         "Only this network, or NETWORK:LAYER, instead of the corpus's: a file or the name of a "
         "preset",
         [&](auto option, auto& text) { s.corpus.network = not_empty(option, text); },
         network_choices},
        {"--objective", "GOALS", groups::kGoal, "", "Only this objective instead of the corpus's",
         [&](auto, auto& text) { s.corpus.objective = Objective::parse(text); }, values::goals},
        {"--row-model", "MODEL", groups::kGoal, "", "Only this row model instead of the corpus's",
         [&](auto option, auto& text) { s.corpus.row_model = parse_row_model(option, text); },
         values::row_models},
        threads_row(s.limits),
        {"--repeat", "N", groups::kEffort, "1",
         "Solve every case N times and report the median time",
         [&](auto option, auto& text) { s.repeat = integer(option, text, 1, 1000); }},
        {"--time-limit", "TIME", groups::kEffort, "", "Time limit for each case",
         [&](auto option, auto& text) { s.limits.time_limit = duration_seconds(option, text); }},
        node_limit_row(s.limits),
        memory_limit_row(s.limits)},
       rules_rows(s.rules),
       {{"--ablation", nullptr, groups::kOutput, "",
         "Also solve each case without one rule after the other, up to 100 times its nodes, and "
         "compare nodes and times",
         [&](auto, auto&) { s.ablation = true; }},
        {"--signature-only", nullptr, groups::kOutput, "",
         "Print only the two hashes: of the exact optima, and of the node counts",
         [&](auto, auto&) { s.signature_only = true; }},
        json_row(s.output),
        csv_row(s.output,
                "Also write a table with a row for each case, separated by commas; '-' writes only "
                "the table, to standard output"),
        log_row(s.output),
        timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command bench_command() {
  return {"bench", "Solve a fixed list of problems: times, nodes, and one signature of all answers",
          "Examples:\n"
          "  pimbb bench --corpus small\n"
          "  pimbb bench --arch simple_pim --network resnet18 --repeat 3 --json bench.json\n"
          "  pimbb bench --corpus small --signature-only --threads 1\n"
          "  pimbb bench --corpus small --ablation\n\n"
          "Exit code 0 means that every case is proven optimal or proven infeasible, 3 that one is "
          "not.",
          terminal::prepare<BenchSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
