// pimbb bench --study cim: restrictions, models of latency, contention and sweeps on networks.
#include <fmt/format.h>

#include <algorithm>

#include "cim/cli/bench_settings.hpp"
#include "cim/cli/report.hpp"
#include "cim/cli/study_results.hpp"
#include "cim/cli/verdict.hpp"
#include "files/name_list.hpp"
#include "pimbb/cim/io.hpp"
#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::cim::cli {
namespace {

const std::vector<std::string> kStudied{"resnet18", "mobilenet_v2", "bert_base"};
constexpr std::array<std::string_view, 1> kStudies{"cim"};

/// Measures one network after the other, with progress, log and limits.
class Measuring {
 public:
  Measuring(const CorpusBench& settings, Study& study, Log& log)
      : settings_(settings),
        study_(study),
        log_(log),
        session_(settings.limits, settings.output, log) {}

  void measure(const Network& network, const std::vector<Goal>& goals) {
    NetworkStudy& found = study_.networks.emplace_back();
    found.network = network;
    const Architecture& a = study_.architecture;
    const study::Ask ask = asking(network.name);
    if (has("spaces") || has("accuracy")) {
      found.comparisons =
          study::compare(a, network, goals, has("spaces") ? study::kVariants.size() : 1, ask);
    }
    if (has("accuracy") && !interrupted()) {
      found.table3 = study::table3_optima(a, network, ask);
      const auto proceed = [&](const Workload& layer) {
        begin(network.name, layer, "random mappings");
        return !interrupted();
      };
      found.random =
          study::random_samples(a, network, settings_.study.samples, settings_.study.seed, proceed);
    }
    if (has("contention") && !interrupted()) found.contended = study::contention(a, network, ask);
    if (has("sweeps") && !interrupted()) {
      found.sweep = study::sweep(a, network, study_.sweep_goal, ask);
    }
  }

  [[nodiscard]] bool interrupted() const { return session_.interrupted(); }

 private:
  [[nodiscard]] bool has(std::string_view part) const {
    const auto& parts = settings_.study.parts;
    return parts.empty() || std::ranges::count(parts, part) > 0;
  }

  void begin(const std::string& network, const Workload& layer, const std::string& what) {
    const std::string name = fmt::format("{}:{} {}", network, layer.name, what);
    session_.progress().begin(printable(name));
    log_.about("case", name);
  }

  study::Ask asking(const std::string& network) {
    return [this, network](const Architecture& a, const Workload& layer, const Question& question,
                           const std::string& what) -> std::optional<Solution> {
      if (interrupted()) return std::nullopt;
      begin(network, layer, what);
      Solution solution = solve(a, layer, question, session_.limits());
      if (interrupted()) return std::nullopt;
      log_solution(log_, "case", solution);
      ++study_.searches;
      const bool closed =
          solution.status == Status::optimal || solution.status == Status::infeasible;
      if (!closed && question.method != Method::greedy) ++study_.at_limit;
      return solution;
    };
  }

  const CorpusBench& settings_;
  Study& study_;
  Log& log_;
  Session session_;
};

/// What a corpus has and a study has not.
void refuse_corpus_options(const CorpusBench& settings) {
  const auto refuse_option = [](bool given, const char* option) {
    if (given) throw InputError(fmt::format("{}: found with --study, allowed without", option));
  };
  refuse_option(settings.corpus.corpus != "full", "--corpus");
  refuse_option(settings.corpus.model.has_value(), "--semantics");
  refuse_option(settings.repeat != 1, "--repeat");
  refuse_option(settings.signature_only, "--signature-only");
}

std::string conclusion(const Style& style, const Study& study, bool complete) {
  std::string text =
      fmt::format("\n{} searches", number(static_cast<std::int64_t>(study.searches)));
  if (study.at_limit > 0) {
    text += fmt::format(", {} ended by a limit: their best mappings stand for optima",
                        number(static_cast<std::int64_t>(study.at_limit)));
  } else {
    text += ", all proven";
  }
  text += "\n";
  if (!complete) text += style.warning("interrupted") + ": tables of what was complete\n";
  return text;
}

}  // namespace

int run_study(const CorpusBench& settings) {
  refuse_corpus_options(settings);
  Study study;
  study.architecture_name = settings.corpus.arch.value_or("miredo_default");
  study.architecture = read_architecture(study.architecture_name);
  std::vector<Network> networks;
  for (const std::string& name :
       settings.corpus.network ? std::vector{*settings.corpus.network} : kStudied) {
    networks.push_back(merge_equal_layers(read_part(name)));
  }
  const Objective objective =
      Objective::parse(settings.corpus.objective.value_or("latency,energy,edp"));
  study.sweep_goal = objective.goals.back();

  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  log.start("bench", {{"study", settings.study.kind}, {"architecture", study.architecture.name}},
            settings.limits);
  output.report(fmt::format("study of {} on {}: {}\n", objective.to_string(),
                            printable(study.architecture.name), summary(study.architecture)));
  bool complete = false;
  {
    Measuring measuring(settings, study, log);
    for (const Network& network : networks) {
      if (measuring.interrupted()) break;
      measuring.measure(network, objective.goals);
    }
    complete = !measuring.interrupted();
  }
  for (const Section& section : study_sections(study)) {
    output.report(section_text(style, section));
  }
  output.report(conclusion(style, study, complete));
  log.end({{"searches", study.searches}, {"limit", study.at_limit}, {"complete", complete}});
  output.json([&] { return study_json(settings, study, complete); });
  output.csv([&] { return study_csv(study); });
  output.finish();
  log.finish();
  return complete && study.at_limit == 0 ? kProven : kUnproven;
}

OptionRows study_rows(StudySettings& s) {
  return {{"--study", "KIND", groups::kProblem, "",
           "Instead of a corpus, compare restricted spaces and heuristics with the optimum, models "
           "of latency with the simulator, and accelerators with other figures: cim",
           [&](auto option, auto& text) { s.kind = kStudies[place_among(option, text, kStudies)]; },
           [] { return terminal::one_of(kStudies); }},
          {"--parts", "PARTS", groups::kProblem, "",
           "Only these parts of the study: spaces, accuracy, contention, sweeps",
           [&](auto option, auto& text) {
             s.given = option;
             s.parts.clear();
             for (const std::size_t k : files::parse_names(option, text, kStudyParts)) {
               s.parts.emplace_back(kStudyParts[k]);
             }
           },
           [] { return terminal::list_of(kStudyParts); }},
          {"--samples", "N", groups::kEffort, "200",
           "Number of random mappings that the study draws for each layer",
           [&](auto option, auto& text) {
             s.given = option;
             s.samples = integer<std::uint64_t>(option, text, 1, 1'000'000);
           }},
          {"--seed", "N", groups::kEffort, "1", "Seed of the study's random numbers",
           [&](auto option, auto& text) {
             s.given = option;
             s.seed = integer<std::uint64_t>(option, text, 0, std::uint64_t{1} << 62);
           }}};
}

}  // namespace pimbb::cim::cli
