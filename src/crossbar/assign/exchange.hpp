// Exchanges of array groups between two cores until no core takes longer than a deadline.
//
// What counts is the time beyond the deadline, summed over cores: an exchange that does not
// increase it is made. Exchanges that leave it as it is move room and slack about.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "crossbar/assign/problem.hpp"
#include "exact/splitmix64.hpp"

namespace pimbb::crossbar::assign {

class Exchange {
 public:
  Exchange(const Problem& problem, const Mapping& mapping, std::uint64_t seed);

  /// Tries exchanges; whether no core takes longer than the deadline. `steps` counts down.
  bool reach(std::int64_t deadline, std::uint64_t& steps, const std::function<bool()>& stop);
  /// ns, of the slowest core.
  [[nodiscard]] std::int64_t time() const;
  [[nodiscard]] Mapping mapping() const;

 private:
  struct Held {  // array groups in a core
    std::size_t rank;
    std::int64_t groups;
  };
  struct Kind {  // by rank: nodes by descending cycles
    std::size_t array;
    std::int64_t width;
    std::int64_t cycles;
  };
  struct Core {
    std::vector<Held> held;  // by ascending rank
    std::int64_t room = 0;   // crossbars
    std::int64_t time = 0;   // ns
  };
  struct Change {  // of one core
    std::size_t out;
    std::int64_t outs;
    std::size_t in;
    std::int64_t ins;
  };

  void step();
  [[nodiscard]] bool admits(const Core& core, const Change& change) const;
  [[nodiscard]] std::int64_t time_with(const Core& core, const Change& change) const;
  void apply(std::size_t core, const Change& change, std::int64_t time);
  [[nodiscard]] std::int64_t beyond(std::int64_t time) const;

  const Problem& problem_;
  std::vector<std::int64_t> replication_;  // by array
  std::vector<Kind> kinds_;
  std::vector<Core> cores_;
  SplitMix64 random_;
  std::int64_t deadline_ = 0;
  std::vector<std::size_t> late_;  // cores beyond the deadline
};

}  // namespace pimbb::crossbar::assign
