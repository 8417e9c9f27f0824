// Tables and sentences about fronts.
#include "terminal/front_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "files/csv.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::terminal {
namespace {

constexpr std::size_t kPlotWidth = 12;

/// "+2.1 %", "-14 %": from one value to the next.
std::string step(const Rational& from, const Rational& to) {
  if (from == to) return "=";
  if (from.sign() == 0) return "";
  const double change = ((to - from) / from).to_double();
  return fmt::format("{}{:.{}f} %", change > 0 ? "+" : "-", std::abs(100 * change),
                     std::abs(change) < 0.1 ? 2 : 1);
}

std::string plot(const Style& style, const std::vector<std::vector<Rational>>& points,
                 std::size_t axis, const Rational& value) {
  const auto on_axis = [&](const auto& point) { return point[axis]; };
  const Rational low = std::ranges::min(points, {}, on_axis)[axis];
  const Rational high = std::ranges::max(points, {}, on_axis)[axis];
  if (low == high) return "";
  return style.bar(((value - low) / (high - low)).to_double(), kPlotWidth);
}

std::string count_of(std::uint64_t count, std::string_view thing) {
  return plural(static_cast<std::int64_t>(count), thing);
}

/// "latency 1 cycles to 2 cycles, energy 4 nJ to 3 nJ".
std::string ranges(const FrontSummary& front) {
  std::string text;
  for (std::size_t k = 0; k < front.axes.size(); ++k) {
    const auto on_axis = [&](const auto& point) { return point[k]; };
    const Rational low = std::ranges::min(front.points, {}, on_axis)[k];
    const Rational high = std::ranges::max(front.points, {}, on_axis)[k];
    text += (k == 0 ? "" : ", ") + front.axes[k].name + " " + number(low);
    if (low != high) text += " to " + number(high);
    text += front.axes[k].suffix;
  }
  return text;
}

}  // namespace

std::string front_table(const Style& style, const FrontSummary& front) {
  std::vector<Column> columns{{"point", 0, true, 0}};
  for (const FrontAxis& axis : front.axes) {
    columns.push_back({axis.name, 0, true, 0});
    columns.push_back({"step", 0, true, 1});
  }
  for (const FrontAxis& axis : front.axes) columns.push_back({axis.name, kPlotWidth, false, 2});
  if (!front.notes.empty()) columns.push_back({"dataflow", 0, false, 3});
  std::vector<std::vector<std::string>> rows;
  for (std::size_t p = 0; p < front.points.size(); ++p) {
    std::vector<std::string> row{number(static_cast<std::int64_t>(p + 1))};
    for (std::size_t k = 0; k < front.axes.size(); ++k) {
      row.push_back(number(front.points[p][k]));
      row.push_back(p == 0 ? "" : step(front.points[p - 1][k], front.points[p][k]));
    }
    for (std::size_t k = 0; k < front.axes.size(); ++k) {
      row.push_back(plot(style, front.points, k, front.points[p][k]));
    }
    if (!front.notes.empty()) row.push_back(front.notes[p]);
    rows.push_back(std::move(row));
  }
  return whole_table(style, std::move(columns), rows);
}

std::string front_verdict(const Style& style, const FrontSummary& front) {
  if (front.status == FrontStatus::infeasible) {
    return style.bad("infeasible, proven") + (front.reason.empty() ? "" : ": " + front.reason);
  }
  if (front.status == FrontStatus::unknown) {
    return style.warning(front.stopped) + ": no mapping found so far";
  }
  std::string text = front.status == FrontStatus::complete ? style.good("complete, proven")
                                                           : style.warning(front.stopped);
  text += ": " + count_of(front.found, "point") + ", " + ranges(front);
  if (front.points.size() < front.found) {
    text += fmt::format("\n{} listed, ", count_of(front.points.size(), "point"));
    text += front.within
                ? fmt::format("within {:.4g} % of all of them", 100 * front.within->to_double())
                : "which are within no share of all of them";
  }
  if (front.status == FrontStatus::partial) {
    text +=
        fmt::format("\nnot settled: {}; {} of the points' bounding box is covered",
                    front.open == 1 ? std::string("1 box") : fmt::format("{} boxes", front.open),
                    percent(front.covered));
  }
  return text;
}

std::string front_csv(const FrontSummary& front, const std::string& about) {
  std::vector<std::string> names{"of", "status", "point"};
  for (const FrontAxis& axis : front.axes) names.push_back(axis.name);
  if (!front.notes.empty()) names.emplace_back("dataflow");
  std::string text = files::csv_header(names);
  for (std::size_t p = 0; p < front.points.size(); ++p) {
    files::CsvRow row;
    row.add(about).add(name(front.status)).add(static_cast<std::int64_t>(p + 1));
    for (const Rational& cost : front.points[p]) row.add(cost);
    if (!front.notes.empty()) row.add(front.notes[p]);
    text += row.text();
  }
  return text;
}

}  // namespace pimbb::terminal
