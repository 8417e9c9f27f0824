// pimbb bench on SRAM compute-in-memory: its settings and options.
#include "cim/cli/bench_corpus.hpp"
#include "cim/cli/bench_settings.hpp"
#include "cim/cli/commands.hpp"
#include "cim/cli/options.hpp"
#include "pimbb/cim/io.hpp"
#include "pimbb/error.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::cim::cli {
namespace {

int run(const CorpusBench& settings) {
  if (!settings.study.kind.empty()) return run_study(settings);
  if (!settings.study.given.empty()) {
    throw InputError(settings.study.given + ": found without --study, allowed with it");
  }
  const BenchKind kind = bench_kind();
  const std::vector<BenchCase> cases = bench_corpus(settings.corpus, kind, corpus_kind());
  BenchExtras none;
  return run_bench(settings, kind, cases, none);
}

OptionRows rows(CorpusBench& s) {
  return rows_of(
      {corpus_rows(s.corpus,
                   "full and small are about --arch; lines of a file are ARCH NETWORK[:LAYER] "
                   "SEMANTICS OBJECTIVE",
                   architecture_presets()),
       study_rows(s.study),
       {{"--objective", "GOALS", groups::kGoal, "", "Only this objective instead of the corpus's",
         [&](auto, auto& text) { s.corpus.objective = Objective::parse(text).to_string(); },
         [] { return terminal::list_of(kGoalNames); }},
        {"--semantics", "SEMANTICS", groups::kGoal, "",
         "Only this latency instead of the corpus's: recursion, table3, or simulator, which proves "
         "a bound only",
         [&](auto option, auto& text) {
           s.corpus.model = kSemanticsNames[place_among(option, text, kSemanticsNames)];
         },
         [] { return terminal::one_of(kSemanticsNames); }}},
       bench_effort_rows(s),
       bench_output_rows(s)});
}

}  // namespace

Command bench_command() {
  return {"bench", "Solve a fixed list of problems: times, nodes, and one signature of all answers",
          "With SRAM compute-in-memory:\n"
          "  pimbb bench --arch miredo_default --corpus small\n"
          "  pimbb bench --arch miredo_default --network resnet18:conv1 --objective edp\n"
          "  pimbb bench --study cim --network resnet18 --csv study.csv",
          terminal::prepare<CorpusBench>(rows, run)};
}

}  // namespace pimbb::cim::cli
