// pimbb bench on DRAM-PIM: its settings and options.
#include "dram_pim/cli/bench_ablation.hpp"
#include "dram_pim/cli/bench_corpus.hpp"
#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/values.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "terminal/bench/run.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct CorpusBench : BenchSettings {
  Rules rules;
  bool ablation = false;
};

int run(const CorpusBench& settings) {
  const BenchKind kind = bench_kind();
  const std::vector<BenchCase> cases =
      bench_corpus(settings.corpus, kind, corpus_kind(settings.rules));
  RuleExtras extras(settings.rules, settings.ablation);
  return run_bench(settings, kind, cases, extras);
}

OptionRows rows(CorpusBench& s) {
  return rows_of(
      {corpus_rows(s.corpus,
                   "What to solve: full (all presets), small (a few seconds), or a file whose "
                   "lines are ARCH NETWORK[:LAYER] ROW_MODEL OBJECTIVE",
                   architecture_presets()),
       {{"--objective", "GOALS", groups::kGoal, "", "Only this objective instead of the corpus's",
         [&](auto, auto& text) { s.corpus.objective = Objective::parse(text).to_string(); },
         values::goals},
        {"--row-model", "MODEL", groups::kGoal, "", "Only this row model instead of the corpus's",
         [&](auto option, auto& text) {
           s.corpus.model = row_model_name(parse_row_model(option, text));
         },
         values::row_models}},
       bench_effort_rows(s),
       rules_rows(s.rules),
       {{"--ablation", nullptr, groups::kOutput, "",
         "Also solve each case without one rule after the other, up to 100 times its nodes, and "
         "compare nodes and times",
         [&](auto, auto&) { s.ablation = true; }}},
       bench_output_rows(s)});
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
          terminal::prepare<CorpusBench>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
