// Array groups into equal cores, exactly: is there a packing within the crossbars and nodes of each
// core, in which no core takes longer than a deadline?
//
// Cores are filled one after the other. The next one holds an array group of the first node that is
// left (some core must), and nothing that is left could be added to it: fewer array groups never
// cost time or room, so it never helps to leave room. What is left after so many cores and has
// failed once is not tried again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "crossbar/assign/problem.hpp"
#include "run/clock.hpp"

namespace pimbb::crossbar::assign {

enum class Answer : std::uint8_t { no, yes, undecided };

/// What exact searches may spend; shared by all of a solve.
struct Effort {
  std::uint64_t nodes = 0;  ///< spent
  std::uint64_t most_nodes = ~std::uint64_t{0};
  std::uint64_t bytes = 0;  ///< peak
  std::uint64_t most_bytes = ~std::uint64_t{0};
  std::function<bool()> stop = {};

  /// The memory of a run, and its clock, which must outlive this.
  static Effort within(const RunLimits& limits, const run::Clock& clock) {
    Effort effort;
    effort.most_bytes = limits.memory_limit;
    effort.stop = [&clock] { return clock.stopped(); };
    return effort;
  }
  [[nodiscard]] bool stopped() const { return stop && stop(); }
  [[nodiscard]] bool exhausted() const { return nodes >= most_nodes; }
  /// Counts a node; sometimes asks whether to stop, which exhausts it.
  void spend() {
    ++nodes;
    if (nodes % 256 == 0 && stopped()) most_nodes = nodes;
  }
  /// Counts so many nodes, or those that are left.
  void spend_up_to(std::uint64_t count) {
    for (std::uint64_t i = std::min(count, most_nodes - nodes); i > 0; --i) spend();
  }
  /// For a part of the work: so many nodes more, or those that are left.
  [[nodiscard]] Effort part(std::uint64_t count) const {
    Effort part = *this;
    part.most_nodes = nodes + std::min(count, most_nodes - nodes);
    return part;
  }
  /// What such a part has taken.
  void add(const Effort& part) {
    nodes = part.nodes;
    bytes = std::max(bytes, part.bytes);
  }
};

/// Receives the records of a refutation (docs/crossbar-proof-format.md), in order; empty: nobody.
using Trace = std::function<void(const std::string&)>;

struct Packed {
  Answer answer = Answer::undecided;
  std::vector<std::vector<Share>> cores;  ///< if yes: of all cores, ascending by array
};

/// `replication` by family; without a deadline only room counts.
Packed pack(const Problem& problem, const std::vector<std::int64_t>& replication,
            std::optional<std::int64_t> deadline, Effort& effort, const Trace& trace = {});

/// Packs the array groups of `least` replicas with the cycles of `most`: if that has no packing, no
/// replication between these has one, since more array groups and more cycles never cost less.
Answer pack_least(const Problem& problem, const std::vector<std::int64_t>& least,
                  const std::vector<std::int64_t>& most, std::optional<std::int64_t> deadline,
                  Effort& effort, const Trace& trace = {});

}  // namespace pimbb::crossbar::assign
