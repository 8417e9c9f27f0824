// Bandwidths, unit-type rules and the well-formedness of an architecture.
#include "pimbb/dram_pim/architecture.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "dram_pim/model/architecture_fields.hpp"
#include "exact/int128.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

constexpr std::int64_t kMaxRowUnits = std::int64_t{1} << 24;  // row models tabulate over a row

/// What results call the parts of cycles and energy that are no level's.
constexpr std::array<std::string_view, 4> kReservedNames{"mac", "activations", "compute",
                                                         "interconnect"};

class Checker {
 public:
  explicit Checker(const Architecture& architecture) : architecture_(architecture) {}

  /// The ranges of all plain figures of a part.
  template <class Part>
  void fields(const Part& part, std::span<const Field<Part>> fields,
              const std::string& where) const {
    for (const Field<Part>& field : fields) {
      std::visit(
          [&](const auto member) {
            check(part, member, field.range, where + std::string(field.key));
          },
          field.member);
    }
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
      if (std::ranges::count(kReservedNames, level.name) > 0) {
        fail("memory_hierarchy", "a level named '" + level.name + "'",
             "names other than mac, activations, compute and interconnect, which results use");
      }
      this->level(level);
    }
    const MemoryLevel& rb = architecture_.levels[architecture_.row_buffer()];
    const std::int64_t most = kMaxRowUnits / architecture_.byte_units();
    const std::string allowed = "bytes of a DRAM row, 1 .. " + std::to_string(most);
    if (!rb.row_buffer_size) fail(rb.name + ".row_buffer_size", "nothing", allowed);
    if (*rb.row_buffer_size > most) {
      fail(rb.name + ".row_buffer_size", std::to_string(*rb.row_buffer_size), allowed);
    }
  }

  void bits() const {
    const bool packed = architecture_.packing == Packing::bit;
    const std::int64_t most = most_bits(architecture_.packing);
    for (const Tensor tensor : kAllTensors) {
      const std::int64_t bits = architecture_.bits[index(tensor)];
      if (bits < 1 || bits > most) {
        fail("bits." + std::string(name(tensor)), std::to_string(bits),
             "integers 1 .. " + std::to_string(most) + (packed ? " with packing: bit" : ""));
      }
    }
  }

 private:
  void level(const MemoryLevel& level) const {
    if (level.capacity && *level.capacity < 0) {
      fail(level.name + ".entries", std::to_string(*level.capacity),
           "bytes >= 0, or -1 for unbounded");
    }
    fields<MemoryLevel>(level, kLevelFields, level.name + ".");
  }

  template <class Part, class Number>
  void check(const Part& part, Number Part::*member, Range range, const std::string& key) const {
    check(part.*member, range, key);
  }
  template <class Part>
  void check(const Part&, std::monostate, Range, const std::string&) const {}
  template <class Number>
  void check(const std::optional<Number>& value, Range range, const std::string& key) const {
    if (value) check(*value, range, key);
  }
  void check(bool, Range, const std::string&) const {}
  void check(std::int64_t value, Range, const std::string& key) const {
    if (value < 1) fail(key, std::to_string(value), "integers >= 1");
  }
  void check(const Rational& value, Range range, const std::string& key) const {
    const int least = range == Range::positive ? 1 : 0;
    if (value.sign() >= least) return;
    fail(key, value.to_string(), range == Range::positive ? "numbers > 0" : "numbers >= 0");
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
  if (lifted[index(d)]) return true;
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

std::size_t Architecture::banks() const {
  constexpr std::int64_t kOneEach = kTensors;
  const std::optional<std::int64_t>& given = levels[row_buffer()].num_banks;
  return static_cast<std::size_t>(
      std::min(kOneEach, given ? *given : levels[dram()].num_banks.value_or(kOneEach)));
}

Architecture Architecture::with_input_order(InputOrder order) const {
  Architecture other = *this;
  other.input_order = order;
  return other;
}

Rational Architecture::activation_cycles() const {
  return dram_timings.activation_latency ? *dram_timings.activation_latency
                                         : dram_timings.tRCDRD + dram_timings.tRP;
}

std::int64_t Architecture::elements_in(Tensor t, std::int64_t bytes) const {
  return static_cast<std::int64_t>(Int128{bytes} * byte_units() / element_units(t));
}

TensorFlags Architecture::storable(std::size_t level) const {
  return level >= row_buffer() ? TensorFlags{true, true, true} : levels[level].stores;
}

void validate(const Architecture& architecture) {
  const Checker check(architecture);
  check.fields<PeArray>(architecture.pe_array, kPeFields, "pe_array.");
  check.levels();
  check.fields<DramTimings>(architecture.dram_timings, kTimingFields, "dram_timings.");
  check.fields<Architecture>(architecture, kArchitectureFields, "");
  check.bits();
}

}  // namespace pimbb::dram_pim
