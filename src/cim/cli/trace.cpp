// pimbb trace: the simulator's timeline of a given mapping, one line for each transfer and product.
#include <fmt/format.h>

#include "cim/cli/commands.hpp"
#include "cim/cli/given_mapping.hpp"
#include "cim/io/event_lines.hpp"
#include "cim/io/formats.hpp"
#include "cim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/trace_output.hpp"

namespace pimbb::cim::cli {
namespace {

struct TraceSettings {
  MappingSettings mapping;
  Padding padding = Padding::exact;
  io::EventFormat format = io::EventFormat::jsonl;
  std::optional<std::int64_t> limit;
  std::string file = "-";  ///< "-" for standard output
  OutputSettings output;
};

/// Writes the timeline where the settings want it; false if it was interrupted.
bool write_timeline(const TraceSettings& settings, io::EventLines& lines, Output& output) {
  return write_trace(
      settings.file, settings.output, output, [&](ProgressLine& progress, const TakePiece& take) {
        lines.write(settings.limit, [&](std::string_view text) {
          if (progress.shown()) {
            progress.begin(
                fmt::format("{} of {} events", number(lines.written()), number(lines.total())));
          }
          return take(text);
        });
      });
}

std::string summary_of(const Style& style, const TraceSettings& settings, const GivenMapping& given,
                       const io::EventLines& lines, bool interrupted) {
  std::string text =
      fmt::format("{} on {}: {}{}", printable(given.workload.name),
                  printable(given.architecture.name), trace_fate(style, settings.file, interrupted),
                  trace_extent(lines.written(), lines.total(), "events"));
  if (const auto latency = lines.latency()) text += fmt::format(", {} cycles", number(*latency));
  return text + "\n";
}

std::string document(const TraceSettings& settings, const GivenMapping& given,
                     const io::EventLines& lines, bool interrupted) {
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kTraceFormat);
  json["layer"] = given.workload.name;
  json["trace"] = std::string(io::kEventFormatNames[static_cast<std::size_t>(settings.format)]);
  json["status"] = trace_status(interrupted, lines.written(), lines.total());
  json["events"] = lines.written();
  json["total_events"] = lines.total();
  if (const auto latency = lines.latency()) json["latency"] = files::exact_number(*latency);
  json["pad"] = std::string(name(settings.padding));
  json["mapping"] = io::mapping_json(given.architecture, given.mapping);
  io::add_warnings(json, given.architecture);
  json["workload"] = layers::workload_json(given.workload);
  json["architecture"] = io::architecture_json(given.architecture);
  return files::to_text(json);
}

int run(const TraceSettings& settings) {
  check_trace_output(settings.file, settings.output);
  const GivenMapping given =
      read_given_mapping(settings.mapping, settings.padding, settings.output);
  Output output(settings.output);
  io::EventLines lines(given.architecture, given.workload, given.mapping, settings.padding,
                       settings.format);
  const bool interrupted = !write_timeline(settings, lines, output);
  return finish_trace(
      settings.file, settings.output, output, interrupted,
      [&](const Style& style) { return summary_of(style, settings, given, lines, interrupted); },
      [&] { return document(settings, given, lines, interrupted); });
}

OptionRows rows(TraceSettings& s) {
  return rows_of(
      {mapping_rows(s.mapping),
       {{"--pad", "PADDING", groups::kProblem, "exact",
         "The padding that the mapping was made for: exact, even or ceil",
         [&](auto option, auto& text) {
           s.padding = static_cast<Padding>(place_among(option, text, kPaddingNames));
         },
         [] { return terminal::one_of(kPaddingNames); }},
        {"--format", "FORMAT", groups::kOutput, "",
         "jsonl (one JSON object a line; the default) or csv: transfers and products in the order "
         "of the program, with start and end in cycles",
         [&](auto option, auto& text) {
           s.format =
               static_cast<io::EventFormat>(place_among(option, text, io::kEventFormatNames));
         },
         [] { return terminal::one_of(io::kEventFormatNames); }},
        {"--limit", "N", groups::kOutput, "", "Only the first N events",
         [&](auto option, auto& text) {
           s.limit = integer<std::int64_t>(option, text, 1, std::int64_t{1} << 62);
         }},
        output_row(s.file),
        json_row(s.output)}});
}

}  // namespace

Command trace_command() {
  return {"trace",
          "Write every DRAM access of a given mapping, in order, for a DRAM simulator or a plot",
          "With SRAM compute-in-memory the trace is the simulator's timeline: every transfer and "
          "product\n"
          "with its start and end in cycles (docs/cim.md):\n"
          "  pimbb map --arch miredo_default --layer resnet18:fc --json best.json\n"
          "  pimbb trace --arch miredo_default --layer resnet18:fc --mapping best.json --limit 20",
          terminal::prepare<TraceSettings>(rows, run)};
}

}  // namespace pimbb::cim::cli
