// pimbb trace: the DRAM accesses of a given mapping, one line each, and a summary by bank.
#include <fmt/format.h>

#include <sstream>

#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/given_mapping.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/values.hpp"
#include "dram_pim/io/access_trace.hpp"
#include "dram_pim/io/result_json.hpp"
#include "files/json_text.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/table.hpp"
#include "terminal/trace_output.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct TraceSettings {
  MappingSettings mapping;
  io::TraceOptions trace;
  std::string file = "-";  ///< "-" for standard output
  OutputSettings output;
};

constexpr int kPiecesPerUpdate = 64;

bool to_stdout(const TraceSettings& settings) { return settings.file == "-"; }

/// Hands the trace over piece by piece.
void stream(io::AccessTrace& trace, ProgressLine& progress, const TakePiece& take) {
  int pieces = 0;
  for (std::string_view text = trace.next(); !text.empty(); text = trace.next()) {
    if (!take(text)) return;
    if (!progress.shown() || ++pieces % kPiecesPerUpdate != 0) continue;
    progress.begin(fmt::format("{} of {} accesses  {}", number(trace.accesses()),
                               number(trace.limit()),
                               percent(Rational(trace.accesses(), trace.limit()))));
  }
}

Rational hit_rate(const io::BankTraffic& traffic) {
  if (traffic.accesses == 0) return 0;
  return {traffic.accesses - traffic.activations, traffic.accesses};
}

std::string table(const Style& style, const io::AccessTrace& trace, const TensorFlags& tensors) {
  std::vector<std::vector<std::string>> rows;
  io::BankTraffic all;
  const auto add = [&](std::string_view who, const std::string& bank, const io::BankTraffic& seen) {
    rows.push_back({std::string(who), bank, number(seen.accesses), number(seen.activations),
                    percent(hit_rate(seen))});
  };
  for (const Tensor t : kAllTensors) {
    if (!tensors[index(t)]) continue;
    const io::BankTraffic& seen = trace.traffic(t);
    add(name(t), std::to_string(trace.banks().bank(t)), seen);
    all.accesses += seen.accesses;
    all.activations += seen.activations;
  }
  add("all", "", all);
  return whole_table(
      style, {{"tensor", 0, false}, {"bank"}, {"accesses"}, {"rows opened"}, {"row hits"}}, rows);
}

std::string summary(const Style& style, const TraceSettings& settings, const GivenMapping& given,
                    const io::AccessTrace& trace, bool interrupted) {
  std::string extent = number(trace.accesses()) + " accesses";
  if (trace.accesses() < trace.total()) {
    extent =
        fmt::format("the first {} of {} accesses", number(trace.accesses()), number(trace.total()));
  }
  const std::string what =
      fmt::format("{} on {}: ", printable(given.workload.name), printable(given.architecture.name));
  std::string fate;
  if (interrupted) {
    fate = style.warning("interrupted") + (to_stdout(settings) ? " after " : ": ");
    if (!to_stdout(settings)) fate += printable(settings.file) + " is not written; ";
  } else if (!to_stdout(settings)) {
    fate = printable(settings.file) + ", ";
  }
  return what + fate + extent + "\n" + table(style, trace, settings.trace.tensors) +
         fmt::format("address: row, bank ({} bits), column ({} bits); rows of {}\n",
                     rows::BankMap::kBankBits, trace.banks().column_bits,
                     bytes(trace.banks().row_bytes));
}

std::string document(const TraceSettings& settings, const GivenMapping& given,
                     const io::AccessTrace& trace, bool interrupted) {
  files::Json json;
  json["format"] = "pimbb-trace/1";
  json["layer"] = given.workload.name;
  json["trace"] = io::kTraceFormatNames[static_cast<std::size_t>(settings.trace.format)];
  json["status"] = interrupted                        ? "interrupted"
                   : trace.accesses() < trace.total() ? "limit"
                                                      : "complete";
  json["accesses"] = trace.accesses();
  json["total_accesses"] = trace.total();
  for (const Tensor t : kAllTensors) {
    if (!settings.trace.tensors[index(t)]) continue;
    const io::BankTraffic& seen = trace.traffic(t);
    json["tensors"][std::string(name(t))] = {{"bank", trace.banks().bank(t)},
                                             {"accesses", seen.accesses},
                                             {"activations", seen.activations},
                                             {"hit_rate", hit_rate(seen).to_double()}};
  }
  json["address_map"] = {{"fields", {"row", "bank", "column"}},
                         {"bank_bits", rows::BankMap::kBankBits},
                         {"column_bits", trace.banks().column_bits},
                         {"row_bytes", trace.banks().row_bytes},
                         {"rows", trace.rows()}};
  io::add_warnings(json, given.architecture);
  json["mapping"] = io::mapping_json(given.architecture, given.mapping);
  json["workload"] = layers::workload_json(given.workload);
  json["architecture"] = io::architecture_json(given.architecture);
  return files::to_text(json);
}

int run(const TraceSettings& settings) {
  check_trace_output(settings.file, settings.output);
  const GivenMapping given =
      read_given_mapping(settings.mapping, Question{}.row_model, settings.output);
  Output output(settings.output);
  io::AccessTrace trace(given.architecture, given.workload, given.mapping, settings.trace);
  const bool interrupted = !write_trace(
      settings.file, settings.output, output,
      [&](ProgressLine& progress, const TakePiece& take) { stream(trace, progress, take); });
  output.finish();
  if (output.reader_gone()) return kProven;  // the reader, such as `head`, has ended
  report_trace(settings.file, settings.output, output, [&](const Style& style) {
    return summary(style, settings, given, trace, interrupted);
  });
  output.json([&] { return document(settings, given, trace, interrupted); });
  output.finish();
  return interrupted ? kUnproven : kProven;
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
       {{"--tensor", "TENSORS", groups::kProblem, "input,weight,output",
         "Only these tensors' accesses: input, weight, output or a list of them",
         [&](auto option, auto& text) { s.trace.tensors = tensors(option, text); },
         values::tensors},
        {"--format", "FORMAT", groups::kOutput, "ramulator",
         "ramulator (lines 'LD 0x..' and 'ST 0x..', which the DRAM simulator Ramulator 2 reads) or "
         "csv "
         "(a table with bank, row, column and the element's indices, to plot)",
         [&](auto option, auto& text) { s.trace.format = trace_format(option, text); },
         values::trace_formats},
        {"--limit", "N", groups::kOutput, "", "Only the first N accesses",
         [&](auto option, auto& text) {
           s.trace.limit = integer<std::int64_t>(option, text, 1, std::int64_t{1} << 62);
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
      "1000",
      terminal::prepare<TraceSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
