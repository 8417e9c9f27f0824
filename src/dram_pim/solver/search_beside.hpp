// A local search that goes on while the exact search builds tables and expands nodes.
//
// On two threads and more it has a thread of its own. On one thread the two take turns: the exact
// search lends its thread whenever it asks whether it must stop. What is found beside depends on
// time, so it may count only in a run that a time limit or an interruption has ended.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>

#include "dram_pim/solver/minimise.hpp"

namespace pimbb::dram_pim::mapper {

class SearchBeside {
 public:
  /// A search that returns its best mapping when `enough` says so, which it asks for every mapping.
  using Search = std::function<Incumbent(const std::function<bool()>& enough)>;

  SearchBeside() = default;
  SearchBeside(const SearchBeside&) = delete;
  SearchBeside& operator=(const SearchBeside&) = delete;
  ~SearchBeside() { end(); }

  struct When {
    bool takes_turns = false;  ///< only while lend() waits for it
    double late = 0;           ///< not in the first so many seconds
    double mostly = 0.1;  ///< seconds from then on in which six sevenths of the time are its own
    double evenly = 2;    ///< and in which half of it is; a tenth is later
  };
  void start(Search search, When when);
  /// Hands the calling thread's time over for a while if a turn is due, and takes it back.
  void lend();
  /// Ends the search; what it has found, or nothing if it was not started.
  Incumbent result();

 private:
  using Time = std::chrono::steady_clock;

  [[nodiscard]] bool enough();
  [[nodiscard]] Time::duration turn_after(Time::duration exact) const;
  void rest(Time::duration time);
  void wait_for_turn();
  void hand_back();
  void end();

  std::atomic<bool> ended_ = false;     // the search is to end
  std::atomic<bool> finished_ = false;  // it has ended, and takes no turns any more
  bool takes_turns_ = false;
  Time::duration mostly_{}, evenly_{};
  Time::time_point begin_, turn_begin_;
  Time::time_point lent_;  // when the exact search got its thread back
  Time::duration turn_{};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool its_turn_ = false;
  std::future<Incumbent> found_;
};

}  // namespace pimbb::dram_pim::mapper
