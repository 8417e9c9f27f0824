// pimbb presets: the architectures and networks that come with pimbb, or the parts of one of them
// or of an ONNX model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cim/cli/report.hpp"
#include "cli/commands.hpp"
#include "cli/kind_of.hpp"
#include "crossbar/cli/report.hpp"
#include "dram_pim/cli/device_report.hpp"
#include "dram_pim/cli/levels_table.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/io/device_presets.hpp"
#include "files/nearest.hpp"
#include "layers/network_presets.hpp"
#include "layers/onnx/onnx.hpp"
#include "pimbb/cim/io.hpp"
#include "pimbb/crossbar/io.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/layer_options.hpp"
#include "terminal/network_summary.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/table.hpp"

namespace pimbb::cli {
namespace {

using namespace terminal;

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

Choices preset_choices() {
  Choices choices{.words = dram_pim::architecture_presets(), .files = {"onnx"}};
  for (const std::string& name : cim::architecture_presets()) choices.words.push_back(name);
  for (const std::string& name : crossbar::architecture_presets()) choices.words.push_back(name);
  for (const std::string& name : dram_pim::device_presets()) choices.words.push_back(name);
  for (const std::string& name : network_presets()) choices.words.push_back(name);
  return choices;
}

/// The preset that a misspelt name may stand for.
std::string suggestion(const std::string& name) {
  const std::vector<std::string> names = preset_choices().words;
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
  for (const std::string& name : dram_pim::architecture_presets()) {
    architectures.push_back(
        {"  " + name, dram_pim::cli::summary(dram_pim::read_architecture(name))});
  }
  Rows sram;
  for (const std::string& name : cim::architecture_presets()) {
    sram.push_back({"  " + name, cim::cli::summary(cim::read_architecture(name))});
  }
  Rows crossbars;
  for (const std::string& name : crossbar::architecture_presets()) {
    crossbars.push_back({"  " + name, crossbar::cli::summary(crossbar::read_architecture(name))});
  }
  Rows devices;
  for (const std::string& name : dram_pim::device_presets()) {
    devices.push_back({"  " + name, dram_pim::cli::summary(dram_pim::read_device(name))});
  }
  Rows networks;
  for (const std::string& name : network_presets()) {
    networks.push_back({"  " + name, size(read_network(name))});
  }
  return whole_table(style, {{"Architectures (--arch)", 0, false}, {"", 0, false}}, architectures) +
         "\n" +
         whole_table(style, {{"SRAM compute-in-memory (--arch)", 0, false}, {"", 0, false}}, sram) +
         "\n" +
         whole_table(style, {{"Crossbar accelerators (--arch)", 0, false}, {"", 0, false}},
                     crossbars) +
         "\n" + whole_table(style, {{"Devices (--device)", 0, false}, {"", 0, false}}, devices) +
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

std::string describe(const Style& style, const std::string& name, const NetworkOptions& options) {
  if (layers::is_onnx_name(name) || contains(network_presets(), name)) {
    return list_layers(style, name, options);
  }
  if (contains(dram_pim::architecture_presets(), name)) {
    return dram_pim::cli::levels_table(style, dram_pim::read_architecture(name));
  }
  if (contains(dram_pim::device_presets(), name)) {
    const dram_pim::Device device = dram_pim::read_device(name);
    return "  " + dram_pim::cli::summary(device) + "\n\n" +
           dram_pim::cli::levels_table(style, device.unit);
  }
  if (contains(cim::architecture_presets(), name)) {
    return cim::cli::describe_levels(style, cim::read_architecture(name));
  }
  if (contains(crossbar::architecture_presets(), name)) {
    return crossbar::cli::describe_figures(style, crossbar::read_architecture(name));
  }
  throw InputError(fmt::format(
      "NAME: found '{}'{}, allowed are the architectures {}, the devices {}, the networks {} and "
      "ONNX models (.onnx)",
      name, suggestion(name), fmt::join(all_architectures().names(), ", "),
      fmt::join(dram_pim::device_presets(), ", "), fmt::join(network_presets(), ", ")));
}

/// The file of a preset as it is embedded, a start for one's own.
std::string file_of(const std::string& name) {
  for (const files::PresetTable* table :
       {&all_architectures(), &dram_pim::io::device_table(), &layers::network_table()}) {
    if (const files::Preset* preset = table->find(name)) return std::string(preset->text);
  }
  throw InputError(fmt::format("--yaml: found '{}'{}, allowed are the presets {}", name,
                               suggestion(name), fmt::join(preset_choices().words, ", ")));
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
         "Preset or ONNX model to describe: the layers of a network, the levels or figures of "
         "an architecture",
         [&](auto option, auto& text) { s.preset = not_empty(option, text); }, preset_choices},
        batch_row(s.network_options),
        dim_row(s.network_options),
        skip_row(s.network_options),
        {"--yaml", nullptr, groups::kOutput, "",
         "Print the file of the preset NAME, a start for a file of one's own",
         [&](auto, auto&) { s.yaml = true; }}}});
}

}  // namespace

terminal::Command presets_command() {
  return {"presets", "List the architectures and networks that come with pimbb",
          "Examples:\n"
          "  pimbb presets\n"
          "  pimbb presets resnet18      (the layers that --layer resnet18:... can name)\n"
          "  pimbb presets hbm_pim --yaml > my_pim.yaml\n"
          "  pimbb presets model.onnx",
          terminal::prepare<PresetsSettings>(rows, run)};
}

}  // namespace pimbb::cli
