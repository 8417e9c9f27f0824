// pimbb rowmodel: how far the published row models are from the rows that a DRAM opens.
#include <fmt/format.h>

#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/rowmodel_csv.hpp"
#include "dram_pim/cli/rowmodel_tile.hpp"
#include "dram_pim/io/result_json.hpp"
#include "dram_pim/study/row_models.hpp"
#include "dram_pim/study/tiles.hpp"
#include "files/json_text.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "statistics/statistics.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct RowmodelSettings {
  NetworkSettings network;
  TileSettings tile;
  std::uint64_t samples = 1000;
  std::uint64_t seed = 1;
  RunLimits limits;
  OutputSettings output;
};

constexpr std::int64_t kStudiedRow = 1024;  // bytes, of the published tiles
constexpr std::array<Goal, 3> kGoals{Goal::latency, Goal::edp, Goal::activations};

std::string signed_percent(double ratio) { return fmt::format("{:.1f} %", 100 * ratio); }

std::string layout_name(std::size_t layout) { return layout == 0 ? "sequential" : "row-aligned"; }

/// The figures of the study, in the order of the report.
struct Study {
  study::Samples samples;
  std::vector<study::Regret> regrets;
  std::vector<study::TileRows> tiles;
};

/// One line a model, tensor and layout; and one for all of a model's.
Section errors(const study::SampleCounts& counts) {
  Section section{"Error of each model against the exact count",
                  {{"model", 0, false},
                   {"tensor", 0, false},
                   {"layout", 0, false},
                   {"samples", 0, true, 1},
                   {"bias"},
                   {"mean error"},
                   {"worst"},
                   {"Spearman"}},
                  {}};
  for (std::size_t k = 0; k < study::kJudged.size(); ++k) {
    std::vector<double> all_model;
    std::vector<double> all_truth;
    const auto line = [&](const std::string& tensor, const std::string& layout,
                          const std::vector<double>& model, const std::vector<double>& truth) {
      if (model.empty()) return;
      const statistics::ModelAccuracy a = statistics::model_accuracy(model, truth);
      section.rows.push_back({std::string(row_model_name(study::kJudged[k])), tensor, layout,
                              number(static_cast<std::int64_t>(a.samples)), signed_percent(a.bias),
                              signed_percent(a.error), signed_percent(a.worst),
                              fmt::format("{:.3f}", a.spearman)});
    };
    for (const Tensor t : kAllTensors) {
      for (std::size_t layout = 0; layout < study::kLayouts; ++layout) {
        const study::Counts& c = counts[index(t)][layout];
        line(std::string(name(t)), layout_name(layout), c.model[k], c.truth);
        all_model.insert(all_model.end(), c.model[k].begin(), c.model[k].end());
        all_truth.insert(all_truth.end(), c.truth.begin(), c.truth.end());
      }
    }
    line("all", "all", all_model, all_truth);
  }
  return section;
}

Section regrets(const std::vector<study::Regret>& all) {
  Section section{"What believing a model costs: its optimum, priced exactly, over the optimum",
                  {{"goal", 0, false},
                   {"model", 0, false},
                   {"layers"},
                   {"geometric mean"},
                   {"worst"},
                   {"optimal"}},
                  {}};
  for (const study::Regret& regret : all) {
    for (std::size_t k = 0; k < study::kJudged.size(); ++k) {
      const std::vector<double>& ratio = regret.ratio[k];
      if (ratio.empty()) continue;
      section.rows.push_back(
          {std::string(name(regret.goal)), std::string(row_model_name(study::kJudged[k])),
           number(static_cast<std::int64_t>(ratio.size())),
           "+ " + signed_percent(statistics::geometric_mean(ratio) - 1),
           "+ " + signed_percent(*std::max_element(ratio.begin(), ratio.end()) - 1),
           number(std::count(ratio.begin(), ratio.end(), 1.0))});
    }
  }
  return section;
}

Section sizes(const study::RowSizes& sizes) {
  Section section{
      fmt::format("Activations by the size of a row, all tensors sequential ({} times a "
                  "larger row opened more)",
                  sizes.increases),
      {{"row bytes"}, {"activations, geometric mean"}},
      {}};
  for (std::size_t k = 0; k < sizes.kBytes.size(); ++k) {
    section.rows.push_back({number(sizes.kBytes[k]),
                            fmt::format("{:.0f}", statistics::geometric_mean(sizes.rows[k]))});
  }
  return section;
}

Section shapes(const study::Shapes& shapes) {
  Section section{
      fmt::format("Layout of the input, relative to the best one, where a strip as wide "
                  "as the plane fits a row ({} samples)",
                  shapes.ratio[0].size()),
      {{"layout", 0, false}, {"geometric mean"}, {"worst"}},
      {}};
  for (std::size_t k = 0; k < shapes.kNames.size(); ++k) {
    const std::vector<double>& ratio = shapes.ratio[k];
    if (ratio.empty()) continue;
    section.rows.push_back(
        {shapes.kNames[k], fmt::format("x {:.2f}", statistics::geometric_mean(ratio)),
         fmt::format("x {:.1f}", *std::max_element(ratio.begin(), ratio.end()))});
  }
  return section;
}

std::vector<Section> sections(const Study& study) {
  return {errors(study.samples.all()), regrets(study.regrets), sizes(study.samples.sizes),
          shapes(study.samples.shapes), tiles(study.tiles, kStudiedRow)};
}

