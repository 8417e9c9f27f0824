// The sections of the report.
#include "crossbar/cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "crossbar/cli/picture.hpp"
#include "terminal/bars.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::crossbar::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string ns(const Rational& time) { return number(time) + " ns"; }

/// Crossbars of so many replicas of a node.
std::int64_t crossbars(const ArrayNode& array, std::int64_t replicas) {
  return array.groups * array.width * replicas;
}

std::int64_t cores_with(const Mapping& mapping, std::size_t array) {
  return std::ranges::count_if(mapping.cores, [&](const std::vector<Share>& core) {
    return std::ranges::count(core, array, &Share::array) > 0;
  });
}

std::string nodes(const Style& style, const Partition& p, const Mapping& mapping) {
  Rows rows;
  std::int64_t all = 0;
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    const ArrayNode& array = p.arrays[v];
    const std::int64_t replicas = mapping.replication[v];
    all += crossbars(array, replicas);
    rows.push_back({"  " + std::string(1, letter(v)), printable(p.node(array).name),
                    number(array.groups), number(array.width), number(array.windows),
                    number(replicas), number((array.windows + replicas - 1) / replicas),
                    number(crossbars(array, replicas)), number(cores_with(mapping, v))});
  }
  return section(style, "Array nodes", number(all) + " crossbars in use") +
         whole_table(style,
                     {{"", 0, false},
                      {"node", 0, false},
                      {"groups", 0, true, 2},
                      {"wide", 0, true, 3},
                      {"windows", 0, true, 1},
                      {"replicas"},
                      {"cycles"},
                      {"crossbars", 0, true, 1},
                      {"cores", 0, true, 1}},
                     rows);
}

std::string throughput(const Style& style, const Metrics& metrics) {
  const auto& times = metrics.core_times;
  const auto slowest = std::ranges::max_element(times) - times.begin();
  return section(style, "High throughput",
                 fmt::format("{} bound by {}; core {} is the slowest", ns(metrics.ht_roof),
                             binding(metrics), slowest)) +
         bars(style, time_terms(metrics, Mode::ht), Rational(metrics.ht_roof)) +
         fmt::format("  ht {}, ht-roof {}, ht-code {}, traffic {}\n", number(metrics.ht),
                     number(metrics.ht_roof), number(metrics.ht_code), number(metrics.traffic()));
}

std::string latency(const Style& style, const Metrics& metrics) {
  if (!metrics.latency) {
    return section(style, "Low latency", "none: " + printable(metrics.no_latency));
  }
  const Latency& l = *metrics.latency;
  const std::vector<Term> terms = time_terms(metrics, Mode::ll);
  return section(style, "Low latency",
                 fmt::format("{}; busy times of all chips in that schedule", ns(l.ll))) +
         bars(style, terms, std::ranges::max_element(terms, {}, &Term::value)->value) +
         fmt::format("  ll {}, ll-paper {}, ll-code {}\n", number(l.ll), number(l.ll_paper),
                     number(l.ll_code()));
}

std::string energy(const Style& style, const Metrics& metrics, Mode mode) {
  const Energy& e = metrics.energy_of(mode);
  return section(
             style, "Energy",
             fmt::format("{} pJ in the schedule {}, edp {} pJ ns", number(e.total()),
                         kModeNames[static_cast<std::size_t>(mode)], number(metrics.edp(mode)))) +
         bars(style, {{"static", e.standing}, {"dynamic", e.dynamic}}, e.total());
}

std::string memory(const Style& style, const Architecture& a, const Metrics& metrics,
                   const Simulated& simulated) {
  Rows rows;
  const auto add = [&](std::string policy, const PeakMemory& peak) {
    const Rational share = share_of(Rational(peak.bytes), Rational(a.core.local_memory));
    rows.push_back({"  " + std::move(policy), fmt::format("core {}", peak.core), bytes(peak.bytes),
                    bar(style, share), pad_left(percent(share), 7)});
  };
  for (std::size_t i = 0; i < kClosedPolicies.size(); ++i) {
    add(std::string(kClosedPolicies[i]), metrics.peaks[i]);
  }
  if (const auto& simulation = simulated.simulation) {
    const std::string mode = simulated.options.mode == Mode::ll ? ", low latency" : "";
    if (simulated.options.policy != Policy::ag) add("live" + mode, simulation->live);
    if (const auto& exact = simulation->exact) {
      add("exact" + mode + (exact->least ? ", proven least" : ""), exact->peak);
    }
  }
  return section(style, "Local memory",
                 fmt::format("peak by policy, high throughput, of {}{}", bytes(a.core.local_memory),
                             a.core.enforce_local_memory ? "" : ", not enforced")) +
         whole_table(
             style,
             {{"  policy", 0, false}, {"fullest", 0, false}, {"peak"}, {"", 0, false, 1}, {"used"}},
             rows);
}

