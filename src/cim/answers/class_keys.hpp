// Keys of nests: what their costs depend on (class_search.hpp), interned. A key is the parent's key
// and one more part, so that equal keys have equal numbers.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "pimbb/dims.hpp"

namespace pimbb::cim::classes {

using KeyNumber = std::uint32_t;
inline constexpr KeyNumber kNoLoops = 0;

class ClassKeys {
 public:
  /// `first_matters`: the factor of the innermost loop of a run, where the loop just inside carries
  /// a hidden transfer of inputs or weights.
  explicit ClassKeys(bool first_matters) : first_matters_(first_matters), parts_(1) {}

  /// One more loop, outside all others, without transfers.
  KeyNumber with_run(KeyNumber inside, std::int64_t factor) {
    const Part last = parts_[inside];
    if (last.is_run) {
      return number({last.inside, last.product * factor, last.first, {}, true, false});
    }
    const bool matters = first_matters_ && last.hides_inputs_or_weights;
    return number({inside, factor, matters ? factor : 1, {}, true, false});
  }
  /// One more loop with transfers: their numbers, or 0.
  KeyNumber with_carrier(KeyNumber inside, std::int64_t factor,
                         const PerTensor<std::uint32_t>& transfers, bool hides_inputs_or_weights) {
    return number({inside, factor, 1, transfers, false, hides_inputs_or_weights});
  }
  [[nodiscard]] std::uint64_t bytes() const { return parts_.size() * (2 * sizeof(Part) + 32); }

 private:
  struct Part {
    KeyNumber inside = kNoLoops;
    std::int64_t product = 1;  ///< of a run, or the factor of a loop
    std::int64_t first = 1;
    PerTensor<std::uint32_t> transfers{};
    bool is_run = false;
    bool hides_inputs_or_weights = false;
    friend bool operator==(const Part&, const Part&) = default;
  };
  struct Hash {
    std::size_t operator()(const Part& part) const {
      std::uint64_t h = part.inside;
      const auto mix = [&](std::uint64_t word) {
        h = (h ^ word) * 0x9E3779B97F4A7C15U;
        h ^= h >> 29;
      };
      mix(static_cast<std::uint64_t>(part.product));
      mix(static_cast<std::uint64_t>(part.first) << 1 | static_cast<std::uint64_t>(part.is_run));
      for (const std::uint32_t transfer : part.transfers) mix(transfer);
      return h;
    }
  };

  KeyNumber number(const Part& part) {
    const auto [found, is_new] = numbers_.try_emplace(part, static_cast<KeyNumber>(parts_.size()));
    if (is_new) parts_.push_back(part);
    return found->second;
  }

  bool first_matters_;
  std::vector<Part> parts_;  // by number
  std::unordered_map<Part, KeyNumber, Hash> numbers_;
};

}  // namespace pimbb::cim::classes
