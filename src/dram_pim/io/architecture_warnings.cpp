// Part by part, in the order of the format.
#include "dram_pim/io/architecture_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dram_pim/model/architecture_fields.hpp"
#include "files/warning_list.hpp"

namespace pimbb::dram_pim::io {
namespace {

constexpr const char* kNoFormula = "enters no formula";

class ArchitectureReview {
 public:
  ArchitectureReview(const files::Value& file, const Architecture& a) : file_(file), a_(a) {}

  std::vector<std::string> warnings() {
    review_pe_array(*file_.get("pe_array"));
    const std::vector<files::Value> levels = file_.get("memory_hierarchy")->list("levels");
    for (std::size_t m = 0; m < levels.size(); ++m) {
      review_instances(levels[m], m);
      if (m == a_.dram()) {
        review_dram(levels[m]);
      } else if (m == a_.row_buffer()) {
        review_bandwidth(levels[m], m);
        review_row_buffer(levels[m]);
      } else {
        review_bandwidth(levels[m], m);
        for (const char* key : {"row_buffer_size", "num_banks"}) {
          list_.add_entry(levels[m], key, "enters no formula on this level");
        }
      }
    }
    review_timings();
    review_bits();
    for (const char* key : {"vault_count", "pu_count"}) {
      list_.add_entry(file_, key, "counts units: enters no formula of one unit");
    }
    return list_.texts();
  }

 private:
  void review_pe_array(const files::Value& pe) {
    const PeArray& array = a_.pe_array;
    const std::string unit(kUnitTypeNames[static_cast<std::size_t>(array.unit_type)]);
    const bool inside =
        std::ranges::any_of(kAllDims, [&](Dim j) { return array.allows(Direction::internal, j); });
    const bool reduces = std::ranges::any_of(
        kAllDims, [&](Dim j) { return is_reduction(j) && array.allows(Direction::internal, j); });
    if (!inside && array.num_macs > 1) {
      list_.add_entry(
          pe, "num_macs",
          fmt::format("{} MACs, but a PE of the unit type {} uses one", array.num_macs, unit));
    }
    if (!reduces && array.reduction_latency.sign() > 0) {
      list_.add_entry(pe, "reduction_latency",
                      fmt::format("enters no formula: the unit type {} reduces nothing", unit));
    }
    if (array.unit_type != UnitType::tensor_core) {
      list_.add_entry(pe, "internal_dim",
                      "enters no formula but that of the unit type tensor_core");
    }
  }

  void review_instances(const files::Value& level, std::size_t m) {
    const std::int64_t assumed = m == 0 ? a_.pe_array.height * a_.pe_array.width : 1;
    const std::int64_t given = a_.levels[m].instances;
    list_.add_entry(level, "instances",
                    given == assumed ? kNoFormula
                    : m == 0
                        ? fmt::format("{} of them, but the array has {} PEs, each with its own; it "
                                      "enters no formula",
                                      given, assumed)
                        : fmt::format("{} of them, but there is one of each level outside the PEs; "
                                      "it enters no formula",
                                      given));
  }

  void review_bandwidth(const files::Value& value, std::size_t m) {
    const MemoryLevel& level = a_.levels[m];
    if (level.read_bandwidth && level.write_bandwidth) {
      for (const char* key : {"blocksize", "latency"}) {
        list_.add_entry(value, key, "enters no formula where both bandwidths are given");
      }
    }
    const TensorFlags stored = a_.storable(m);
    const auto unused = [&](bool used, std::initializer_list<const char*> keys, const char* what) {
      if (used) return;
      for (const char* key : keys) {
        list_.add_entry(value, key, fmt::format("enters no formula where no {} is stored", what));
      }
    };
    unused(stored[index(Tensor::output)],
           {"write_bandwidth", "write_bandwidth_limit", "num_write_ports"}, "output");
    unused(stored[index(Tensor::input)] || stored[index(Tensor::weight)],
           {"read_bandwidth", "read_bandwidth_limit", "num_read_ports"}, "input or weight");
  }

