// The costs of a mapping as JSON: what the report shows, and as fractions beside it.
#include "dram_pim/cost/energy.hpp"
#include "dram_pim/io/result_json.hpp"
#include "dram_pim/rows/tile_rows.hpp"

namespace pimbb::dram_pim::io {
namespace {

Figures per_tensor(const PerTensor<std::optional<Rational>>& values) {
  Figures figures;
  for (const Tensor t : kAllTensors) {
    if (values[index(t)]) figures.add(std::string(name(t)), *values[index(t)]);
  }
  return figures;
}

Figures per_tensor(const PerTensor<Rational>& values) {
  return per_tensor(PerTensor<std::optional<Rational>>{values[0], values[1], values[2]});
}

/// The terms whose maximum is the latency; of a DRAM whose tensors share a stream, their `total`.
Figures cycles_by_level(const Architecture& architecture, const Metrics& metrics) {
  Figures figures;
  figures.add("compute", metrics.compute_cycles);
  for (std::size_t m = 0; m < architecture.row_buffer(); ++m) {
    const std::optional<Rational>& cycles = metrics.levels[m].cycles;
    if (cycles) figures.add(architecture.levels[m].name, *cycles);
  }
  Figures dram = per_tensor(metrics.dram_cycles);
  if (architecture.shared_streams) dram.add("total", dram_busy(architecture, metrics));
  figures.add(architecture.levels.back().name, dram);
  if (architecture.interconnect_bandwidth) {
    figures.add("interconnect", metrics.interconnect_cycles);
  }
  return figures;
}

/// The terms whose sum is the energy.
Figures energy_by_level(const Architecture& architecture, const Workload& workload,
                        const Metrics& metrics) {
  const EnergyParts parts = energy_parts(architecture, workload, metrics);
  Figures figures;
  figures.add("mac", parts.macs);
  for (std::size_t m = 0; m < metrics.levels.size(); ++m) {
    figures.add(architecture.levels[m].name, per_tensor(parts.accesses[m]));
  }
  figures.add("activations", per_tensor(parts.activations));
  return figures;
}

/// By level, of the whole array, or at the innermost level of one PE.
void add_levels(const Architecture& architecture, const Metrics& metrics, Figures& all) {
  Figures memory_cycles;
  Figures reads;
  Figures buffer_utilization;
  Figures bandwidth_utilization;
  for (std::size_t m = 0; m < metrics.levels.size(); ++m) {
    const LevelMetrics& level = metrics.levels[m];
    const std::string& name = architecture.levels[m].name;
    if (level.cycles) {
      memory_cycles.add(name, *level.cycles);
      const bool idle = metrics.latency.sign() == 0;
      bandwidth_utilization.add(name, idle ? Rational() : *level.cycles / metrics.latency);
    }
    if (Figures f = per_tensor(level.reads); !f.exact.empty()) reads.add(name, f);
    if (Figures f = per_tensor(level.buffer_utilization); !f.exact.empty()) {
      buffer_utilization.add(name, f);
    }
  }
  all.add("memory_cycles", memory_cycles);
  all.add("dram_cycles", per_tensor(metrics.dram_cycles));
  all.add("interconnect_cycles", metrics.interconnect_cycles);
  all.add("cycles_by_level", cycles_by_level(architecture, metrics));
  all.add("reads", reads);
  all.add("row_activations", per_tensor(metrics.row_activations));
  all.add("buffer_utilization", buffer_utilization);
  all.add("bandwidth_utilization", bandwidth_utilization);
}

/// What each level holds of the tensors that it stores; the innermost level: one PE.
files::Json tiles_json(const Architecture& architecture, const Workload& workload,
                       const Mapping& mapping) {
  files::Json tiles = files::Json::object();
  for (std::size_t m = 0; m < mapping.levels.size(); ++m) {
    const Factors tile = m == 0 ? mapping.pe_tile() : mapping.tile(m);
    files::Json level = files::Json::object();
    for (const Tensor t : kAllTensors) {
      if (!mapping.levels[m].stores[index(t)]) continue;
      const std::int64_t elements = workload.tile_elements(t, tile);
      level[std::string(name(t))] = {{"elements", elements},
                                     {"bytes", architecture.tile_bytes(t, elements)}};
    }
    tiles[architecture.levels[m].name] = std::move(level);
  }
  return tiles;
}

/// By layout and tensor, the rows of one row-buffer tile, and [row, column, bytes] of what lies
/// where.
files::Json tile_rows_json(const Architecture& architecture, const Workload& workload,
                           const Mapping& mapping) {
  files::Json layouts = files::Json::object();
  for (const Layout layout : {Layout::sequential, Layout::row_aligned}) {
    files::Json tensors = files::Json::object();
    for (const Tensor t : kAllTensors) {
      const auto tile = rows::tile_rows(architecture, workload, mapping, t, layout);
      if (!tile) continue;
      files::Json spans = files::Json::array();
      for (const rows::TileRows::Run& run : tile->runs) {
        spans.push_back({run.row, run.column, run.bytes});
      }
      tensors[std::string(name(t))] = {{"rows", tile->rows}, {"spans", std::move(spans)}};
    }
    layouts[std::string(kLayoutNames[static_cast<std::size_t>(layout)])] = std::move(tensors);
  }
  return layouts;
}

}  // namespace

void Figures::add(const std::string& key, const Rational& value) {
  numbers[key] = value.to_double();
  exact[key] = value.to_string();
}

void Figures::add(const std::string& key, const Figures& group) {
  numbers[key] = group.numbers;
  exact[key] = group.exact;
}

files::Json metrics_json(const Architecture& architecture, const Workload& workload,
                         const Mapping& mapping, const Metrics& metrics) {
  Figures all;
  all.add("latency", metrics.latency);
  all.add("energy", metrics.energy);
  all.add("compute_cycles", metrics.compute_cycles);
  add_levels(architecture, metrics, all);
  all.add("energy_by_level", energy_by_level(architecture, workload, metrics));
  all.add("pe_utilization", metrics.pe_utilization);
  files::Json json = files::Json::object();
  json["exact"] = std::move(all.exact);
  json.update(all.numbers);
  json["tiles"] = tiles_json(architecture, workload, mapping);
  json["tile_rows"] = tile_rows_json(architecture, workload, mapping);
  return json;
}

}  // namespace pimbb::dram_pim::io
