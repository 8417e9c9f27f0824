// Piece by piece; banks and their rows.
#include "dram_pim/cli/access_report.hpp"

#include <fmt/format.h>

#include "terminal/format.hpp"
#include "terminal/table.hpp"
#include "terminal/trace_output.hpp"

namespace pimbb::dram_pim::cli {
namespace {

constexpr int kPiecesPerUpdate = 64;

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

}  // namespace

bool write_accesses(const TraceSettings& settings, io::AccessTrace& trace, Output& output) {
  return write_trace(
      settings.file, settings.output, output,
      [&](ProgressLine& progress, const TakePiece& take) { stream(trace, progress, take); });
}

std::string access_report(const Style& style, const TraceSettings& settings,
                          const io::AccessTrace& trace) {
  std::vector<std::vector<std::string>> rows;
  io::BankTraffic all;
  const auto add = [&](std::string_view who, const std::string& bank, const io::BankTraffic& seen) {
    rows.push_back({std::string(who), bank, number(seen.accesses), number(seen.activations),
                    percent(hit_rate(seen))});
  };
  for (const Tensor t : kAllTensors) {
    if (!settings.tensors[index(t)]) continue;
    const io::BankTraffic& seen = trace.traffic(t);
    add(name(t), std::to_string(trace.banks().bank(t)), seen);
    all.accesses += seen.accesses;
    all.activations += seen.activations;
  }
  add("all", "", all);
  return whole_table(style,
                     {{"tensor", 0, false}, {"bank"}, {"accesses"}, {"rows opened"}, {"row hits"}},
                     rows) +
         fmt::format("address: row, bank ({} bits), column ({} bits); rows of {}\n",
                     rows::BankMap::kBankBits, trace.banks().column_bits,
                     bytes(trace.banks().row_bytes));
}

void add_accesses(files::Json& json, const TraceSettings& settings, const io::AccessTrace& trace,
                  bool interrupted) {
  json["trace"] = io::kTraceFormatNames[static_cast<std::size_t>(settings.accesses().format)];
  json["status"] = trace_status(interrupted, trace.accesses(), trace.total());
  json["accesses"] = trace.accesses();
  json["total_accesses"] = trace.total();
  files::Json tensors = files::Json::object();
  for (const Tensor t : kAllTensors) {
    if (!settings.tensors[index(t)]) continue;
    const io::BankTraffic& seen = trace.traffic(t);
    tensors[std::string(name(t))] = {{"bank", trace.banks().bank(t)},
                                     {"accesses", seen.accesses},
                                     {"activations", seen.activations},
                                     {"hit_rate", hit_rate(seen).to_double()}};
  }
  files::add_unless_empty(json, "tensors", std::move(tensors));
  json["address_map"] = {{"fields", {"row", "bank", "column"}},
                         {"bank_bits", rows::BankMap::kBankBits},
                         {"column_bits", trace.banks().column_bits},
                         {"row_bytes", trace.banks().row_bytes},
                         {"rows", trace.rows()}};
}

}  // namespace pimbb::dram_pim::cli
