// pimbb bench on DRAM-PIM: its settings and options.
#include "dram_pim/cli/bench_ablation.hpp"
#include "dram_pim/cli/bench_corpus.hpp"
#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/values.hpp"
#include "dram_pim/io/device_presets.hpp"
#include "files/source.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "terminal/bench/run.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct CorpusBench : BenchSettings {
  std::optional<std::string> device;
  Rules rules;
  bool ablation = false;
};

constexpr std::string_view kAllDevices = "all";

/// Whether the cases are about devices: a file's, if its first one is.
bool about_devices(const CorpusBench& settings) {
  if (settings.device) return true;
  const CorpusSettings& corpus = settings.corpus;
  if (is_listed(corpus) || !files::path_exists(corpus.corpus)) return false;
  return io::is_device(first_architecture(corpus.corpus).name);
}

/// With the device, if there is one, in the place of the architecture.
BenchSettings without_units(const CorpusBench& settings) {
  BenchSettings own = static_cast<const BenchSettings&>(settings);
  if (!settings.device) return own;
  if (own.corpus.arch) {
    throw InputError("--device: found beside --arch; allowed is one of them: a device has units");
  }
  if (!is_listed(own.corpus) || *settings.device != kAllDevices) own.corpus.arch = settings.device;
  own.corpus.arch_option = "--device";
  return own;
}

int run(const CorpusBench& settings) {
  const bool devices = about_devices(settings);
  const BenchSettings own = without_units(settings);
  const BenchKind kind = devices ? device_bench_kind() : bench_kind();
  const std::vector<BenchCase> cases = bench_corpus(
      own.corpus, kind, devices ? device_corpus_kind(settings.rules) : corpus_kind(settings.rules));
  RuleExtras extras(settings.rules, settings.ablation);
  return run_bench(own, kind, cases, extras);
}

OptionRows rows(CorpusBench& s) {
  return rows_of(
      {corpus_rows(
           s.corpus,
           "What to solve: full (all presets), small (a few seconds), hard (where the search has "
           "most to do; --arch and --network select from it), or a file whose "
           "lines are ARCH NETWORK[:LAYER] ROW_MODEL OBJECTIVE; of devices: full (decoding, "
           "ResNet-18 and ResNet-50 on three), small (decoding only: 36 cases), or a file "
           "with devices in the place of ARCH",
           architecture_presets(), {"full", "small", "hard"}),
       {{"--device", "DEVICE", groups::kProblem, "",
         "Whole devices instead of units: only this one, a file or the name of a preset, or all of "
         "the corpus: all",
         [&](auto option, auto& text) { s.device = not_empty(option, text); },
         [] {
           Choices choices = values::devices();
           choices.words.emplace_back(kAllDevices);
           return choices;
         }},
        {"--objective", "GOALS", groups::kGoal, "", "Only this objective instead of the corpus's",
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
          "  pimbb bench --corpus small --ablation\n"
          "  pimbb bench --corpus hard --time-limit 30\n"
          "  pimbb bench --device all --corpus small\n\n"
          "Exit code 0 means that every case is proven optimal or proven infeasible, 3 that one is "
          "not.",
          terminal::prepare<CorpusBench>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