std::string json_text(const RowmodelSettings& settings, const Architecture& architecture,
                      const Network& network, const std::vector<Section>& sections) {
  files::Json json = files::Json::object();
  json["format"] = "pimbb-rowmodel/1";
  json["network"] = network.name;
  json["samples"] = settings.samples;
  json["seed"] = settings.seed;
  json["tables"] = tables_json(sections);
  io::add_warnings(json, architecture);
  json["layers"] = files::Json::array();
  for (const NetworkLayer& layer : network.layers) {
    json["layers"].push_back(layers::workload_json(layer.workload));
  }
  json["architecture"] = io::architecture_json(architecture);
  return files::to_text(json);
}

/// Counts and solves, layer by layer, saying which.
Study perform(const RowmodelSettings& settings, const Architecture& architecture,
              const Network& network, const Interrupt& interrupt) {
  ProgressLine progress(!settings.output.quiet, settings.output.timeless);
  std::size_t done = 0;
  const auto step = [&](const std::string& what) {
    const auto begin = [&progress, &network, &done, what] {
      if (done >= network.layers.size()) return;
      progress.begin(fmt::format("{}: {}", what, printable(network.layers[done].workload.name)));
    };
    done = 0;
    begin();
    return [&done, &interrupt, begin] {
      ++done;
      begin();
      return !interrupt.requested();
    };
  };
  const Question question;
  RunLimits limits;
  limits.threads = settings.limits.threads;
  limits.time_limit = settings.limits.time_limit;
  limits.stop = interrupt.token();
  Study study;
  study.samples =
      study::sample(architecture, network, settings.samples, settings.seed, step("samples"));
  for (const Goal goal : kGoals) {
    if (interrupt.requested()) break;
    const auto name = dram_pim::name(goal);
    study.regrets.push_back(study::regret(architecture, network, goal, question, limits,
                                          step(fmt::format("optima, {}", name))));
  }
  study.tiles = study::tile_rows(kStudiedRow);
  return study;
}

void print(Output& output, const Style& style, const std::vector<Section>& sections) {
  for (const Section& section : sections) output.report(section_text(style, section));
}

/// The tables of one tile.
int run_tile(const RowmodelSettings& settings, const study::Tile& tile) {
  if (!settings.output.csv.empty()) {
    throw InputError("--csv: writes a row for each layer of a network, but --tile is given");
  }
  const std::int64_t row = settings.tile.row
                               ? *settings.tile.row
                               : read_machine(settings.network, settings.output).row_bytes();
  Output output(settings.output);
  const std::vector<Section> all = tile_sections(tile, row);
  print(output, style_of(settings.output), all);
  output.json([&] {
    files::Json json = files::Json::object();
    json["format"] = "pimbb-rowmodel/1";
    json["row_bytes"] = row;
    json["tables"] = tables_json(all);
    return files::to_text(json);
  });
  output.finish();
  return kProven;
}

int run(const RowmodelSettings& settings) {
  if (const auto tile = tile_of(settings.tile)) return run_tile(settings, *tile);
  const Architecture architecture = read_machine(settings.network, settings.output);
  if (architecture.has_free_input_order()) {
    throw InputError("architecture '" + architecture.name +
                     "': input_order: found free, allowed are nchw and nhwc: the formulas are "
                     "compared for one order");
  }
  const Network network = merge_equal_layers(read_layers(settings.network));
  for (const NetworkLayer& layer : network.layers) {
    terminal::refuse_padding(layer.workload, "'pimbb rowmodel'");
  }
  Output output(settings.output);
  const Style style = style_of(settings.output);
  output.report(fmt::format("{}  {} distinct layers, {} samples of each\non {}: {}\n",
                            style.heading(printable(network.name)), network.layers.size(),
                            number(static_cast<std::int64_t>(settings.samples)),
                            printable(architecture.name), summary(architecture)));
  const Interrupt interrupt;
  const Study study = perform(settings, architecture, network, interrupt);
  const std::vector<Section> all = sections(study);
  print(output, style, all);
  if (interrupt.requested()) output.report("\n" + style.warning("interrupted") + "\n");
  output.json([&] { return json_text(settings, architecture, network, all); });
  output.csv([&] { return rowmodel_csv(architecture, network, study.samples, study.regrets); });
  output.finish();
  return interrupt.requested() ? kUnproven : kProven;
}

OptionRows rows(RowmodelSettings& s) {
  return rows_of({machine_rows(s.network),
                  {network_row(s.network.network), batch_row(s.network.network_options),
                   dim_row(s.network.network_options), skip_row(s.network.network_options)},
                  tile_rows(s.tile),
                  {{"--samples", "N", groups::kEffort, "1000",
                    "Number of random mappings drawn for each layer",
                    [&](auto option, auto& text) { s.samples = parse_samples(option, text); }},
                   {"--seed", "N", groups::kEffort, "1", "Seed of the random numbers",
                    [&](auto option, auto& text) { s.seed = parse_seed(option, text); }},
                   threads_row(s.limits),
                   time_limit_row(s.limits),
                   json_row(s.output),
                   csv_row(s.output,
                           "Also write a table with a row for each layer and model, separated by "
                           "commas; '-' writes only the table, to standard output")}});
}

}  // namespace

Command rowmodel_command() {
  return {
      "rowmodel", "Compare the published row models with the exact count, for a whole network",
      "Random feasible mappings of every layer are counted by each model; then the mappings that "
      "the\n"
      "cheaper models call optimal are priced exactly. docs/row-models.md explains the tables.\n"
      "\n"
      "With --tile it prints instead what one tile opens: estimate, micro-trace and crossings.\n"
      "\n"
      "Examples:\n"
      "  pimbb rowmodel --network resnet18\n"
      "  pimbb rowmodel --tile 1x3x3 --plane 224x224 --stride 2\n"
      "  pimbb rowmodel --arch hbm_pim --network vgg16 --samples 200 --json rows.json",
      terminal::prepare<RowmodelSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
