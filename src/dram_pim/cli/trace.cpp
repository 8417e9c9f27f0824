// pimbb trace: the DRAM accesses of a given mapping, one line each, and a summary by bank.
#include <fmt/format.h>

#include <sstream>

#include "dram_pim/cli/access_report.hpp"
#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/device_trace.hpp"
#include "dram_pim/cli/given_mapping.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/values.hpp"
#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/result_json.hpp"
#include "files/json_text.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/error.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/trace_output.hpp"

namespace pimbb::dram_pim::cli {
namespace {

std::string summary(const Style& style, const TraceSettings& settings, const GivenMapping& given,
                    const io::AccessTrace& trace, bool interrupted) {
  return fmt::format("{} on {}: {}{}\n", printable(given.workload.name),
                     printable(given.architecture.name),
                     trace_fate(style, settings.file, interrupted),
                     trace_extent(trace.accesses(), trace.total(), "accesses")) +
         access_report(style, settings, trace);
}

std::string document(const TraceSettings& settings, const GivenMapping& given,
                     const io::AccessTrace& trace, bool interrupted) {
  files::Json json = files::Json::object();
  json["format"] = io::kAccessTraceFormat;
  json["layer"] = given.workload.name;
  add_accesses(json, settings, trace, interrupted);
  io::add_warnings(json, given.architecture);
  json["mapping"] = io::mapping_json(given.architecture, given.mapping);
  json["workload"] = layers::workload_json(given.workload);
  json["architecture"] = io::architecture_json(given.architecture);
  return files::to_text(json);
}

int trace_of_unit(const TraceSettings& settings) {
  const GivenMapping given =
      read_given_mapping(settings.mapping, Question{}.row_model, settings.output);
  Output output(settings.output);
  io::AccessTrace trace(given.architecture, given.workload, given.mapping, settings.accesses());
  const bool interrupted = !write_accesses(settings, trace, output);
  return finish_trace(
      settings.file, settings.output, output, interrupted,
      [&](const Style& style) { return summary(style, settings, given, trace, interrupted); },
      [&] { return document(settings, given, trace, interrupted); });
}

int run(const TraceSettings& settings) {
  check_trace_output(settings.file, settings.output);
  if (!settings.device.device.empty()) {
    if (settings.mapping.layer.empty()) ask_for_layer();
    return trace_on_device(settings);
  }
  if (settings.stream) {
    throw InputError("--stream: found without --device, allowed with it: one unit has no links");
  }
  return trace_of_unit(settings);
}

io::TraceFormat trace_format(std::string_view option, const std::string& text) {
  return static_cast<io::TraceFormat>(place_among(option, text, io::kTraceFormatNames));
}

TensorFlags tensors(std::string_view option, const std::string& text) {
  TensorFlags flags{};
  std::istringstream list(text + ",");
  for (std::string name; std::getline(list, name, ',');) {
    const auto at = std::ranges::find(kTensorNames, name);
    if (at == kTensorNames.end()) {
      terminal::refuse(
          option, text,
          fmt::format("{}, or a list such as input,weight", fmt::join(kTensorNames, ", ")));
    }
    flags[static_cast<std::size_t>(at - kTensorNames.begin())] = true;
  }
  return flags;
}

OptionRows rows(TraceSettings& s) {
  return rows_of(
      {mapping_rows(s.mapping),
       device_rows(s.device),
       {{"--tensor", "TENSORS", groups::kProblem, "input,weight,output",
         "Only these tensors' accesses: input, weight, output or a list of them",
         [&](auto option, auto& text) { s.tensors = tensors(option, text); }, values::tensors},
        {"--stream", "STREAM", groups::kProblem, "unit",
         "Of a device: unit (the DRAM accesses of one unit) or links (what moves over all links "
         "between the host and the units, with times, and the additions of partial sums)",
         [&](auto option, auto& text) {
           s.stream = static_cast<DeviceStream>(place_among(option, text, kDeviceStreamNames));
         },
         values::device_streams},
        {"--format", "FORMAT", groups::kOutput, "ramulator",
         "ramulator (lines 'LD 0x..' and 'ST 0x..', which the DRAM simulator Ramulator 2 reads) or "
         "csv "
         "(a table with bank, row, column and the element's indices, to plot); of --stream links "
         "csv",
         [&](auto option, auto& text) { s.format = trace_format(option, text); },
         values::trace_formats},
        {"--limit", "N", groups::kOutput, "", "Only the first N accesses, or events of links",
         [&](auto option, auto& text) {
           s.limit = integer<std::int64_t>(option, text, 1, std::int64_t{1} << 62);
         }},
        output_row(s.file),
        {"--json", "FILE", groups::kOutput, "",
         "Also write the summary as JSON; '-' writes it to standard output instead of the report, "
         "where "
         "--output names a file",
         [&](auto option, auto& text) { s.output.json = not_empty(option, text); }, any_file}}});
}

}  // namespace

Command trace_command() {
  return {
      "trace",
      "Write every DRAM access of a given mapping, in order, for a DRAM simulator or a plot",
      "Each row opened in the trace is an activation that 'pimbb evaluate' counts: each tensor "
      "has\n"
      "a bank of its own with one open row. docs/trace-format.md describes formats and addresses.\n"
      "\n"
      "Examples:\n"
      "  pimbb map --layer resnet18:fc --json best.json\n"
      "  pimbb trace --layer resnet18:fc --mapping best.json --output fc.trace\n"
      "  pimbb trace --layer resnet18:fc --mapping best.json --format csv --tensor input --limit "
      "1000\n"
      "  pimbb map --device hbm_pim_stack --layer resnet18:fc --json best.json\n"
      "  pimbb trace --device hbm_pim_stack --layer resnet18:fc --mapping best.json --stream "
      "links",
      terminal::prepare<TraceSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