  void review_row_buffer(const files::Value& value) {
    const MemoryLevel& level = a_.levels[a_.row_buffer()];
    if (level.shared_ports) {
      list_.add_entry(value, "ports",
                      "enters no formula: tensors come from banks or in rows of "
                      "their own; dram_streams: shared gives them one column path");
    }
    review_bypass(value, level);
    if (!level.capacity) return;
    if (*level.capacity < a_.row_bytes()) {
      list_.add_entry(
          value, "row_buffer_size",
          fmt::format("a row of {} bytes in a row buffer of {}", a_.row_bytes(), *level.capacity));
    }
    for (std::size_t m = 0; m < a_.row_buffer(); ++m) review_starved(value, m, *level.capacity);
  }

  /// Every tile of a level is part of one in the row buffer.
  void review_starved(const files::Value& value, std::size_t m, std::int64_t capacity) {
    const MemoryLevel& level = a_.levels[m];
    const auto tensors = std::ranges::count(level.stores, true);
    if (tensors == 0) return;
    if (level.capacity && *level.capacity / tensors <= capacity) return;
    const std::string most =
        level.capacity ? fmt::format("its {}", *level.capacity) : "any number of";
    list_.add_entry(value, "entries",
                    fmt::format("no tile is larger, so '{}' can use {} of {} bytes; -1 if data "
                                "stream through the row buffer",
                                level.name, tensors * capacity, most));
  }

  void review_dram(const files::Value& value) {
    for (const char* key :
         {"blocksize", "latency", "read_bandwidth", "read_bandwidth_limit", "write_bandwidth",
          "write_bandwidth_limit", "num_read_ports", "num_write_ports", "ports"}) {
      list_.add_entry(value, key, "enters no formula at the DRAM");
    }
    const MemoryLevel& dram = a_.levels[a_.dram()];
    const MemoryLevel& row_buffer = a_.levels[a_.row_buffer()];
    review_bypass(value, dram);
    review_again(value, "row_buffer_size", dram.row_buffer_size, row_buffer.row_buffer_size);
    review_again(value, "num_banks", dram.num_banks, row_buffer.num_banks);
  }

  void review_bypass(const files::Value& value, const MemoryLevel& level) {
    if (!level.bypass_free) return;
    list_.add_entry(value, "bypass_defined", "false, but every tensor is stored here");
  }

  /// What the DRAM says of the row buffer.
  void review_again(const files::Value& value, const char* key,
                    const std::optional<std::int64_t>& here,
                    const std::optional<std::int64_t>& there) {
    if (!here || !there) return;
    list_.add_entry(
        value, key,
        here == there ? std::string("enters no formula: the row buffer's does")
                      : fmt::format("{}, but the row buffer says {}, which counts", *here, *there));
  }

  void review_timings() {
    const std::optional<files::Value> timings = file_.get("dram_timings");
    if (timings) {
      for (const char* key : {"RL", "WL", "BL", "co_w"}) list_.add_entry(*timings, key, kNoFormula);
    }
    for (const char* key : {"tRCDRD", "tRP"}) {
      if (a_.dram_timings.activation_latency) {
        list_.add_entry(*timings, key, "enters no formula where activation_latency is given");
      } else if (!timings || !timings->has(key)) {
        list_.add(key, timings ? *timings : file_,
                  fmt::format("{} is missing, 14 cycles are assumed", key));
      }
    }
  }

  void review_bits() {
    const std::optional<files::Value> bits = file_.get("bits");
    if (!bits || a_.packing == Packing::bit) return;
    for (const Tensor t : kAllTensors) {
      if (a_.bits[index(t)] % 8 == 0) continue;
      list_.add_entry(*bits, name(t),
                      fmt::format("{} bits take {} with packing: byte, the default",
                                  a_.bits[index(t)], 8 * a_.element_units(t)));
    }
  }

  const files::Value& file_;
  const Architecture& a_;
  files::WarningList list_;
};

}  // namespace

std::vector<std::string> architecture_warnings(const files::Value& file,
                                               const Architecture& architecture) {
  return ArchitectureReview(file, architecture).warnings();
}

}  // namespace pimbb::dram_pim::io
