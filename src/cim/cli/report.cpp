// The sections of the report.
#include "cim/cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cim/cli/breakdown.hpp"
#include "cim/cli/loop_nest.hpp"
#include "cim/cli/timeline.hpp"
#include "terminal/bars.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::cim::cli {
namespace {

using Cells = std::vector<std::string>;

/// "8 KiB" where bits make whole bytes, else "13 bits".
std::string size_text(std::int64_t bits) {
  return bits % 8 == 0 ? bytes(bits / 8) : number(bits) + " bits";
}

/// What is not 0.
std::vector<Term> present(std::vector<Term> terms) {
  std::erase_if(terms, [](const Term& term) { return term.value.sign() == 0; });
  return terms;
}

std::string timeline(const Style& style, const Architecture& a, const Workload& workload,
                     const Mapping& mapping, const Metrics& metrics) {
  const std::string text = draw_timeline(style, a, workload, mapping, metrics);
  if (text.empty()) return text;
  return section(style, "Timeline",
                 "one steady iteration of each loop that moves data, by the recursion") +
         text;
}

std::string cycles(const Style& style, const Architecture& a, const Metrics& metrics) {
  return section(style, "Where the cycles go",
                 number(metrics.latency) +
                     " cycles; a bar says how busy the macros and each port are") +
         bars(style, present(cycle_terms(a, metrics)), metrics.latency);
}

std::string energy(const Style& style, const Architecture& a, const Metrics& metrics) {
  return section(style, "Where the energy goes", number(metrics.energy) + " nJ") +
         bars(style, present(energy_terms(a, metrics)), metrics.energy);
}

/// Bits of a level's tiles by tensor, doubled ones twice; all of them.
struct Fill {
  PerTensor<std::int64_t> bits{};
  std::int64_t all = 0;
};

Fill fill_of(const Mapping& mapping, const Metrics& metrics, std::size_t m) {
  Fill fill;
  for (const UsedLevel& used : metrics.used) {
    if (used.level != m) continue;
    const std::int64_t copies = mapping.doubled[m][index(used.tensor)] ? 2 : 1;
    fill.bits[index(used.tensor)] = copies * used.data * used.bits;
    fill.all += fill.bits[index(used.tensor)];
  }
  return fill;
}

std::string buffers(const Style& style, const Architecture& a, const Mapping& mapping,
                    const Metrics& metrics) {
  std::vector<Cells> rows;
  for (std::size_t m = a.levels.size(); m-- > 0;) {
    const Fill fill = fill_of(mapping, metrics, m);
    Cells cells{"  " + printable(a.levels[m].name)};
    for (const Tensor t : kAllTensors) {
      const std::int64_t bits = fill.bits[index(t)];
      cells.push_back(bits == 0 ? "-" : number(bits) + (mapping.doubled[m][index(t)] ? " *" : ""));
    }
    if (const auto size = a.levels[m].size_bits) {
      const Rational used = *size == 0 ? Rational(0) : Rational(fill.all, *size);
      cells.insert(cells.end(), {size_text(*size), bar(style, used), pad_left(percent(used), 7)});
    } else {
      cells.emplace_back("unbounded");
    }
    rows.push_back(std::move(cells));
  }
  return section(style, "Buffers", "bits of each tensor's tiles; * double-buffered, both tiles") +
         whole_table(style,
                     {{"  level", 0, false},
                      {"input"},
                      {"weight"},
                      {"output"},
                      {"size"},
                      {"", 0, false, 1},
                      {"used"}},
                     rows);
}

std::string axes(const Style& style, const Architecture& a, const Mapping& mapping,
                 const Metrics& metrics) {
  std::vector<Cells> rows;
  for (std::size_t u = 0; u < a.axes.size(); ++u) {
    std::int64_t lanes = 1;
    for (const std::int64_t f : mapping.spatial[u]) lanes *= f;
    rows.push_back({"  " + printable(a.axes[u].name),
                    fmt::format("{} of {}", number(lanes), number(a.axes[u].size)),
                    bar(style, metrics.utilization[u]),
                    pad_left(percent(metrics.utilization[u]), 7)});
  }
  return section(style, "Parallelism", "") +
         whole_table(style, {{"  axis", 0, false}, {"in use"}, {"", 0, false, 1}, {""}}, rows);
}

/// How, if not by searching the whole space: "; factors prime".
std::string space_text(const Question& question) {
  std::string text;
  const auto add = [&](const char* what, const auto& names, auto value, auto whole) {
    if (value == whole) return;
    text += fmt::format("{}{} {}", text.empty() ? "; only " : ", ", what,
                        names[static_cast<std::size_t>(value)]);
  };
  add("method", kMethodNames, question.method, Method::exact);
  add("factors", kFactorRuleNames, question.factors, FactorRule::any);
  add("schemes", kSchemeRuleNames, question.schemes, SchemeRule::all);
  add("double", kDoubleRuleNames, question.doubling, DoubleRule::free);
  return text;
}

}  // namespace

