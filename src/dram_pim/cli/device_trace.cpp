// One unit stands for all: they do the same, each on a block of its own.
#include "dram_pim/cli/device_trace.hpp"

#include <fmt/format.h>

#include "dram_pim/cli/access_report.hpp"
#include "dram_pim/cli/given_on_device.hpp"
#include "dram_pim/io/device_json.hpp"
#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/link_lines.hpp"
#include "pimbb/error.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"
#include "terminal/trace_output.hpp"

namespace pimbb::dram_pim::cli {
namespace {

/// "unit 0 of pseudo_channel 0": the unit that is traced, the first of each level.
std::string traced_unit(const Device& device) {
  std::string text;
  for (const DeviceLevel& level : device.levels) {
    text += fmt::format("{}{} 0", text.empty() ? "" : " of ", printable(level.name));
  }
  return text.empty() ? "the unit" : text;
}

std::string beginning(const Style& style, const TraceSettings& settings, const GivenOnDevice& given,
                      bool interrupted) {
  return fmt::format("{} on {}: {}", printable(given.layer.name), printable(given.device.name),
                     trace_fate(style, settings.file, interrupted));
}

/// The first members of a document.
files::Json document_of(const GivenOnDevice& given, DeviceStream stream) {
  files::Json json = files::Json::object();
  json["format"] = io::kAccessTraceFormat;
  json["device"] = given.device.name;
  json["layer"] = given.layer.name;
  json["stream"] = kDeviceStreamNames[static_cast<std::size_t>(stream)];
  return json;
}

files::Json evaluation(const GivenOnDevice& given, const DeviceMetrics& metrics) {
  return io::device_evaluation_document(given.device, given.layer, given.moves, RowModel::trace,
                                        given.mapping, metrics);
}

int trace_unit(const TraceSettings& settings, const GivenOnDevice& given,
               const DeviceMetrics& metrics) {
  const auto& [device, layer, moves, mapping] = given;
  Output output(settings.output);
  io::AccessTrace trace(device.unit, slice_of(layer, mapping.slice), mapping.mapping,
                        settings.accesses());
  const bool interrupted = !write_accesses(settings, trace, output);
  const auto summary = [&, &of = given](const Style& style) {
    return fmt::format("{}{} of {}; slices {}, {} units run and do the same\n",
                       beginning(style, settings, of, interrupted),
                       trace_extent(trace.accesses(), trace.total(), "accesses"),
                       traced_unit(of.device), shape(slice_of(of.layer, of.mapping.slice)),
                       number(metrics.split.units)) +
           access_report(style, settings, trace);
  };
  const auto document = [&, &of = given] {
    files::Json json = document_of(of, DeviceStream::unit);
    json["unit"] = files::Json::object();
    for (const DeviceLevel& level : of.device.levels) json["unit"][level.name] = 0;
    json["units"] = metrics.split.units;
    add_accesses(json, settings, trace, interrupted);
    json["evaluation"] = evaluation(of, metrics);
    return files::to_text(json);
  };
  return finish_trace(settings.file, settings.output, output, interrupted, summary, document);
}

/// Hands the lines over piece by piece.
void stream_lines(io::LinkLines& lines, ProgressLine& progress, const TakePiece& take) {
  for (std::string_view text = lines.next(); !text.empty(); text = lines.next()) {
    if (!take(text)) return;
    if (!progress.shown()) continue;
    progress.begin(fmt::format("{} of {} events", number(lines.written()), number(lines.limit())));
  }
}

std::string links_table(const Style& style, const Device& device, const DeviceMetrics& metrics,
                        const io::LinkLines& lines) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& who, const std::string& links,
                       const io::LinkTotals& seen) {
    rows.push_back({who, links, number(seen.bytes_in), number(seen.bytes_out),
                    number(seen.additions), number(seen.link_energy + seen.reduce_energy)});
  };
  const std::vector<io::LinkTotals> levels = lines.levels();
  for (std::size_t d = levels.size(); d-- > 0;) {
    add(printable(device.levels[d].name), number(metrics.split.links[d].count), levels[d]);
  }
  add("all, and the host", "", lines.all());
  return whole_table(
      style, {{"level", 0, false}, {"links"}, {"bytes in"}, {"bytes out"}, {"additions"}, {"nJ"}},
      rows);
}

files::Json totals_json(const io::LinkTotals& totals) {
  return {{"bytes_in", files::exact_number(totals.bytes_in)},
          {"bytes_out", files::exact_number(totals.bytes_out)},
          {"busy_in", files::exact_number(totals.busy_in)},
          {"busy_out", files::exact_number(totals.busy_out)},
          {"additions", files::exact_number(totals.additions)},
          {"link_energy", files::exact_number(totals.link_energy)},
          {"reduce_energy", files::exact_number(totals.reduce_energy)}};
}

void add_links(files::Json& json, const Device& device, const DeviceMetrics& metrics,
               const io::LinkLines& lines) {
  json["events"] = lines.written();
  json["total_events"] = lines.total();
  json["end"] = files::exact_number(lines.end());
  json["links"] = files::Json::array();
  const std::vector<io::LinkTotals> levels = lines.levels();
  for (std::size_t d = 0; d < levels.size(); ++d) {
    files::Json level = {{"level", device.levels[d].name}, {"count", metrics.split.links[d].count}};
    level.update(totals_json(levels[d]));
    json["links"].push_back(std::move(level));
  }
  json["all"] = totals_json(lines.all());
}

int trace_links(const TraceSettings& settings, const GivenOnDevice& given,
                const DeviceMetrics& metrics) {
  const auto& [device, layer, moves, mapping] = given;
  Output output(settings.output);
  io::LinkLines lines(device,
                      device::LinkStream(device, layer, moves, mapping, metrics, settings.tensors),
                      settings.limit);
  const bool interrupted = !write_trace(
      settings.file, settings.output, output,
      [&](ProgressLine& progress, const TakePiece& take) { stream_lines(lines, progress, take); });
  const auto summary = [&, &of = given](const Style& style) {
    return fmt::format("{}{}, {} of {} cycles\n", beginning(style, settings, of, interrupted),
                       trace_extent(lines.written(), lines.total(), "events"), number(lines.end()),
                       number(metrics.latency)) +
           links_table(style, of.device, metrics, lines);
  };
  const auto document = [&, &of = given] {
    files::Json json = document_of(of, DeviceStream::links);
    json["trace"] = "csv";
    json["status"] = trace_status(interrupted, lines.written(), lines.total());
    add_links(json, of.device, metrics, lines);
    json["evaluation"] = evaluation(of, metrics);
    return files::to_text(json);
  };
  return finish_trace(settings.file, settings.output, output, interrupted, summary, document);
}

}  // namespace

int trace_on_device(const TraceSettings& settings) {
  const bool links = settings.stream == DeviceStream::links;
  if (links && settings.format == io::TraceFormat::ramulator) {
    throw InputError("--format: found 'ramulator' with --stream links, allowed is csv");
  }
  const GivenOnDevice given =
      read_given_on_device(settings.mapping, settings.device, settings.output);
  const DeviceMetrics metrics =
      evaluate(given.device, given.layer, given.moves, given.mapping, RowModel::trace);
  return links ? trace_links(settings, given, metrics) : trace_unit(settings, given, metrics);
}

}  // namespace pimbb::dram_pim::cli
