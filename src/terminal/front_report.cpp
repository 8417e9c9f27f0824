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
constexpr std::size_t kShownPoints = 40;

/// "+2.1 %", "-14 %": from one value to the next.
std::string step(const Rational& from, const Rational& to) {
  if (from == to) return "=";
  if (from.sign() == 0) return "";
  const double change = ((to - from) / from).to_double();
  return fmt::format("{}{:.{}f} %", change > 0 ? "+" : "-", std::abs(100 * change),
                     std::abs(change) < 0.1 ? 2 : 1);
}

struct Range {
  Rational low, high;
};

/// By axis.
std::vector<Range> ranges_of(const FrontSummary& front) {
  std::vector<Range> ranges;
  for (std::size_t k = 0; k < front.axes.size(); ++k) {
    const auto on_axis = [&](const auto& point) -> const Rational& { return point[k]; };
    const auto [low, high] = std::ranges::minmax_element(front.points, {}, on_axis);
    ranges.push_back({(*low)[k], (*high)[k]});
  }
  return ranges;
}

std::string plot(const Style& style, const Range& range, const Rational& value) {
  if (range.low == range.high) return "";
  return style.bar(((value - range.low) / (range.high - range.low)).to_double(), kPlotWidth);
}

/// The points that the table shows: all, or evenly spread ones of very many.
std::vector<std::size_t> shown_points(const Style& style, std::size_t count) {
  const bool all = count <= kShownPoints || style.table_width == Style::kAnyWidth;
  std::vector<std::size_t> shown(all ? count : kShownPoints);
  for (std::size_t s = 0; s < shown.size(); ++s) {
    shown[s] = all ? s : s * (count - 1) / (kShownPoints - 1);
  }
  return shown;
}

std::string count_of(std::uint64_t count, std::string_view thing) {
  return plural(static_cast<std::int64_t>(count), thing);
}

/// "latency 1 cycles to 2 cycles, energy 4 nJ to 3 nJ".
std::string ranges(const FrontSummary& front) {
  std::string text;
  const std::vector<Range> all = ranges_of(front);
  for (std::size_t k = 0; k < front.axes.size(); ++k) {
    const auto& [low, high] = all[k];
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
  const std::vector<Range> scale = ranges_of(front);
  const std::vector<std::size_t> shown = shown_points(style, front.points.size());
  for (std::size_t s = 0; s < shown.size(); ++s) {
    const std::size_t p = shown[s];
    std::vector<std::string> row{number(static_cast<std::int64_t>(p + 1))};
    for (std::size_t k = 0; k < front.axes.size(); ++k) {
      row.push_back(number(front.points[p][k]));
      row.push_back(s == 0 ? "" : step(front.points[shown[s - 1]][k], front.points[p][k]));
    }
    for (std::size_t k = 0; k < front.axes.size(); ++k) {
      row.push_back(plot(style, scale[k], front.points[p][k]));
    }
    if (!front.notes.empty()) row.push_back(front.notes[p]);
    rows.push_back(std::move(row));
  }
  std::string text = whole_table(style, std::move(columns), rows);
  if (shown.size() < front.points.size()) {
    text +=
        style.faint(fmt::format("{} of {} points; --wide shows all, --csv and --json write them",
                                shown.size(), front.points.size())) +
        "\n";
  }
  return text;
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
  } else if (front.within && front.within->sign() > 0) {
    text += fmt::format("\nevery other one is within {:.4g} % of a point",
                        100 * front.within->to_double());
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
