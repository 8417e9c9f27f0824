// Chains, innermost levels, and the well-formedness of an architecture.
#include "pimbb/cim/architecture.hpp"

#include <algorithm>
#include <set>

#include "pimbb/cim/mapping.hpp"
#include "pimbb/error.hpp"

namespace pimbb::cim {
namespace {

class Checker {
 public:
  explicit Checker(const Architecture& architecture) : a_(architecture) {}

  void run() const {
    for (const Tensor t : kAllTensors) bits(name(t), a_.bits.tensor[index(t)]);
    bits("psum", a_.bits.psum);
    if (a_.macro.input_bits_per_cycle < 1) {
      fail("macro.input_bits_per_cycle", std::to_string(a_.macro.input_bits_per_cycle),
           "integers >= 1");
    }
    not_negative("macro.activation_energy", a_.macro.activation_energy);
    not_negative("leakage", a_.leakage);
    levels();
    axes();
  }

 private:
  void bits(std::string_view key, std::int64_t bits) const {
    if (bits < 1 || bits > kMaxBits) {
      fail("bits." + std::string(key), std::to_string(bits), "integers 1 .. 1024");
    }
  }

  void not_negative(const std::string& key, const Rational& value) const {
    if (value.sign() < 0) fail(key, value.to_string(), "numbers >= 0");
  }

  void levels() const {
    if (a_.levels.empty() || a_.levels.size() > kMaxLevels) {
      fail("memory_hierarchy", std::to_string(a_.levels.size()) + " levels",
           "1 .. 16 levels, innermost first, the DRAM last");
    }
    std::set<std::string> names;
    for (const Level& level : a_.levels) {
      if (level.name.empty() || !names.insert(level.name).second) {
        fail("memory_hierarchy", "the name '" + level.name + "' twice or empty", "distinct names");
      }
    }
    for (const Tensor t : kAllTensors) {
      if (!a_.levels.back().stores[index(t)]) {
        fail(a_.levels.back().name + ".stores", "no " + std::string(name(t)),
             "all tensors: the last level is the DRAM");
      }
    }
    for (std::size_t m = 0; m < a_.levels.size(); ++m) level(m);
  }

  void level(std::size_t m) const {
    const Level& level = a_.levels[m];
    if (level.size_bits && *level.size_bits < 0) {
      fail(level.name + ".size_bits", std::to_string(*level.size_bits),
           "bits >= 0, or -1 for unbounded");
    }
    if (level.bandwidth < 1) {
      fail(level.name + ".bandwidth", std::to_string(level.bandwidth), "integers >= 1");
    }
    not_negative(level.name + ".read_energy", level.read_energy);
    not_negative(level.name + ".write_energy", level.write_energy);
    if (m == a_.dram() && level.double_buffer.value_or(false)) {
      fail(level.name + ".double_buffer", "true", "false: nothing is moved into the DRAM");
    }
    const bool innermost =
        std::ranges::any_of(kAllTensors, [&](Tensor t) { return a_.innermost(t) == m; });
    if (level.always_charged && !innermost) {
      fail(level.name + ".always_charged", "true",
           "false: the level is not the innermost one of any tensor");
    }
  }

  void axes() const {
    if (a_.axes.empty() || a_.axes.size() > kMaxAxes) {
      fail("spatial_axes", std::to_string(a_.axes.size()) + " axes",
           "1 .. 8 axes, the cores first");
    }
    std::set<std::string> names;
    for (const Axis& axis : a_.axes) {
      if (axis.name.empty() || !names.insert(axis.name).second) {
        fail("spatial_axes", "the name '" + axis.name + "' twice or empty", "distinct names");
      }
      if (axis.size < 1) {
        fail(axis.name + ".size", std::to_string(axis.size), "integers >= 1");
      }
      for (const Tensor t : kAllTensors) {
        const std::size_t m = axis.fan_out[index(t)];
        if (m >= a_.levels.size() || !a_.levels[m].stores[index(t)]) {
          fail(axis.name + ".fan_out." + std::string(name(t)), "a level that does not store it",
               "levels that store it");
        }
      }
    }
  }

  [[noreturn]] void fail(const std::string& key, const std::string& found,
                         const std::string& allowed) const {
    throw InputError("architecture '" + a_.name + "': " + key + ": found " + found +
                     ", allowed are " + allowed);
  }

  const Architecture& a_;
};

}  // namespace

std::vector<std::size_t> Architecture::chain(Tensor t) const {
  std::vector<std::size_t> chain;
  for (std::size_t m = 0; m < levels.size(); ++m) {
    if (levels[m].stores[index(t)]) chain.push_back(m);
  }
  return chain;
}

std::size_t Architecture::innermost(Tensor t) const {
  std::size_t m = 0;
  while (m < dram() && !levels[m].stores[index(t)]) ++m;
  return m;
}

bool Architecture::may_double(std::size_t level, Tensor t) const {
  if (!levels[level].stores[index(t)]) return false;
  return levels[level].double_buffer.value_or(level != dram() && level != innermost(t));
}

std::int64_t Architecture::product_cycles() const {
  const std::int64_t input = bits.tensor[index(Tensor::input)];
  return (input + macro.input_bits_per_cycle - 1) / macro.input_bits_per_cycle;
}

Factors Mapping::unrolled() const {
  Factors product = kOnes;
  for (const Factors& factors : spatial) product = times(product, factors);
  return product;
}

void validate(const Architecture& architecture) { Checker(architecture).run(); }

}  // namespace pimbb::cim
