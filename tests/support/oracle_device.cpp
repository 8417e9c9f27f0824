// Children, blocks and partial sums, counted.
#include "support/oracle_device.hpp"

#include <limits>
#include <set>

#include "support/oracle_tiles.hpp"

namespace oracle {
namespace {

using pimbb::dram_pim::Device;
using pimbb::dram_pim::DeviceLevel;
using pimbb::dram_pim::Goal;
using pimbb::dram_pim::Objective;
using pimbb::dram_pim::Phases;
using pimbb::dram_pim::Split;

/// The positions of all children with work.
std::vector<Factors> children_of(const Factors& factors) {
  std::vector<Factors> all(1);
  all.front().fill(0);
  for (std::size_t j = 0; j < kDims; ++j) {
    std::vector<Factors> longer;
    for (const Factors& position : all) {
      for (std::int64_t i = 0; i < factors[j]; ++i) {
        longer.push_back(position);
        longer.back()[j] = i;
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Different blocks of a tensor among the children.
std::int64_t blocks(const Factors& factors, Tensor t) {
  std::set<Factors> seen;
  for (Factors position : children_of(factors)) {
    for (const Dim j : kAllDims) {
      if (!indexed_by(t, j)) position[index(j)] = 0;
    }
    seen.insert(position);
  }
  return static_cast<std::int64_t>(seen.size());
}

std::int64_t count(const Factors& factors) {
  return static_cast<std::int64_t>(children_of(factors).size());
}

Fraction bytes(const Device& device, Tensor t) {
  const std::int64_t bits = device.unit.bits[index(t)];
  return device.unit.packing == pimbb::dram_pim::Packing::bit ? Fraction(bits) / 8
                                                              : Fraction((bits + 7) / 8);
}

struct Links {
  std::vector<Fraction> down, up;  // bytes of one link of each level
  std::vector<Fraction> parents;
  Fraction adds;
  Fraction host_adds;
};

Links count_links(const Device& device, const pimbb::Workload& layer,
                  const pimbb::dram_pim::Moves& moves, const Split& split, const Factors& slice) {
  Links links;
  Factors covered = slice;
  Fraction sums = 1;
  for (std::size_t d = 0; d < split.size(); ++d) {
    const DeviceLevel& level = device.levels[d];
    Fraction parents = 1;
    for (std::size_t e = d + 1; e < split.size(); ++e) parents *= count(split[e]);
    links.parents.push_back(parents);
    Fraction down;
    for (const Tensor t : {Tensor::input, Tensor::weight}) {
      const std::int64_t each = level.broadcast ? blocks(split[d], t) : count(split[d]);
      if (moves[index(t)])
        down += Fraction(each) * tile_elements(layer, t, covered) * bytes(device, t);
    }
    links.down.push_back(down);
    const std::int64_t outputs = tile_elements(layer, Tensor::output, covered);
    links.up.push_back(moves[2] ? Fraction(count(split[d])) * sums * outputs *
                                      bytes(device, Tensor::output)
                                : Fraction(0));
    sums *= Fraction(count(split[d])) / Fraction(blocks(split[d], Tensor::output));
    for (std::size_t j = 0; j < kDims; ++j) covered[j] *= split[d][j];
    if (!level.reduce) continue;
    links.adds += parents * (sums - 1) * tile_elements(layer, Tensor::output, covered) *
                  Fraction(level.reduce_energy);
    sums = 1;
  }
  links.host_adds = (sums - 1) * tile_elements(layer, Tensor::output, covered);
  return links;
}

}  // namespace

Fraction DeviceCosts::value(Goal goal, const Objective& objective) const {
  switch (goal) {
    case Goal::latency: return latency;
    case Goal::energy: return energy;
    case Goal::edp: return latency * energy;
    case Goal::activations: return activations;
    default: return Fraction(objective.alpha) * latency + Fraction(objective.beta) * energy;
  }
}

DeviceCosts device_costs(const Device& device, const pimbb::Workload& layer,
                         const pimbb::dram_pim::Moves& moves, const Split& split,
                         const Factors& slice, const Fraction& latency, const Fraction& energy,
                         const Fraction& activations) {
  const Links links = count_links(device, layer, moves, split, slice);
  DeviceCosts c;
  c.units = 1;
  Fraction way;
  for (std::size_t d = 0; d < split.size(); ++d) {
    const DeviceLevel& level = device.levels[d];
    c.units *= level.lockstep ? level.count : count(split[d]);
    way += Fraction(level.latency);
    if (level.write_bandwidth) c.in = max(c.in, links.down[d] / Fraction(*level.write_bandwidth));
    if (level.read_bandwidth) c.out = max(c.out, links.up[d] / Fraction(*level.read_bandwidth));
    c.link_energy += links.parents[d] * (links.down[d] + links.up[d]) * Fraction(level.energy);
  }
  if (device.host_reduce_bandwidth) {
    c.out += links.host_adds / Fraction(*device.host_reduce_bandwidth);
  }
  c.in = moves[0] || moves[1] ? c.in + way : Fraction(0);
  c.out = moves[2] ? c.out + way : Fraction(0);
  if (moves[2]) c.adds = links.adds + links.host_adds * Fraction(device.host_reduce_energy);
  c.run = latency;
  if (device.refresh) {
    const Fraction interval(device.refresh->interval);
    c.run = latency * interval / (interval - Fraction(device.refresh->duration));
  }
  c.latency =
      Fraction(device.launch) +
      (device.phases == Phases::sequential ? c.in + c.run + c.out : max(max(c.in, c.run), c.out));
  c.energy = c.units * energy + c.link_energy + c.adds + c.latency * Fraction(device.static_power);
  c.activations = c.units * activations;
  return c;
}

bool splits(const Device& device, const pimbb::Workload& layer, const pimbb::dram_pim::Moves& moves,
            const Split& split, const Factors& slice) {
  for (const Dim j : kAllDims) {
    std::int64_t product = 1;
    for (std::size_t d = 0; d < split.size(); ++d) {
      const std::int64_t factor = split[d][index(j)];
      if (factor > 1 && !device.levels[d].dims[index(j)]) return false;
      product *= factor;
    }
    if (product > 1 && !moves[2] && !indexed_by(Tensor::output, j)) return false;
    if (slice[index(j)] * product < layer.bounds[index(j)]) return false;
  }
  for (std::size_t d = 0; d < split.size(); ++d) {
    std::int64_t used = 1;
    for (const std::int64_t factor : split[d]) used *= factor;
    if (used > device.levels[d].count) return false;
  }
  return true;
}

std::vector<Split> every_split(const Device& device, const Factors& bounds) {
  std::vector<Split> all(1);
  for (const DeviceLevel& level : device.levels) {
    std::vector<Factors> here(1);
    here.front().fill(1);
    for (std::size_t j = 0; j < kDims; ++j) {
      std::vector<Factors> longer;
      for (const Factors& f : here) {
        std::int64_t used = 1;
        for (const std::int64_t each : f) used *= each;
        for (std::int64_t i = 1; used * i <= level.count && i <= bounds[j]; ++i) {
          longer.push_back(f);
          longer.back()[j] = i;
        }
      }
      here = std::move(longer);
    }
    std::vector<Split> deeper;
    for (const Split& outer : all) {
      for (const Factors& f : here) {
        deeper.push_back(outer);
        deeper.back().push_back(f);
      }
    }
    all = std::move(deeper);
  }
  return all;
}

std::vector<Split> every_split(const Device& device) {
  Factors any;
  any.fill(std::numeric_limits<std::int64_t>::max());
  return every_split(device, any);
}

}  // namespace oracle
