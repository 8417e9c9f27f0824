// Part by part, in the order of the format.
#include "cim/io/architecture_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "files/warning_list.hpp"

namespace pimbb::cim::io {
namespace {

class ArchitectureReview {
 public:
  ArchitectureReview(const files::Value& file, const Architecture& a) : file_(file), a_(a) {}

  std::vector<std::string> warnings() {
    review_bits();
    review_axes();
    const std::vector<files::Value> levels = file_.get("memory_hierarchy")->list("levels");
    for (std::size_t m = 0; m < levels.size(); ++m) review_level(levels[m], m);
    return list_.texts();
  }

 private:
  void review_bits() {
    const std::int64_t output = a_.bits.tensor[index(Tensor::output)];
    if (a_.bits.psum < output) {
      list_.add_entry(*file_.get("bits"), "psum",
                      fmt::format("{} bits of a partial sum, but {} of the output that it becomes",
                                  a_.bits.psum, output));
    }
    const std::int64_t input = a_.bits.tensor[index(Tensor::input)];
    if (a_.macro.input_bits_per_cycle > input) {
      list_.add_entry(
          *file_.get("macro"), "input_bits_per_cycle",
          fmt::format("{} bits, but an input has {}", a_.macro.input_bits_per_cycle, input));
    }
  }

  void review_axes() {
    const std::vector<files::Value> axes = file_.get("spatial_axes")->list("axes");
    for (std::size_t u = 0; u < axes.size(); ++u) {
      if (a_.axes[u].size == 1 || std::ranges::count(a_.axes[u].dims, true) > 0) continue;
      list_.add_entry(axes[u], "size",
                      fmt::format("{}, but no dimension may be unrolled on the axis '{}'",
                                  a_.axes[u].size, a_.axes[u].name));
    }
  }

  void review_level(const files::Value& value, std::size_t m) {
    const Level& level = a_.levels[m];
    if (std::ranges::count(level.stores, true) == 0) {
      list_.add_entry(value, "stores", "no tensor, so the level enters no formula");
      return;
    }
    review_size(value, m);
    const bool innermost = std::ranges::all_of(
        kAllTensors, [&](Tensor t) { return !level.stores[index(t)] || a_.innermost(t) == m; });
    if (innermost && level.read_energy.sign() > 0) {
      list_.add_entry(value, "read_energy",
                      "enters no formula at the innermost level of every tensor that is stored");
    }
    if (level.always_charged && level.write_energy.sign() == 0) {
      list_.add_entry(value, "always_charged", "enters no formula where write_energy is 0");
    }
    if (m == a_.dram()) {
      list_.add_entry(value, "double_buffer", "enters no formula at the DRAM");
    }
  }

  /// A level that holds no element.
  void review_size(const files::Value& value, std::size_t m) {
    const Level& level = a_.levels[m];
    std::int64_t least = a_.bits.psum;
    for (const Tensor t : kAllTensors) {
      if (level.stores[index(t)]) least = std::min(least, a_.bits.tensor[index(t)]);
    }
    if (!level.size_bits || *level.size_bits >= least) return;
    list_.add_entry(
        value, "size_bits",
        fmt::format("{} bits hold no element of a tensor that is stored here", *level.size_bits));
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

}  // namespace pimbb::cim::io
