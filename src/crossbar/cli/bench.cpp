// pimbb bench on crossbar accelerators: its options.
#include "crossbar/cli/answer.hpp"
#include "crossbar/cli/bench_corpus.hpp"
#include "crossbar/cli/commands.hpp"
#include "terminal/bench/run.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::crossbar::cli {
namespace {

int run(const BenchSettings& settings) {
  const BenchKind kind = bench_kind();
  const std::vector<BenchCase> cases = bench_corpus(settings.corpus, kind, corpus_kind());
  BenchExtras none;
  return run_bench(settings, kind, cases, none);
}

OptionRows rows(BenchSettings& s) {
  return rows_of(
      {corpus_rows(s.corpus,
                   "cases are whole networks; lines of a file are ARCH NETWORK METHOD OBJECTIVE",
                   architecture_presets()),
       {{"--objective", "GOALS", groups::kGoal, "", "Only ht, or only ll",
         [&](auto option, auto& text) {
           s.corpus.objective = kGoalNames[place_among(option, text, kGoalNames)];
         },
         [] { return one_of(kGoalNames); }},
        {"--method", "METHOD", groups::kMethod, "exact",
         "The method of all cases: exact, puma, w0h0, uniform or ga",
         [&](auto option, auto& text) {
           s.corpus.model = methods()[place_among(option, text, methods())];
         },
         [] { return one_of(methods()); }}},
       bench_effort_rows(s),
       bench_output_rows(s)});
}

}  // namespace

Command bench_command() {
  return {"bench", "Solve a fixed list of problems: times, nodes, and one signature of all answers",
          "With crossbar accelerators:\n"
          "  pimbb bench --arch pimcomp --time-limit 10\n"
          "  pimbb bench --arch pimcomp_4000 --network vgg16 --objective ht",
          terminal::prepare<BenchSettings>(rows, run)};
}

}  // namespace pimbb::crossbar::cli
