// Sections as tables and bars.
#include "dram_pim/cli/device_report.hpp"

#include <fmt/format.h>

#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "terminal/bars.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// "K8 C2", or "-".
std::string factors_text(const Factors& factors) {
  std::string text;
  for (const Dim j : kAllDims) {
    if (factors[index(j)] == 1) continue;
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", name(j), factors[index(j)]);
  }
  return text.empty() ? "-" : text;
}

std::string split_section(const Style& style, const Device& device, const Workload& layer,
                          const DeviceMapping& mapping, const DeviceMetrics& metrics) {
  Rows rows;
  for (std::size_t d = device.levels.size(); d-- > 0;) {
    const DeviceLevel& level = device.levels[d];
    const LinkTraffic& link = metrics.split.links[d];
    rows.push_back({"  " + printable(level.name), number(level.count),
                    factors_text(mapping.split[d]), number(link.count), number(link.bytes_in),
                    number(link.bytes_out)});
  }
  const Rational useful = share_of(metrics.macs, metrics.performed_macs);
  std::string text =
      section(style, "Split",
              fmt::format("slices {}, {} of {} units run, {} of their MACs are the layer's",
                          shape(slice_of(layer, mapping.slice)), number(metrics.split.units),
                          number(device.units()), percent(useful)));
  if (rows.empty()) return text;
  return text + whole_table(style,
                            {{"  level", 0, false},
                             {"children"},
                             {"split", 0, false},
                             {"links"},
                             {"bytes in"},
                             {"bytes out"}},
                            rows);
}

std::string phases_section(const Style& style, const Device& device, const DeviceMetrics& m) {
  const std::string phases(kPhasesNames[static_cast<std::size_t>(device.phases)]);
  std::string text = fmt::format("{} cycles, {} phases", number(m.latency), phases);
  if (device.cycle) text += fmt::format(", {} ns", number(m.latency * *device.cycle));
  return section(style, "Where the time of the device goes", text) +
         bars(style,
              {{"launch", m.launch}, {"in", m.split.in}, {"run", m.run}, {"out", m.split.out}},
              m.latency);
}

std::string energy_section(const Style& style, const Device& device, const DeviceMetrics& m) {
  std::vector<Term> terms{{"units", m.split.units * m.slice.energy},
                          {"links", m.split.link_energy},
                          {"additions", m.split.reduce_energy}};
  if (device.static_power.sign() > 0) {
    terms.push_back({"static power", m.latency * device.static_power});
  }
  return section(style, "Where the energy of the device goes", number(m.energy) + " nJ") +
         bars(style, terms, m.energy);
}

}  // namespace

std::string summary(const Device& device) {
  std::string text;
  for (auto level = device.levels.rbegin(); level != device.levels.rend(); ++level) {
    text += fmt::format("{} {} x ", level->count, printable(level->name));
  }
  return fmt::format("{}{}", text, printable(device.unit.name));
}

std::string device_title(const Style& style, const Device& device, const Workload& layer,
                         const std::string& task) {
  return fmt::format("{}  {}  {} MACs\non {}: {}\n{}\n", style.heading(printable(layer.name)),
                     shape(layer), number(layer.macs()), printable(device.name), summary(device),
                     task);
}

std::string device_report(const Style& style, const Device& device, const Workload& layer,
                          const DeviceMapping& mapping, const DeviceMetrics& metrics,
                          RowModel row_model) {
  return split_section(style, device, layer, mapping, metrics) +
         phases_section(style, device, metrics) + energy_section(style, device, metrics) + "\n" +
         style.heading("One unit") + "\n" +
         mapping_report(style, device.unit, slice_of(layer, mapping.slice), mapping.mapping,
                        metrics.slice, row_model);
}

std::string device_verdict(const Style& style, const DeviceSolution& solution, bool interrupted,
                           bool timeless) {
  const Solution claim = solution.claim();
  const std::string searched =
      fmt::format("{} of {} slices searched, ", solution.slices_solved, solution.slices);
  return "\n" + verdict(style, claim, interrupted) + "\n" +
         style.faint(searched + effort(claim, timeless)) + "\n";
}

}  // namespace pimbb::dram_pim::cli