std::string pricing_text(const Pricing& pricing) {
  std::string text =
      fmt::format("latency by {}", pricing.semantics == Semantics::recursion ? "the recursion"
                                   : pricing.semantics == Semantics::table3  ? "table3"
                                                                             : "the simulator");
  if (pricing.contention != Contention::none) {
    text += fmt::format(", at least the occupancy of {}",
                        pricing.contention == Contention::ports ? "ports" : "the levels' bus");
  }
  if (pricing.padding != Padding::exact) text += fmt::format(", pad {}", name(pricing.padding));
  return text;
}

std::string task(const Question& question) {
  const Objective& objective = question.objective;
  std::string goals;
  for (const Goal goal : objective.goals) {
    goals += (goals.empty() ? "" : ", then ");
    goals += name(goal);
    if (goal == Goal::blended) {
      goals += fmt::format(" ({} * latency + {} * energy)", objective.alpha.to_string(),
                           objective.beta.to_string());
    }
  }
  std::string within;
  for (const GoalCap& cap : question.caps) {
    within += fmt::format("{}{} at most {}", within.empty() ? " with " : " and ", name(cap.goal),
                          number(cap.most));
  }
  return fmt::format("minimise {}{}; {}{}", goals, within, pricing_text(question.pricing),
                     space_text(question));
}

std::string layer_text(const Workload& workload) {
  const auto& plane = workload.input_plane;
  return shape(workload) +
         (plane ? fmt::format(", input {} x {}", number(plane->width), number(plane->height)) : "");
}

std::string summary(const Architecture& architecture) {
  std::string text;
  for (const Axis& axis : architecture.axes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " x ", axis.size, printable(axis.name));
  }
  for (const Level& level : architecture.levels) {
    text += fmt::format(", {}{}", printable(level.name),
                        level.size_bits ? " " + size_text(*level.size_bits) : "");
  }
  return text;
}

std::string title(const Style& style, const Architecture& architecture, const Workload& workload,
                  const std::string& task) {
  return fmt::format("{}  {}  {} MACs\non {}: {}\n{}\n", style.heading(printable(workload.name)),
                     layer_text(workload), number(workload.macs()), printable(architecture.name),
                     summary(architecture), task);
}

std::string mapping_report(const Style& style, const Architecture& architecture,
                           const Workload& workload, const Mapping& mapping,
                           const Metrics& metrics) {
  return section(style, "Loop nest", "the level of each tensor's tile; * double-buffered") +
         draw_loop_nest(style, architecture, mapping) +
         timeline(style, architecture, workload, mapping, metrics) +
         cycles(style, architecture, metrics) + energy(style, architecture, metrics) +
         buffers(style, architecture, mapping, metrics) +
         axes(style, architecture, mapping, metrics);
}

std::string describe_levels(const Style& style, const Architecture& architecture) {
  std::vector<Cells> rows;
  for (const Level& level : architecture.levels) {
    std::string stores;
    for (const Tensor t : kAllTensors) {
      if (level.stores[index(t)]) stores += (stores.empty() ? "" : " ") + std::string(name(t));
    }
    rows.push_back(
        {printable(level.name), level.size_bits ? size_text(*level.size_bits) : "unbounded",
         number(level.bandwidth), number(level.read_energy), number(level.write_energy), stores});
  }
  return summary(architecture) + "\n\n" +
         whole_table(style,
                     {{"level", 0, false},
                      {"size"},
                      {"bits/cycle"},
                      {"read nJ/bit"},
                      {"write nJ/bit", 0, true, 1},
                      {"stores", 0, false}},
                     rows);
}

}  // namespace pimbb::cim::cli
