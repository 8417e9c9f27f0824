// pimbb presets: the architectures and networks that come with pimbb, or the parts of one of them
// or of an ONNX model.
#include <fmt/format.h>

#include <algorithm>

#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/network_summary.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/values.hpp"
#include "dram_pim/io/architecture_presets.hpp"
#include "files/nearest.hpp"
#include "layers/network_presets.hpp"
#include "layers/onnx/onnx.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct PresetsSettings {
  std::string preset;
  NetworkOptions network_options;
  bool yaml = false;
  OutputSettings output;
};

using Rows = std::vector<std::vector<std::string>>;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

/// The preset that a misspelt name may stand for.
std::string suggestion(const std::string& name) {
  const std::vector<std::string> names = values::presets().words;
  return files::did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end()));
}

std::string size(const Network& network) {
  Rational macs;
  for (const NetworkLayer& layer : network.layers) {
    macs += Rational(layer.repetitions) * layer.workload.macs();
  }
  return fmt::format("{} layers, {} MACs", number(layer_count(network)), number(macs));
}

std::string list_all(const Style& style) {
  Rows architectures;
  for (const std::string& name : architecture_presets()) {
    architectures.push_back({"  " + name, summary(read_architecture(name))});
  }
  Rows networks;
  for (const std::string& name : network_presets()) {
    networks.push_back({"  " + name, size(read_network(name))});
  }
  return whole_table(style, {{"Architectures (--arch)", 0, false}, {"", 0, false}}, architectures) +
         "\n" + whole_table(style, {{"Networks (--network)", 0, false}, {"", 0, false}}, networks);
}

std::string list_layers(const Style& style, const std::string& name,
                        const NetworkOptions& options) {
  const Network network = read_network(name, options);
  Rows rows;
  for (const NetworkLayer& layer : network.layers) {
    rows.push_back({name + ":" + printable(layer.workload.name), shape(layer.workload),
                    number(layer.repetitions), number(layer.workload.macs())});
  }
  return whole_table(style,
                     {{"layer (--layer)", 0, false}, {"shape", 0, false, 1}, {"times"}, {"MACs"}},
                     rows) +
         "\n" + size(network) + "\n" + graph_notes(style, network);
}

std::string list_levels(const Style& style, const std::string& name) {
  const Architecture architecture = read_architecture(name);
  Rows rows;
  for (const MemoryLevel& level : architecture.levels) {
    std::string stores;
    for (const Tensor t : kAllTensors) {
      if (level.stores[index(t)])
        stores += (stores.empty() ? "" : " ") + std::string(pimbb::name(t));
    }
    const bool dram = &level == &architecture.levels.back();  // its bandwidth enters no formula
    const auto bandwidth = [&](Tensor t) { return dram ? "-" : number(level.bandwidth(t)); };
    rows.push_back({printable(level.name), level.capacity ? bytes(*level.capacity) : "unbounded",
                    bandwidth(Tensor::input), bandwidth(Tensor::output), number(level.access_cost),
                    stores + (level.bypass_free ? " (or fewer)" : "")});
  }
  return summary(architecture) + "\n\n" +
         whole_table(style,
                     {{"level", 0, false},
                      {"capacity"},
                      {"read B/cycle"},
                      {"write B/cycle", 0, true, 1},
                      {"nJ/access"},
                      {"stores", 0, false}},
                     rows);
}

std::string describe(const Style& style, const std::string& name, const NetworkOptions& options) {
  if (layers::is_onnx_name(name) || contains(network_presets(), name)) {
    return list_layers(style, name, options);
  }
  if (contains(architecture_presets(), name)) return list_levels(style, name);
  throw InputError(fmt::format(
      "NAME: found '{}'{}, allowed are the architectures {}, the networks {} and ONNX models "
      "(.onnx)",
      name, suggestion(name), fmt::join(architecture_presets(), ", "),
      fmt::join(network_presets(), ", ")));
}

/// The file of a preset as it is embedded, a start for one's own.
std::string file_of(const std::string& name) {
  for (const files::PresetTable* table : {&io::architecture_table(), &layers::network_table()}) {
    if (const files::Preset* preset = table->find(name)) return std::string(preset->text);
  }
  throw InputError(fmt::format("--yaml: found '{}'{}, allowed are the presets {}", name,
                               suggestion(name), fmt::join(values::presets().words, ", ")));
}

std::string text_of(const PresetsSettings& settings) {
  if (settings.yaml) return file_of(settings.preset);
  const Style style = style_of(settings.output);
  if (settings.preset.empty()) return list_all(style);
  return describe(style, settings.preset, settings.network_options);
}

int run(const PresetsSettings& settings) {
  Output output(settings.output);
  output.report(text_of(settings));
  output.finish();
  return kProven;
}

OptionRows rows(PresetsSettings& s) {
  return rows_of(
      {{{"NAME", "", groups::kProblem, "",
         "Preset or ONNX model to describe: the layers of a network, the levels of an architecture",
         [&](auto option, auto& text) { s.preset = not_empty(option, text); }, values::presets},
        batch_row(s.network_options),
        dim_row(s.network_options),
        skip_row(s.network_options),
        {"--yaml", nullptr, groups::kOutput, "",
         "Print the file of the preset NAME, a start for a file of one's own",
         [&](auto, auto&) { s.yaml = true; }}}});
}

}  // namespace

Command presets_command() {
  return {"presets", "List the architectures and networks that come with pimbb",
          "Examples:\n"
          "  pimbb presets\n"
          "  pimbb presets resnet18      (the layers that --layer resnet18:... can name)\n"
          "  pimbb presets hbm_pim --yaml > my_pim.yaml\n"
          "  pimbb presets model.onnx",
          terminal::prepare<PresetsSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
