// One function for each kind of figure.
//
// More of a size never hurts: rows, columns and MACs of the array and bytes of a level are upper
// limits of what a mapping uses (docs/model.md, "Mapping", rules 3 and 6), and no cost term depends
// on them. The size of a row is none of these: row activations go up and down with it.
#include "dram_pim/answers/figures.hpp"

#include <algorithm>

#include "dram_pim/model/architecture_fields.hpp"

namespace pimbb::dram_pim::answers {
namespace {

using pimbb::answers::integer_of;

/// Bytes that a mapping takes at a bounded level: of its largest tile at the row buffer, which has
/// so many for each tensor, of all together elsewhere.
std::int64_t bytes_at(const Architecture& a, const Workload& w, const Mapping& m,
                      std::size_t level) {
  const Factors tile = level == 0 ? m.pe_tile() : m.tile(level);
  std::int64_t bytes = 0;
  for (const Tensor t : kAllTensors) {
    if (!m.levels[level].stores[index(t)]) continue;
    const std::int64_t own = a.tile_bytes(t, w.tile_elements(t, tile));
    bytes = level == a.row_buffer() ? std::max(bytes, own) : bytes + own;
  }
  return bytes;
}

/// Bytes with which a level holds the whole layer.
std::int64_t bytes_of_all(const Architecture& a, const Workload& w) {
  std::int64_t bytes = 0;
  for (const Tensor t : kAllTensors) bytes += a.tile_bytes(t, w.tensor_elements(t));
  return bytes;
}

class Collector {
 public:
  explicit Collector(const Architecture& a) : a_(a) {}

  std::vector<Figure> collect() {
    size_of_array("dim_h", &PeArray::height, Direction::H, "PE rows");
    size_of_array("dim_w", &PeArray::width, Direction::W, "PE columns");
    size_of_array("num_macs", &PeArray::num_macs, Direction::internal, "MACs");
    add("pe_array.mac_energy", FigureKind::energy, "nJ", a_.pe_array.mac_energy,
        [](Architecture& a, const Rational& x) { a.pe_array.mac_energy = x; });
    if (a_.pe_array.unit_type != UnitType::scalar) {
      add("pe_array.reduction_latency", FigureKind::time, "cycles", a_.pe_array.reduction_latency,
          [](Architecture& a, const Rational& x) { a.pe_array.reduction_latency = x; });
    }
    for (std::size_t level = 0; level < a_.levels.size(); ++level) figures_of_level(level);
    figures_of_dram();
    return std::move(figures_);
  }

 private:
  using Setter = std::function<void(Architecture&, const Rational&)>;

  Figure& add(const std::string& path, FigureKind kind, const std::string& unit,
              const Rational& today, const Setter& set) {
    return pimbb::answers::add_figure(figures_, path, kind, unit, today, set);
  }

  void size_of_array(const char* key, std::int64_t PeArray::*member, Direction d,
                     const char* unit) {
    Figure& figure =
        add(std::string("pe_array.") + key, FigureKind::size, unit, a_.pe_array.*member,
            [member](Architecture& a, const Rational& x) { a.pe_array.*member = integer_of(x); });
    figure.most = [this_array = a_.pe_array, d](const Workload& w) {
      std::int64_t all = 1;
      for (const Dim j : kAllDims) {
        if (!this_array.allows(d, j)) continue;
        all = w.bound(j) > kLargestCount / all ? kLargestCount : all * w.bound(j);
      }
      return all;
    };
    figure.need = [d](const Workload&, const Mapping& m) { return product(m.spatial_in(d)); };
  }

  void figures_of_level(std::size_t level) {
    const MemoryLevel& own = a_.levels[level];
    const std::string path = "levels." + own.name + ".";
    if (own.capacity) {
      Figure& figure = add(path + "entries", FigureKind::size, "B", *own.capacity,
                           [level](Architecture& a, const Rational& x) {
                             a.levels[level].capacity = integer_of(x);
                           });
      figure.least = 0;
      figure.most = [&a = a_](const Workload& w) { return bytes_of_all(a, w); };
      figure.need = [&a = a_, level](const Workload& w, const Mapping& m) {
        return bytes_at(a, w, m, level);
      };
    }
    add(path + "access_cost", FigureKind::energy, "nJ", own.access_cost,
        [level](Architecture& a, const Rational& x) { a.levels[level].access_cost = x; });
    if (level == a_.dram()) return;  // its bandwidth enters no formula
    if (!own.read_bandwidth || !own.write_bandwidth) {
      add(path + "latency", FigureKind::time, "cycles", own.latency,
          [level](Architecture& a, const Rational& x) { a.levels[level].latency = x; })
          .may_be_zero = false;
    }
    rates_of_level(level, path);
  }

  /// Bandwidths are set whole, so that a number of ports may be a fraction in between.
  void rates_of_level(std::size_t level, const std::string& path) {
    const MemoryLevel& own = a_.levels[level];
    const auto rate = [&](const char* key, const char* unit, const Rational& today,
                          const Rational& per_unit, bool writes) -> Figure& {
      Figure& figure = add(path + key, FigureKind::rate, unit, today,
                           [level, per_unit, writes](Architecture& a, const Rational& x) {
                             MemoryLevel& other = a.levels[level];
                             (writes ? other.write_bandwidth : other.read_bandwidth) = x * per_unit;
                             (writes ? other.num_write_ports : other.num_read_ports) = 1;
                           });
      figure.may_be_zero = false;
      return figure;
    };
    const auto ports = [&](const char* key, std::int64_t count, const Rational& bandwidth,
                           const std::optional<Rational>& given, const char* twin, bool writes) {
      Figure& figure = rate(key, "ports", count, bandwidth / count, writes);
      if (!given) return;
      figure.twin = path + twin;
      figure.per_twin = Rational(count) / *given;
    };
    if (own.read_bandwidth) {
      rate("read_bandwidth", "B/cycle", *own.read_bandwidth, own.num_read_ports, false);
    }
    if (own.write_bandwidth) {
      rate("write_bandwidth", "B/cycle", *own.write_bandwidth, own.num_write_ports, true);
    }
    ports("num_read_ports", own.num_read_ports, own.bandwidth(Tensor::input), own.read_bandwidth,
          "read_bandwidth", false);
    ports("num_write_ports", own.num_write_ports, own.bandwidth(Tensor::output),
          own.write_bandwidth, "write_bandwidth", true);
  }

  void figures_of_dram() {
    const std::size_t level = a_.row_buffer();
    add("levels." + a_.levels[level].name + ".row_buffer_size", FigureKind::shape, "B",
        a_.row_bytes(), [level](Architecture& a, const Rational& x) {
          a.levels[level].row_buffer_size = integer_of(x);
        });
    add("dram_timings.activation_latency", FigureKind::time, "cycles", a_.activation_cycles(),
        [](Architecture& a, const Rational& x) { a.dram_timings.activation_latency = x; });
    add("activation_energy", FigureKind::energy, "nJ", a_.activation_energy,
        [](Architecture& a, const Rational& x) { a.activation_energy = x; });
    if (!a_.interconnect_bandwidth) return;
    add("interconnect_bandwidth", FigureKind::rate, "B/cycle", *a_.interconnect_bandwidth,
        [](Architecture& a, const Rational& x) { a.interconnect_bandwidth = x; })
        .may_be_zero = false;
  }

  const Architecture& a_;
  std::vector<Figure> figures_;
};

}  // namespace

std::vector<Figure> figures_of(const Architecture& architecture) {
  return Collector(architecture).collect();
}

}  // namespace pimbb::dram_pim::answers
