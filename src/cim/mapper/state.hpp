// States of a nest that is built from its innermost loop outwards.
//
// For each tensor: the level of the outermost loop so far, and what its block lacks. `placed`: the
// block's transfer belongs to a loop already, or there is none. `leaving`: it was given to an
// irrelevant loop, which therefore must be the outermost of the block. Otherwise the transfer is
// pending; its time, energy per firing and whether it is hidden were fixed when the block began,
// and their number in a table is part of the state. Of outputs, also whether they are partial sums.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "cim/mapper/space.hpp"

namespace pimbb::cim::mapper {

inline constexpr std::uint32_t kPlaced = 0;
inline constexpr std::uint32_t kLeaving = 1;
inline constexpr std::uint32_t kFirstPending = 2;

struct Stand {  ///< of one tensor
  std::uint32_t transfer = kLeaving;
  std::uint8_t level = kMac;
  bool psum = false;
  friend bool operator==(const Stand&, const Stand&) = default;
};

struct State {
  std::uint32_t cell = 0;
  PerTensor<Stand> stand;
  friend bool operator==(const State&, const State&) = default;
  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t h = cell;
    for (const Stand& s : stand) {
      const std::uint64_t word =
          (std::uint64_t{s.transfer} << 8 | s.level) << 1 | static_cast<std::uint64_t>(s.psum);
      h = (h ^ word) * 0x9E3779B97F4A7C15U;
      h ^= h >> 29;
    }
    return h;
  }
};

struct Pending {
  Time time = 0;
  Energy energy = 0;  ///< per firing
  bool hidden = false;
  /// Tells apart transfers that cost the same; 0 where that does not matter.
  std::uint64_t origin = 0;
};

class PendingTable {
 public:
  std::uint32_t number(const Pending& pending) {
    const auto [found, is_new] =
        numbers_.try_emplace({pending.time, pending.energy, pending.hidden, pending.origin},
                             static_cast<std::uint32_t>(all_.size()) + kFirstPending);
    if (is_new) all_.push_back(pending);
    return found->second;
  }
  const Pending& operator[](std::uint32_t transfer) const { return all_[transfer - kFirstPending]; }

 private:
  std::map<std::tuple<Time, Energy, bool, std::uint64_t>, std::uint32_t> numbers_;
  std::vector<Pending> all_;
};

/// Finds the number of a state; open addressing, nothing is ever removed. A slot has a part of the
/// hash beside the number, so that other states are seldom looked at.
class StateIndex {
 public:
  StateIndex() : slots_(1024) {}
  /// Its number, the next one if it is new.
  std::uint32_t number(const State& state) {
    if (states_.size() * 2 >= slots_.size()) grow();
    const std::uint64_t hash = state.hash();
    const auto mark = static_cast<std::uint32_t>(hash >> 32);
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot].number != kNone &&
           !(slots_[slot].mark == mark && states_[slots_[slot].number] == state)) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    if (slots_[slot].number == kNone) {
      slots_[slot] = {static_cast<std::uint32_t>(states_.size()), mark};
      states_.push_back(state);
    }
    return slots_[slot].number;
  }
  /// Its number; nothing if it has none.
  [[nodiscard]] std::optional<std::uint32_t> find(const State& state) const {
    const std::uint64_t hash = state.hash();
    const auto mark = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t slot = hash & (slots_.size() - 1); slots_[slot].number != kNone;
         slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot].mark == mark && states_[slots_[slot].number] == state) {
        return slots_[slot].number;
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] const State& operator[](std::uint32_t number) const { return states_[number]; }
  [[nodiscard]] std::size_t size() const { return states_.size(); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Slot {
    std::uint32_t number = kNone;
    std::uint32_t mark = 0;
  };
  void grow() {
    slots_.assign(slots_.size() * 2, Slot{});
    for (std::uint32_t s = 0; s < states_.size(); ++s) {
      const std::uint64_t hash = states_[s].hash();
      std::size_t slot = hash & (slots_.size() - 1);
      while (slots_[slot].number != kNone) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = {s, static_cast<std::uint32_t>(hash >> 32)};
    }
  }
  std::vector<Slot> slots_;
  std::vector<State> states_;
};

}  // namespace pimbb::cim::mapper
