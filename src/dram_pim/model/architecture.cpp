// Bandwidths, unit-type rules and the well-formedness of an architecture.
#include "pimbb/dram_pim/architecture.hpp"

#include <set>

#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

constexpr std::int64_t kMaxRowBytes = std::int64_t{1} << 24;  // row models tabulate over a row

class Checker {
 public:
  explicit Checker(const Architecture& architecture) : architecture_(architecture) {}

  void pe_array() const {
    const PeArray& pe = architecture_.pe_array;
    at_least_1("pe_array.dim_h", pe.height);
    at_least_1("pe_array.dim_w", pe.width);
    at_least_1("pe_array.num_macs", pe.num_macs);
    not_negative("pe_array.mac_energy", pe.mac_energy);
    not_negative("pe_array.reduction_latency", pe.reduction_latency);
  }

  void levels() const {
    if (architecture_.levels.size() < 4) {
      fail("memory_hierarchy", std::to_string(architecture_.levels.size()) + " levels",
           "4 or more: PE buffer, on-chip buffers, row buffer, DRAM");
    }
    std::set<std::string> names;
    for (const MemoryLevel& level : architecture_.levels) {
      if (level.name.empty()) fail("memory_hierarchy", "a level without a name", "a name each");
      if (!names.insert(level.name).second) {
        fail("memory_hierarchy", "two levels named '" + level.name + "'", "distinct names");
      }
      this->level(level);
    }
    const MemoryLevel& rb = architecture_.levels[architecture_.row_buffer()];
    if (!rb.row_buffer_size) {
      fail(rb.name + ".row_buffer_size", "nothing", "bytes of a DRAM row, 1 .. 16777216");
    }
    if (*rb.row_buffer_size > kMaxRowBytes) {
      fail(rb.name + ".row_buffer_size", std::to_string(*rb.row_buffer_size),
           "bytes of a DRAM row, 1 .. 16777216");
    }
  }

  void dram() const {
    const DramTimings& t = architecture_.dram_timings;
    not_negative("dram_timings.tRCDRD", t.tRCDRD);
    not_negative("dram_timings.tRP", t.tRP);
    if (t.activation_latency) {
      not_negative("dram_timings.activation_latency", *t.activation_latency);
    }
    not_negative("activation_energy", architecture_.activation_energy);
    if (architecture_.interconnect_bandwidth) {
      positive("interconnect_bandwidth", *architecture_.interconnect_bandwidth);
    }
    for (const Tensor tensor : kAllTensors) {
      const std::int64_t bits = architecture_.bits[index(tensor)];
      if (bits < 1 || bits > 1024) {
        fail("bits." + std::string(name(tensor)), std::to_string(bits), "integers 1 .. 1024");
      }
    }
  }

 private:
  void level(const MemoryLevel& level) const {
    if (level.capacity && *level.capacity < 0) {
      fail(level.name + ".entries", std::to_string(*level.capacity),
           "bytes >= 0, or -1 for unbounded");
    }
    at_least_1(level.name + ".blocksize", level.blocksize);
    at_least_1(level.name + ".instances", level.instances);
    at_least_1(level.name + ".num_read_ports", level.num_read_ports);
    at_least_1(level.name + ".num_write_ports", level.num_write_ports);
    if (level.row_buffer_size) at_least_1(level.name + ".row_buffer_size", *level.row_buffer_size);
    if (level.num_banks) at_least_1(level.name + ".num_banks", *level.num_banks);
    not_negative(level.name + ".access_cost", level.access_cost);
    if (level.read_bandwidth) positive(level.name + ".read_bandwidth", *level.read_bandwidth);
    if (level.write_bandwidth) positive(level.name + ".write_bandwidth", *level.write_bandwidth);
    positive(level.name + ".latency", level.latency);
  }

  void at_least_1(const std::string& key, std::int64_t value) const {
    if (value < 1) fail(key, std::to_string(value), "integers >= 1");
  }
  void positive(const std::string& key, const Rational& value) const {
    if (value.sign() <= 0) fail(key, value.to_string(), "numbers > 0");
  }
  void not_negative(const std::string& key, const Rational& value) const {
    if (value.sign() < 0) fail(key, value.to_string(), "numbers >= 0");
  }
  [[noreturn]] void fail(const std::string& key, const std::string& found,
                         const std::string& allowed) const {
    throw InputError("architecture '" + architecture_.name + "': " + key + ": found " + found +
                     ", allowed are " + allowed);
  }

  const Architecture& architecture_;
};

}  // namespace

std::int64_t PeArray::extent(Direction d) const {
  switch (d) {
    case Direction::H: return height;
    case Direction::W: return width;
    default: return num_macs;
  }
}

bool PeArray::allows(Direction d, Dim dim) const {
  const bool internal = d == Direction::internal;
  switch (unit_type) {
    case UnitType::scalar: return !internal;
    case UnitType::simd: return !internal || !is_reduction(dim);
    case UnitType::reduction_tree: return !internal || is_reduction(dim);
    case UnitType::tensor_core:
      if (!internal) return !is_reduction(dim);
      return internal_dim ? dim == *internal_dim && is_reduction(dim) : is_reduction(dim);
    default: return (d == Direction::H && dim == Dim::K) || (d == Direction::W && dim == Dim::C);
  }
}

Rational MemoryLevel::bandwidth(Tensor t) const {
  const bool writes = t == Tensor::output;
  const std::optional<Rational>& given = writes ? write_bandwidth : read_bandwidth;
  const Rational per_port = given ? *given : Rational(blocksize) / latency;
  return per_port * (writes ? num_write_ports : num_read_ports);
}

Rational Architecture::activation_cycles() const {
  return dram_timings.activation_latency ? *dram_timings.activation_latency
                                         : dram_timings.tRCDRD + dram_timings.tRP;
}

TensorFlags Architecture::storable(std::size_t level) const {
  return level >= row_buffer() ? TensorFlags{true, true, true} : levels[level].stores;
}

void validate(const Architecture& architecture) {
  const Checker check(architecture);
  check.pe_array();
  check.levels();
  check.dram();
}

}  // namespace pimbb::dram_pim