std::string times(const Architecture& a) {
  return fmt::format("multiplication {} ns, every {} ns", number(a.mvm.time),
                     number(a.mvm.interval));
}

}  // namespace

std::vector<Term> time_terms(const Metrics& metrics, Mode mode) {
  const bool is_throughput = mode == Mode::ht;
  const Busy& busy = is_throughput ? metrics.roofs : metrics.latency->busy;
  return {is_throughput ? Term{"arrays", Rational(metrics.ht)}
                        : Term{"longest path", metrics.latency->ll},
          {"memory", Rational(busy.memory)},
          {"bus", Rational(busy.bus)},
          {"link", Rational(busy.link)}};
}

std::string binding(const Metrics& metrics) {
  const std::vector<Term> terms = time_terms(metrics, Mode::ht);
  return std::ranges::max_element(terms, {}, &Term::value)->name;
}

std::string summary(const Architecture& a) {
  return fmt::format("{}{} x {} of {} x {}, {}",
                     a.chips == 1 ? "" : plural(a.chips, "chip") + " x ", plural(a.cores, "core"),
                     plural(a.core.crossbars, "crossbar"), a.core.rows, a.core.columns, times(a));
}

std::string describe_figures(const Style& style, const Architecture& a) {
  const Core& c = a.core;
  const Power& w = a.power;
  const Rows rows{
      {"  weights in a crossbar",
       fmt::format("{} x {}, in {} each of {}", c.rows, a.weights_per_row(),
                   plural(c.slices, "cell"), plural(c.cell_bits, "bit"))},
      {"  bits", fmt::format("activations {}, weights {}", a.bits.activation, a.bits.weight)},
      {"  different nodes in a core", number(c.max_nodes)},
      {"  vector unit", fmt::format("{} a pass of {} ns", bytes(c.vector_bytes), c.vector_time)},
      {"  local memory of a core",
       bytes(c.local_memory) + (c.enforce_local_memory ? ", enforced" : ", not enforced")},
      {"  bytes per ns", fmt::format("memory {}, bus {}, link {}", number(a.bandwidth.memory),
                                     number(a.bandwidth.bus), number(a.bandwidth.link))},
      {"  mW", fmt::format("crossbar {}, vector {}, local {}, control {}", number(w.crossbar),
                           number(w.vector), number(w.local), number(w.control))},
      {"", fmt::format("router {} for {}", number(w.router), plural(w.cores_per_router, "core"))},
      {"", fmt::format("memory {}, link {}", number(w.memory), number(w.link))},
      {"  leakage", percent(w.leak) + " of the power, while a part is on"},
  };
  return fmt::format("{}: {}\n\n", style.heading(printable(a.name)), summary(a)) +
         whole_table(style, {{"  figure", 0, false}, {"", 0, false}}, rows);
}

std::string title(const Style& style, const Problem& problem, const std::string& task) {
  const Partition& p = problem.partition;
  const Architecture& a = problem.architecture;
  std::int64_t needed = 0;
  for (const ArrayNode& array : p.arrays) needed += crossbars(array, 1);
  std::string text = fmt::format("{}  {}, {} of {} crossbars without replicas\n",
                                 style.heading(printable(p.graph.name)),
                                 plural(static_cast<std::int64_t>(p.arrays.size()), "array node"),
                                 number(needed), number(a.all_cores() * a.core.crossbars));
  if (problem.grouped > 0) {
    text += style.faint(fmt::format("stored dense, with all input channels: {}",
                                    plural(problem.grouped, "grouped convolution"))) +
            "\n";
  }
  return text + fmt::format("on {}: {}\n{}\n", printable(a.name), summary(a), task);
}

std::string mapping_report(const Style& style, const Problem& problem, const Mapping& mapping,
                           const Metrics& metrics, const Simulated& simulated) {
  const Architecture& a = problem.architecture;
  const Partition& p = problem.partition;
  return nodes(style, p, mapping) + picture(style, a, p, mapping) + throughput(style, metrics) +
         latency(style, metrics) + energy(style, metrics, simulated.options.mode) +
         simulation_section(style, problem, simulated) + memory(style, a, metrics, simulated);
}

}  // namespace pimbb::crossbar::cli
