// The cases one after the other, the table that grows meanwhile, and the summary.
#include "terminal/bench/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "pimbb/error.hpp"
#include "terminal/bench/summary.hpp"
#include "terminal/claim.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"
#include "terminal/table.hpp"

namespace pimbb::terminal {
namespace {

class CaseTable {
 public:
  CaseTable(const Style& style, const BenchKind& kind, const std::vector<BenchCase>& cases,
            bool timeless)
      : style_(style),
        kind_(kind),
        timeless_(timeless),
        table_(columns_for(kind, cases, timeless), style.table_width) {}

  [[nodiscard]] std::string header() const { return table_.header(style_) + table_.rule(style_); }
  [[nodiscard]] std::string note() const { return table_.note(style_); }

  [[nodiscard]] std::string row(const BenchCase& problem, const BenchResult& result) const {
    const BenchAnswer& answer = result.answer;
    Claim claim;
    claim.status = answer.status;
    std::string values;
    for (const BenchAnswer::GoalAnswer& goal : answer.goals) {
      claim.goals.push_back({"", goal.bound, goal.gap, goal.value == goal.bound});
      if (answer.has_mapping) values += (values.empty() ? "" : " then ") + number(goal.value);
    }
    std::vector<std::string> cells{printable(problem.architecture),
                                   printable(problem.layer),
                                   problem.model,
                                   problem.objective,
                                   proof_cell(style_, claim),
                                   values.empty() ? "-" : values};
    for (const BenchCount& count : kind_.totals) {
      cells.push_back(number(static_cast<std::int64_t>(answer.count(count.key))));
    }
    if (!timeless_) cells.push_back(fmt::format("{:.4f}", result.seconds()));
    return table_.row(cells);
  }

 private:
  static std::vector<Column> columns_for(const BenchKind& kind, const std::vector<BenchCase>& cases,
                                         bool timeless) {
    std::vector<Column> all{{kind.machine, 0, false, 2},      {kind.subject, 0, false},
                            {kind.model_header, 8, false, 3}, {"objective", 0, false, 1},
                            {"proof", 10, false, 1},          {"value", 20, true, 4}};
    int rank = 6;
    for (const BenchCount& count : kind.totals) all.push_back({count.header, 9, true, rank++});
    for (const BenchCase& problem : cases) {
      all[0].width = std::max(all[0].width, columns(printable(problem.architecture)));
      all[1].width = std::max(all[1].width, columns(printable(problem.layer)));
      all[2].width = std::max(all[2].width, problem.model.size());
      all[3].width = std::max(all[3].width, problem.objective.size());
    }
    if (!timeless) all.push_back({"seconds", 9, true, 5});
    return all;
  }

  const Style& style_;
  const BenchKind& kind_;
  bool timeless_;
  Table table_;
};

void check_repeats(const BenchKind& kind, const BenchCase& problem, const BenchAnswer& first,
                   const BenchAnswer& again) {
  if (!first.closed() || !again.closed()) return;  // a limit in seconds cuts where it will
  const bool same = std::ranges::all_of(
      kind.searched, [&](const std::string& key) { return first.count(key) == again.count(key); });
  if (!same || first.exact_values() != again.exact_values()) {
    throw std::logic_error(problem.name() + ": two runs differ in the optimum or in the nodes");
  }
}

/// The whole corpus under one session: case by case, fewer than all if interrupted.
class Runner {
 public:
  Runner(const BenchSettings& settings, const BenchKind& kind, const std::vector<BenchCase>& cases,
         Log& log)
      : settings_(settings),
        kind_(kind),
        cases_(cases),
        log_(log),
        session_(settings.limits, settings.output, log) {}

  /// `on_result` after each case; false if interrupted.
  template <class OnResult>
  bool run(const OnResult& on_result, BenchExtras& extras) {
    for (const BenchCase& problem : cases_) {
      const BenchResult result =
          solve_case(problem, "", session_.limits(), results_.size() + 1, "");
      if (session_.interrupted()) return false;
      results_.push_back(result);
      session_.progress().interleave([&] { on_result(problem, result); });
      const SolveAgain again = [&](const std::string& how, std::string_view without,
                                   const RunLimits& limits) {
        return solve_case(problem, without, limits, results_.size(), how);
      };
      extras.after_case(problem, result, session_.limits(), again,
                        [this] { return session_.interrupted(); });
      if (session_.interrupted()) return false;
    }
    return true;
  }

  [[nodiscard]] const std::vector<BenchResult>& results() const { return results_; }

 private:
  BenchResult solve_case(const BenchCase& problem, std::string_view without,
                         const RunLimits& limits, std::size_t number, const std::string& how) {
    session_.progress().begin(
        fmt::format("{}/{} {}{}", number, cases_.size(), printable(problem.name()), how));
    log_.about("case", problem.name() + how);
    BenchResult result;
    result.answer = timed_solve(problem, without, limits, result);
    const int times = result.answer.closed() ? settings_.repeat : 1;
    for (int k = 1; k < times && !session_.interrupted(); ++k) {
      const BenchAnswer again = timed_solve(problem, without, limits, result);
      if (!session_.interrupted()) check_repeats(kind_, problem, result.answer, again);
    }
    if (!session_.interrupted()) result.answer.log(log_);
    return result;
  }

