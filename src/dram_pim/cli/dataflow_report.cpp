// The dataflow in words and two tables: how long tiles stay, and what goes where in a cycle.
#include "dram_pim/cli/dataflow_report.hpp"

#include <fmt/format.h>

#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {
namespace {

using Cells = std::vector<std::string>;

std::string stays(const Style& style, const Architecture& architecture, const Dataflow& dataflow) {
  std::vector<Cells> rows;
  for (std::size_t m = architecture.dram(); m-- > 0;) {
    Cells cells{"  " + printable(architecture.levels[m].name)};
    for (const auto& stay : dataflow.stays[m]) cells.push_back(stay ? number(*stay) : "-");
    rows.push_back(std::move(cells));
  }
  return whole_table(
      style,
      {{"  iterations in place", 0, false}, {"input"}, {"weight"}, {"output"}, {"", 0, false}},
      rows);
}

std::string unrolled(Direction d, const Factors& factors) {
  std::string text;
  for (const Dim j : kAllDims) {
    const std::int64_t factor = factors[index(j)];
    if (factor > 1) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name(j), factor);
  }
  return text.empty() ? "" : fmt::format("{}: {}", name(d), text);
}

/// What happens to an element along a line: "multicast to 8", "8 partial sums added", "unicast".
std::string sharing(Tensor t, std::int64_t count) {
  if (count == 1) return "unicast";
  if (t == Tensor::output) return number(count) + " partial sums added";
  return "multicast to " + number(count);
}

std::string flows(const Style& style, const Architecture& architecture, const Dataflow& dataflow) {
  std::vector<Cells> rows;
  for (const Direction d : kAllDirections) {
    const DirectionFlow& flow = dataflow.directions[index(d)];
    std::string where = unrolled(d, flow.factors);
    if (where.empty()) continue;
    for (const Tensor t : kAllTensors) {
      const LineFlow& line = flow.tensors[index(t)];
      rows.push_back({"  " + where, std::string(name(t)), sharing(t, line.sharing),
                      number(line.elements), number(line.bandwidth)});
      where.clear();
    }
  }
  for (const Tensor t : kAllTensors) {
    const ArrayFlow& flow = dataflow.array[index(t)];
    rows.push_back(
        {t == kAllTensors.front() ? "  all PEs" : "", std::string(name(t)),
         (t == Tensor::output ? "to " : "from ") + printable(architecture.levels[flow.source].name),
         number(flow.elements), number(flow.bandwidth)});
  }
  return whole_table(style,
                     {{"  a line over", 0, false},
                      {"tensor", 0, false},
                      {"carries it by", 0, false},
                      {"elements/cycle"},
                      {"bytes/cycle"}},
                     rows);
}

}  // namespace

std::string departures(const Style& style, const Dataflow& dataflow) {
  std::string text;
  for (std::size_t k = 0; k < kDataflows.size(); ++k) {
    if (const auto& why = dataflow.departures[k]) {
      text += "  " + style.faint(fmt::format("not {}: {}", name(kDataflows[k]), printable(*why))) +
              "\n";
    }
  }
  return text;
}

std::string dataflow_report(const Style& style, const Architecture& architecture,
                            const Dataflow& dataflow) {
  return "\n" + style.heading("Dataflow") + "  " + printable(describe(architecture, dataflow)) +
         "\n" + departures(style, dataflow) + stays(style, architecture, dataflow) +
         flows(style, architecture, dataflow);
}

}  // namespace pimbb::dram_pim::cli
