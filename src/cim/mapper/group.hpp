// Labels of one state, what their bounds need to know, and facts of cells.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cim/mapper/label.hpp"
#include "cim/mapper/space.hpp"
#include "cim/mapper/target.hpp"
#include "cim/mapper/traces.hpp"

namespace pimbb::cim::mapper {

template <std::size_t More>
struct Label {
  TensorTimes times{};
  std::array<std::int64_t, More> more{};  ///< label_numbers.hpp
  Energy energy = 0;
  std::uint32_t trace = kNoTrace;

  void lower_to(const Label& other) {
    for (std::size_t k = 0; k < kTimes; ++k) times[k] = std::min(times[k], other.times[k]);
    for (std::size_t k = 0; k < More; ++k) more[k] = std::min(more[k], other.more[k]);
    energy = std::min(energy, other.energy);
  }
};

/// What the bounds of the labels of a state need to know.
template <std::size_t More>
struct Prospect {
  std::array<std::int64_t, More> need{};    ///< bits of the tiles that grow at shared levels
  std::array<std::int64_t, More> future{};  ///< most that may still be kept there
  Energy energy = 0;                        ///< least that is still to come
  Ahead ahead;
};

/// The labels of a state, none of which makes a later one needless.
template <class Rule, std::size_t More>
struct Group {
  Prospect<More> prospect;
  std::vector<Label<More>> labels;

  /// Whether y is needless beside x.
  [[nodiscard]] bool covers(const Label<More>& x, const Label<More>& y,
                            const Exchange& exchange) const {
    for (std::size_t k = 0; k < More; ++k) {
      if (x.more[k] > y.more[k]) return false;
    }
    const Delay delay = Rule::delay(x.times, y.times, prospect.ahead);
    return exchange.pays(delay.each, delay.loops, y.energy - x.energy);
  }

  /// Whether the label is kept; labels that it makes needless are dropped.
  bool insert(const Label<More>& label, const Exchange& exchange) {
    std::size_t kept = 0;
    std::size_t k = 0;
    for (; k < labels.size(); ++k) {
      if (covers(labels[k], label, exchange)) break;
      if (covers(label, labels[k], exchange)) continue;
      if (kept != k) labels[kept] = labels[k];
      ++kept;
    }
    const bool is_new = k == labels.size();
    if (!is_new && kept == k) {
      std::swap(labels[k], labels[k / 2]);  // it may be met sooner the next time
      return false;
    }
    // What the label made needless stays so, beside the one that makes the label needless.
    labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(kept),
                 labels.begin() + static_cast<std::ptrdiff_t>(k));
    if (is_new) labels.push_back(label);
    return is_new;
  }

  /// The least of every number: if even that leads nowhere, no label does.
  [[nodiscard]] Label<More> least() const {
    Label<More> least = labels.front();
    for (const Label<More>& label : labels) least.lower_to(label);
    return least;
  }
};

/// What depends on the cell only.
struct CellFacts {
  std::int64_t left = 1;
  std::int64_t smallest = 1;  ///< factor of a loop, 1 if none is left
  std::int64_t reductions_left = 1;
  PerTensor<std::uint32_t> plot{};
};

/// Of all cells, by number.
std::vector<CellFacts> facts_of(const Space& space);

}  // namespace pimbb::cim::mapper