  /// One call of the solver, with the time that it takes from outside.
  static BenchAnswer timed_solve(const BenchCase& problem, std::string_view without,
                                 const RunLimits& limits, BenchResult& result) {
    const double used = usage().cpu_seconds;
    const auto begin = std::chrono::steady_clock::now();
    BenchAnswer answer = problem.solve(limits, without);
    result.runs.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    result.cpu_seconds += usage().cpu_seconds - used;
    return answer;
  }

  const BenchSettings& settings_;
  const BenchKind& kind_;
  const std::vector<BenchCase>& cases_;
  Log& log_;
  Session session_;
  std::vector<BenchResult> results_;
};

std::string summary_text(const Style& style, const BenchKind& kind,
                         const std::vector<BenchCase>& cases, const BenchSummary& s,
                         bool timeless) {
  const auto count = [](std::size_t n) { return number(static_cast<std::int64_t>(n)); };
  std::string text = fmt::format("\n{} of {} cases: {} proven, {} infeasible, {} at a limit\n",
                                 count(s.proven + s.infeasible + s.limit), count(cases.size()),
                                 count(s.proven), count(s.infeasible), count(s.limit));
  if (!timeless) {
    text +=
        fmt::format("time    geometric mean {:.4f} s, total {}, worst {} ({})\n", s.geometric_mean,
                    duration(s.total), duration(s.worst), printable(cases[s.worst_case].name()));
  }
  text += "effort  ";
  for (std::size_t k = 0; k < kind.totals.size(); ++k) {
    text += fmt::format("{}{} {}", k == 0 ? "" : ", ", count(s.totals[k]), kind.totals[k].text);
  }
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

files::Json log_end(const BenchKind& kind, const BenchSummary& s,
                    const std::optional<Signature>& hashes, bool timeless) {
  files::Json json = {{"proven", s.proven}, {"infeasible", s.infeasible}, {"limit", s.limit}};
  for (std::size_t k = 0; k < kind.totals.size(); ++k) json[kind.totals[k].key] = s.totals[k];
  if (!timeless) json["seconds"] = s.total;
  if (hashes) {
    json["optima"] = hash_text(hashes->optima);
    json["search"] = hash_text(hashes->search);
  }
  return json;
}

/// The lines of a corpus file, as far as names of machines and networks are those of files.
int list_cases(const BenchSettings& settings, const std::vector<BenchCase>& cases) {
  if (!settings.output.json.empty() || !settings.output.csv.empty() ||
      !settings.output.log.empty()) {
    throw InputError("--list: found beside --json, --csv or --log, but it solves nothing");
  }
  Output output(settings.output);
  for (const BenchCase& problem : cases) {
    if (!output.content(printable(problem.name()) + "\n")) break;
  }
  output.finish();
  return kProven;
}

}  // namespace

void BenchExtras::after_case(const BenchCase&, const BenchResult&, const RunLimits&,
                             const SolveAgain&, const std::function<bool()>&) {}
std::string BenchExtras::report(bool) const { return ""; }
void BenchExtras::add_settings(files::Json&) const {}
void BenchExtras::add_results(files::Json&, bool) const {}

int run_bench(const BenchSettings& settings, const BenchKind& kind,
              const std::vector<BenchCase>& cases, BenchExtras& extras) {
  if (settings.list) return list_cases(settings, cases);
  const bool timeless = settings.output.timeless;
  Output output(settings.output);
  Log log(settings.output);
  log.start("bench", {{"corpus", settings.corpus.corpus}, {"cases", cases.size()}},
            settings.limits);
  const auto report = [&](const std::string& text) {
    if (!settings.signature_only) output.report(text);
  };
  const Style style = style_of(settings.output);
  const CaseTable table(style, kind, cases, timeless);
  report(table.header());

  std::vector<BenchResult> results;
  bool complete = false;
  {
    Runner runner(settings, kind, cases, log);
    complete = runner.run([&](const BenchCase& problem,
                              const BenchResult& result) { report(table.row(problem, result)); },
                          extras);
    results = runner.results();
  }
  report(table.note());
  const BenchSummary summary = summarise(kind, results);
  report(summary_text(style, kind, cases, summary, timeless));
  report(extras.report(timeless));
  const bool all_solved = results.size() == cases.size();
  std::optional<Signature> hashes;
  if (all_solved) hashes = signature(kind, cases, results);
  log.end(log_end(kind, summary, hashes, timeless));
  if (!complete) {
    report(style.warning("interrupted") +
           (all_solved ? ": the ablation is not complete\n" : ": no signature\n"));
  }
  if (hashes) output.report(signature_text(*hashes));
  output.json([&] { return bench_json(settings, kind, cases, results, extras); });
  output.csv([&] { return bench_csv(kind, cases, results, timeless); });
  output.finish();
  log.finish();
  return complete && summary.limit == 0 ? kProven : kUnproven;
}

}  // namespace pimbb::terminal
