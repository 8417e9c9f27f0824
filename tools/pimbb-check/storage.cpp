// The price of every movement.
#include "storage.hpp"

#include <algorithm>

namespace pimbb_check {
namespace {

Rational transfer_cycles(const Problem& p, std::size_t m, std::size_t t) {
  return p.element_bytes[t] / p.levels[m].bandwidth[t];
}

Rational crossing_cycles(const Problem& p, std::size_t t) {
  return p.interconnect_bandwidth ? Rational(p.element_bytes[t] / *p.interconnect_bandwidth) : 0;
}

void cover(cpp_int& unit, const Rational& r) { unit = lcm(unit, denominator(r)); }

}  // namespace

Units::Units(const Problem& p) {
  cover(latency, p.reduction_latency);
  cover(latency, p.activation_cycles / p.row_bytes);
  cover(energy, p.activation_energy / p.row_bytes);
  cover(energy, p.mac_energy);
  for (std::size_t m = 0; m < p.levels.size(); ++m) {
    cover(energy, p.levels[m].access_cost);
    for (std::size_t t = 0; t < 3; ++t) cover(latency, transfer_cycles(p, m, t));
  }
  for (std::size_t t = 0; t < 3; ++t) cover(latency, crossing_cycles(p, t));
  // A PE's share of re-read outputs is a fraction over the PEs, which divide outputs * R * S * C.
  if (p.psum_rereads) latency *= cpp_int(p.bounds[R]) * p.bounds[S] * p.bounds[C];
}

Storage::Storage(const Problem& p, const Units& units, std::vector<Flags> stores)
    : p_(p), stores_(std::move(stores)) {
  const std::size_t rb = p.row_buffer();
  const auto open = [&] { return static_cast<int>(open_count_++); };
  for (std::size_t t = 0; t < 3; ++t) {
    if (!stores_[rb - 1][t]) open_bank_[t] = open();
    crossing_[t] = scaled(crossing_cycles(p, t), units.latency);
  }
  if (p.interconnect_bandwidth) open_interconnect_ = open();
  for (std::size_t m = 0; m <= p.dram(); ++m) {
    open_level_.push_back(m > 0 && m < rb && p.levels[m].shared_ports ? open() : -1);
    access_.push_back(scaled(p.levels[m].access_cost, units.energy));
    PerTensor<Int> transfer{};
    for (std::size_t t = 0; t < 3; ++t)
      transfer[t] = scaled(transfer_cycles(p, m, t), units.latency);
    transfer_.push_back(transfer);
  }
  cycle_ = narrow(units.latency);
  reduction_ = scaled(p.reduction_latency, units.latency);
  row_cycles_ = scaled(p.activation_cycles / p.row_bytes, units.latency);
  row_energy_ = scaled(p.activation_energy / p.row_bytes, units.energy);
  mac_energy_ = scaled(p.mac_energy * p.macs(), units.energy);
  source_.resize(p.levels.size());
  for (std::size_t t = 0; t < 3; ++t) {
    std::size_t outer = p.dram();
    for (std::size_t m = p.dram(); m-- > 0;) {
      source_[m][t] = outer;
      if (stores_[m][t]) outer = m;
    }
    innermost_[t] = outer;
  }
}

bool Storage::fits(std::size_t m, const Factors& c) const {
  Int bytes = 0;
  for (std::size_t t = 0; t < 3; ++t) {
    if (!stores_[m][t]) continue;
    bytes = m == p_.row_buffer() ? std::max(bytes, p_.bytes(t, c)) : plus(bytes, p_.bytes(t, c));
  }
  return !p_.levels[m].capacity || bytes <= *p_.levels[m].capacity;
}

Int Storage::reads(std::size_t t, Int moved) const {
  if (t != kOutput || !p_.psum_rereads) return moved;
  return times(2, moved) - p_.elements(kOutput, p_.bounds);
}

void Storage::charge(Terms& terms, std::size_t source, std::size_t t, Int reads, bool crosses,
                     Int rows) const {
  const Int cycles = times(reads, transfer_[source][t]);
  const int sink = source == p_.row_buffer() ? open_bank_[t] : open_level_[source];
  if (sink >= 0) {
    Int& sum = terms.open[static_cast<std::size_t>(sink)];
    sum = plus(sum, cycles);
  } else {
    terms.latency = std::max(terms.latency, plus(cycles, times(rows, row_cycles_)));
  }
  terms.energy = plus(terms.energy, times(reads, access_[source]));
  if (!crosses || open_interconnect_ < 0) return;
  Int& sum = terms.open[static_cast<std::size_t>(open_interconnect_)];
  sum = plus(sum, times(reads, crossing_[t]));
}

Terms Storage::fill(std::size_t m, const Tile& tile, std::size_t s, Int outer,
                    const PerTensor<Int>* rows) const {
  Terms terms;
  for (std::size_t t = 0; t < 3; ++t) {
    if (rows != nullptr) {
      terms.energy = plus(terms.energy, times((*rows)[t], row_energy_));
      if (open_bank_[t] >= 0) {
        terms.open[static_cast<std::size_t>(open_bank_[t])] = times((*rows)[t], row_cycles_);
      }
    }
    if (!stores_[m][t]) continue;
    charge(terms, source_[m][t], t, reads(t, moved(tile, t, s, outer)), m == 0,
           rows != nullptr ? (*rows)[t] : 0);
  }
  return terms;
}

Int Storage::dram_energy(const Tile& tile, std::size_t s, Int outer) const {
  Int elements = 0;
  for (std::size_t t = 0; t < 3; ++t) {
    elements = plus(elements, reads(t, moved(tile, t, s, outer)));
  }
  return times(elements, access_[p_.dram()]);
}

Terms Storage::feed(const Factors& array, const Factors& internal) const {
  Int pes = 1;
  Int inside = 1;
  PerTensor<Int> shared{1, 1, 1};     // PEs that a read of t serves at once
  PerTensor<Int> broadcast{1, 1, 1};  // MACs of one PE that it serves
  for (std::size_t j = 0; j < 7; ++j) {
    pes *= array[j];
    inside *= internal[j];
    shared[kIrrelevantTo[j]] *= array[j];
    broadcast[kIrrelevantTo[j]] *= internal[j];
  }
  Terms terms;
  terms.latency = times(p_.macs() / (pes * inside), cycle_);
  if (broadcast[kOutput] > 1) terms.latency = plus(terms.latency, reduction_);
  Int level0 = 0;
  for (std::size_t t = 0; t < 3; ++t) {
    if (innermost_[t] > 0) {
      const Int all = reads(t, p_.macs() / (shared[t] * broadcast[t]));
      charge(terms, innermost_[t], t, all, true, 0);
      continue;
    }
    const Int all = reads(t, p_.macs() / broadcast[t]);
    const Int cycles = times(all, transfer_[0][t]);
    require(cycles % pes == 0, "a PE's share is no multiple of the unit");
    level0 =
        p_.levels[0].shared_ports ? plus(level0, cycles / pes) : std::max(level0, cycles / pes);
    terms.energy = plus(terms.energy, times(all, access_[0]));
  }
  terms.latency = std::max(terms.latency, level0);
  return terms;
}

}  // namespace pimbb_check
