// The sections of the report, each a heading and a small table with bars.
#include "dram_pim/cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dram_pim/cli/breakdown.hpp"
#include "dram_pim/cli/dataflow_report.hpp"
#include "dram_pim/cli/loop_nest.hpp"
#include "dram_pim/cli/options.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {
namespace {

using Cells = std::vector<std::string>;

std::string loop_nest(const Style& style, const Architecture& architecture,
                      const Mapping& mapping) {
  return section(style, "Loop nest", "level, what it stores, its loops") +
         draw_loop_nest(style, architecture, mapping);
}

std::string cycles(const Style& style, const Architecture& architecture, const Metrics& metrics) {
  const std::vector<std::string> names = bottlenecks(architecture, metrics);
  return section(style, "Where the cycles go",
                 fmt::format("{} cycles, bound by {}; a bar says how busy each part is",
                             number(metrics.latency), fmt::join(names, " and "))) +
         bars(style, cycle_terms(architecture, metrics), metrics.latency);
}

std::string energy(const Style& style, const Architecture& architecture, const Workload& workload,
                   const Metrics& metrics) {
  return section(style, "Where the energy goes", number(metrics.energy) + " nJ") +
         bars(style, energy_terms(architecture, workload, metrics), metrics.energy);
}

/// Bytes of a level's tile of `t`: at level 0, what one PE holds.
std::int64_t tile_bytes(const Architecture& architecture, const Workload& workload,
                        const Mapping& mapping, std::size_t m, Tensor t) {
  const Factors tile = m == 0 ? mapping.pe_tile() : mapping.tile(m);
  return architecture.tile_bytes(t, workload.tile_elements(t, tile));
}

Cells buffer_row(const Style& style, const Architecture& architecture, const Workload& workload,
                 const Mapping& mapping, const Metrics& metrics, std::size_t m) {
  const MemoryLevel& level = architecture.levels[m];
  Cells cells{"  " + printable(level.name)};
  for (const Tensor t : kAllTensors) {
    const bool here = mapping.levels[m].stores[index(t)];
    cells.push_back(here ? number(tile_bytes(architecture, workload, mapping, m, t)) : "-");
  }
  if (!level.capacity) {
    cells.emplace_back("unbounded");
    return cells;
  }
  cells.push_back(bytes(*level.capacity) + (m == architecture.row_buffer() ? " each" : ""));
  const Rational full = fill(architecture, metrics, m);
  cells.push_back(bar(style, full));
  cells.push_back(pad_left(percent(full), 7));
  return cells;
}

std::string buffers(const Style& style, const Architecture& architecture, const Workload& workload,
                    const Mapping& mapping, const Metrics& metrics) {
  std::vector<Cells> rows;
  for (std::size_t m = architecture.levels.size(); m-- > 0;) {
    rows.push_back(buffer_row(style, architecture, workload, mapping, metrics, m));
  }
  return section(style, "Buffers", "bytes of each tile; at the innermost level, of one PE") +
         whole_table(style,
                     {{"  level", 0, false},
                      {"input"},
                      {"weight"},
                      {"output"},
                      {"capacity"},
                      {"", 0, false, 1},
                      {"used"}},
                     rows);
}

std::string pe_array(const Style& style, const Architecture& architecture, const Mapping& mapping,
                     const Metrics& metrics) {
  std::string used;
  std::string there;
  for (const Direction d : kAllDirections) {
    std::int64_t product = 1;
    for (const std::int64_t factor : mapping.spatial_in(d)) product *= factor;
    used += (used.empty() ? "" : " x ") + number(product);
    there += (there.empty() ? "" : " x ") + number(architecture.pe_array.extent(d));
  }
  return section(style, "PE array", "rows x columns x MACs of a PE") +
         fmt::format("  {} of {}  {}  {}\n", used, there, bar(style, metrics.pe_utilization),
                     percent(metrics.pe_utilization));
}

}  // namespace

std::string layout(const Architecture& architecture, const Mapping& mapping, Tensor t) {
  std::string text(kLayoutNames[static_cast<std::size_t>(mapping.layout[index(t)])]);
  if (t != Tensor::input) return text;
  if (mapping.layout[index(t)] == Layout::row_aligned) {
    text += fmt::format(", {} x {}", mapping.input_block.h, mapping.input_block.w);
  } else if (architecture.has_free_input_order()) {
    text += fmt::format(", {}", name(mapping.input_order));
  }
  return text;
}

