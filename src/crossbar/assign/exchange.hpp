// Exchanges of array groups between two cores until no core takes longer than a deadline.
//
// What counts is the time beyond the deadline, summed over cores: an exchange that does not
// increase it is made. Exchanges that leave it as it is move room and slack about. Every now and
// then, late cores look through all exchanges of bundles with other cores (mend.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
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

  struct Bundle {  // array groups of at most two nodes
    std::vector<Held> held;
    std::int64_t work = 0;  // multiplications
    std::int64_t crossbars = 0;
  };

  void step();
  /// Looks for exchanges of bundles that take time from late cores.
  void mend(std::uint64_t& steps);
  bool mend_core(std::size_t from, bool wholly, std::uint64_t& steps);
  /// An exchange by which the time beyond the deadline decreases, `wholly`: to none.
  bool exchange_bundles(std::size_t from, std::size_t to, const std::vector<Bundle>& bundles,
                        bool wholly);
  /// What the core could give away, by ascending work; nothing is the first.
  [[nodiscard]] std::vector<Bundle> bundles(const Core& core) const;
  [[nodiscard]] std::optional<Core> exchanged(const Core& core, const Bundle& out,
                                              const Bundle& in) const;
  void replace(std::size_t core, Core&& by);
  [[nodiscard]] bool admits(const Core& core, const Change& change) const;
  [[nodiscard]] std::int64_t time_with(const Core& core, const Change& change) const;
  void apply(std::size_t core, const Change& change, std::int64_t time);
  void set_time(std::size_t core, std::int64_t time);
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
