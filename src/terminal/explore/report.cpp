// Tables and sentences about points.
#include "terminal/explore/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::terminal {
namespace {

constexpr std::size_t kManyPoints = 40;

/// The shortest ends of the paths that tell them apart: "dim_h", "GlobalBuffer.entries".
std::vector<std::string> short_paths(const Space& space) {
  const auto end_of = [](const std::string& path, std::size_t keys) {
    std::size_t at = path.size();
    for (; keys > 0 && at != std::string::npos && at > 0; --keys) at = path.rfind('.', at - 1);
    return at == std::string::npos || at == 0 ? path : path.substr(at + 1);
  };
  std::vector<std::string> names;
  for (const Space::Axis& axis : space.vary) {
    std::size_t keys = 1;
    const auto others = [&](std::size_t n) {
      return std::ranges::count_if(space.vary, [&](const Space::Axis& other) {
        return end_of(other.path, n) == end_of(axis.path, n);
      });
    };
    while (others(keys) > 1 && end_of(axis.path, keys) != axis.path) ++keys;
    names.push_back(printable(end_of(axis.path, keys)));
  }
  return names;
}

std::string proof_of(const Style& style, const ExploredPoint& point) {
  if (point.skipped) return "skipped";
  switch (point.status) {
    case Status::optimal: return style.good("proven");
    case Status::infeasible: return style.bad("infeasible");
    case Status::feasible: return style.warning(gap(relative_gap(point.value, point.bound)));
    default: return style.warning("not solved");
  }
}

std::vector<std::string> cells_of(const Style& style, const Exploration& exploration,
                                  const ExploredPoint& point) {
  std::vector<std::string> cells;
  for (const std::string& value : point.values) cells.push_back(printable(value));
  cells.push_back(point.cost ? number(*point.cost) : "-");
  cells.push_back(point.has_value() ? number(point.value)
                  : point.skipped   ? ">= " + number(point.bound)
                                    : "-");
  cells.push_back(proof_of(style, point));
  cells.push_back(point.best ? style.good("best") : point.on_front ? style.accent("front") : "");
  for (std::size_t g = 0; g < exploration.goals.size(); ++g) {
    cells.push_back(point.has_value() ? number(point.costs[g]) : "-");
  }
  return cells;
}

std::vector<Column> columns_of(const Space& space, const Exploration& exploration) {
  std::vector<Column> columns;
  for (const std::string& name : short_paths(space)) columns.push_back({name});
  columns.push_back({"cost", 0, true, space.cost.empty() ? 9 : 0});
  columns.push_back({printable(space.objective)});
  columns.push_back({"proof", 0, false, 1});
  columns.push_back({"", 5, false});
  int rank = 2;
  for (const std::string& goal : exploration.goals) {
    columns.push_back({goal, 0, true, rank++});
  }
  return columns;
}

std::size_t count_if(const Exploration& exploration, bool (*test)(const ExploredPoint&)) {
  return static_cast<std::size_t>(std::ranges::count_if(exploration.points, test));
}

std::string heading(const Style& style, const Space& space, const Exploration& exploration) {
  std::string networks;
  for (const std::string& name : exploration.networks) {
    networks += (networks.empty() ? "" : ", ") + printable(name);
  }
  const auto points = static_cast<std::int64_t>(exploration.points.size());
  std::string text =
      style.heading(printable(exploration.architecture)) + ": " + plural(points, "point");
  if (exploration.points.size() < exploration.grid) {
    text += fmt::format(" of {} in the grid", number(static_cast<std::int64_t>(exploration.grid)));
  }
  return text + ", " + networks + "\nminimise " + printable(space.objective) +
         (exploration.networks.size() > 1 ? ", summed over the networks" : "") + "\n\n";
}

std::string summary(const Style& style, const Space& space, const Exploration& exploration,
                    const OutputSettings& output) {
  const std::size_t all = exploration.points.size();
  const std::size_t skipped = count_if(exploration, [](const auto& p) { return p.skipped; });
  const std::size_t proven =
      count_if(exploration, [](const auto& p) { return p.status == Status::optimal; });
  const std::size_t infeasible =
      count_if(exploration, [](const auto& p) { return p.status == Status::infeasible; });
  const std::size_t front = count_if(exploration, [](const auto& p) { return p.on_front; });
  std::string text = fmt::format("{} of {} points proven optimal", proven, all);
  text = exploration.status == Status::optimal ? style.good(text) : style.warning(text);
  if (infeasible > 0) text += fmt::format(", {} infeasible", infeasible);
  if (skipped > 0) {
    text += fmt::format(", {} skipped: a proven bound shows them off the front", skipped);
  }
  if (!space.cost.empty()) text += fmt::format("; {} on the front", front);
  if (exploration.stopped) text += "; " + style.warning("stopped before the end");
  std::string effort = fmt::format(
      "{}, {}", plural(static_cast<std::int64_t>(exploration.searches), "different search"),
      plural(static_cast<std::int64_t>(exploration.nodes), "node"));
  if (exploration.searches != 1) {
    effort = fmt::format("{} different searches, {}",
                         number(static_cast<std::int64_t>(exploration.searches)),
                         plural(static_cast<std::int64_t>(exploration.nodes), "node"));
  }
  if (!output.timeless) {
    effort += fmt::format(", {}, {}", duration(exploration.seconds),
                          plural(exploration.threads, "thread"));
    if (exploration.processes > 1) effort += fmt::format(" in {} processes", exploration.processes);
  }
  return text + "\n" + style.faint(effort) + "\n";
}

}  // namespace

std::string exploration_report(const Style& style, const Space& space,
                               const Exploration& exploration, const OutputSettings& output) {
  const bool all = output.wide || exploration.points.size() <= kManyPoints;
  std::vector<std::vector<std::string>> rows;
  for (const ExploredPoint& point : exploration.points) {
    if (all || point.on_front || point.best) rows.push_back(cells_of(style, exploration, point));
  }
  std::string text =
      heading(style, space, exploration) + whole_table(style, columns_of(space, exploration), rows);
  if (rows.size() < exploration.points.size()) {
    text += style.faint(fmt::format("{} other points: --wide, --csv and --json show them\n",
                                    exploration.points.size() - rows.size()));
  }
  return text + "\n" + summary(style, space, exploration, output);
}

}  // namespace pimbb::terminal