namespace {

std::string activations(const Style& style, const Architecture& architecture,
                        const Mapping& mapping, const Metrics& metrics, RowModel row_model) {
  std::vector<Cells> rows;
  const Rational total = metrics.activations();
  for (const Tensor t : kAllTensors) {
    const Rational& count = metrics.row_activations[index(t)];
    const Rational share = share_of(count, total);
    rows.push_back({"  " + std::string(name(t)), bar(style, share), number(count),
                    pad_left(percent(share), 7), layout(architecture, mapping, t)});
  }
  return section(style, "Row activations",
                 fmt::format("{} ({} model)", number(total), row_model_name(row_model))) +
         whole_table(style,
                     {{"  tensor", 0, false},
                      {"", kBarWidth, false, 1},
                      {"count"},
                      {"share"},
                      {"layout", 0, false}},
                     rows);
}

/// How, if not by searching the whole space: " within the dataflow ws", " by random (...)".
std::string method(const Question& question) {
  if (question.method == Method::exact) return "";
  if (is_dataflow(question.method))
    return fmt::format(" within the dataflow {}", name(question.method));
  std::string text = fmt::format(" by the heuristic {}", name(question.method));
  if (question.method == Method::random) {
    text += fmt::format(" ({} samples, seed {})", question.samples, question.seed);
  }
  return text;
}

}  // namespace

std::string task(const Question& question) {
  const Objective& objective = question.objective;
  std::string goals;
  for (const Goal goal : objective.goals) {
    goals += (goals.empty() ? "" : ", then ");
    goals += name(goal);
    if (traits(goal).weighted) {
      goals += fmt::format(" ({} * latency + {} * energy)", objective.alpha.to_string(),
                           objective.beta.to_string());
    }
  }
  std::string within;
  for (const GoalCap& cap : question.caps) {
    within += fmt::format("{}{} at most {}", within.empty() ? " with " : " and ", name(cap.goal),
                          number(cap.most));
  }
  if (question.constraints.any()) {
    within += fmt::format(" under {}", printable(question.constraints.source));
  }
  return fmt::format("minimise {}{}{}; row activations by the {} model", goals, within,
                     method(question), row_model_name(question.row_model));
}

std::string task(const Question& question, const Workload& workload) {
  if (!workload.padding) return task(question);
  const Factors tops = workload.tops();
  std::string grown;
  for (const Dim d : kAllDims) {
    const std::int64_t top = tops[index(d)];
    if (top > workload.bound(d)) grown += fmt::format(" {}{}", name(d), top);
  }
  return fmt::format("{}; bounds may grow to{}", task(question), grown);
}

/// "K 86 -> 88, P 7 -> 8".
std::string growth(const Workload& workload, const Factors& bounds) {
  std::string text;
  for (const Dim d : kAllDims) {
    if (bounds[index(d)] == workload.bound(d)) continue;
    text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", name(d),
                        number(workload.bound(d)), number(bounds[index(d)]));
  }
  return text;
}

std::string padded_line(const Workload& workload, const std::optional<Factors>& padded) {
  if (!padded || *padded == workload.bounds) return "";
  return "\npadded: " + growth(workload, *padded) + "\n";
}

std::string hint_line(const Workload& workload, const Objective& objective,
                      const Solution& solution) {
  if (!solution.padding_hint) return "";
  const PaddingHint& hint = *solution.padding_hint;
  return fmt::format("padding would help: with {} a mapping has {} {} (--pad finds the best)\n",
                     growth(workload, hint.bounds), name(objective.goals.front()),
                     number(hint.value));
}

std::string summary(const Architecture& architecture) {
  const PeArray& pe = architecture.pe_array;
  std::string text = fmt::format("{} x {} {} PEs", pe.height, pe.width,
                                 kUnitTypeNames[static_cast<std::size_t>(pe.unit_type)]);
  if (pe.num_macs > 1) text += fmt::format(" of {} MACs", pe.num_macs);
  for (const MemoryLevel& level : architecture.levels) {
    text += fmt::format(", {}{}", printable(level.name),
                        level.capacity ? " " + bytes(*level.capacity) : "");
  }
  return text;
}

std::string title(const Style& style, const Architecture& architecture, const Workload& workload,
                  const std::string& task) {
  return fmt::format("{}  {}  {} MACs\non {}: {}\n{}\n", style.heading(printable(workload.name)),
                     shape(workload), number(workload.macs()), printable(architecture.name),
                     summary(architecture), task);
}

std::string mapping_report(const Style& style, const Architecture& architecture,
                           const Workload& workload, const Mapping& mapping, const Metrics& metrics,
                           RowModel row_model) {
  return loop_nest(style, architecture, mapping) +
         dataflow_report(style, architecture, analyse_dataflow(architecture, workload, mapping)) +
         cycles(style, architecture, metrics) +
         activations(style, architecture, mapping, metrics, row_model) +
         energy(style, architecture, workload, metrics) +
         buffers(style, architecture, workload, mapping, metrics) +
         pe_array(style, architecture, mapping, metrics);
}

}  // namespace pimbb::dram_pim::cli
