// Turns: one thread waits while the other runs.
#include "dram_pim/solver/search_beside.hpp"

#include <algorithm>
#include <utility>

namespace pimbb::dram_pim::mapper {
namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenTurns = 10ms;  // that the exact search works, at least
constexpr auto kWork = 1ms;           // between two rests, on a thread of its own

/// Any longer one counts as this one.
constexpr double kMostSeconds = 1e9;

std::chrono::steady_clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::min(seconds, kMostSeconds)));
}

}  // namespace

/// How long a turn is after one of the exact search.
SearchBeside::Time::duration SearchBeside::turn_after(Time::duration exact) const {
  const auto since_begin = turn_begin_ - begin_;
  if (since_begin < mostly_) return 6 * exact;
  return since_begin < evenly_ ? exact : exact / 9;
}

void SearchBeside::start(Search search, When when) {
  takes_turns_ = when.takes_turns;
  mostly_ = duration_of(when.mostly);
  evenly_ = duration_of(when.evenly);
  begin_ = turn_begin_ = lent_ = Time::now() + duration_of(when.late);
  struct HandBack {
    SearchBeside& beside;
    ~HandBack() {
      beside.finished_ = true;
      beside.hand_back();
    }
  };
  found_ = std::async(std::launch::async, [this, search = std::move(search)] {
    if (takes_turns_) {
      wait_for_turn();
    } else {
      rest(begin_ - Time::now());
    }
    const HandBack at_end{*this};  // however the search ends
    return search([this] { return enough(); });
  });
}

bool SearchBeside::enough() {
  const auto now = Time::now();
  if (takes_turns_) {
    if (!ended_ && now - turn_begin_ >= turn_) {
      hand_back();
      wait_for_turn();
    }
  } else if (now - begin_ > evenly_ && now - turn_begin_ >= kWork) {
    rest(9 * (now - turn_begin_));
    turn_begin_ = Time::now();
  }
  return ended_;
}

/// Until the time is over or the search is to end.
void SearchBeside::rest(Time::duration time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [this] { return ended_.load(); });
}

void SearchBeside::wait_for_turn() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return its_turn_ || ended_; });
}

void SearchBeside::hand_back() {
  const std::lock_guard lock(mutex_);
  its_turn_ = false;
  changed_.notify_all();
}

void SearchBeside::lend() {
  if (!takes_turns_) return;
  const auto now = Time::now();
  if (now - lent_ < kBetweenTurns) return;
  std::unique_lock lock(mutex_);
  if (finished_) return;
  turn_begin_ = now;
  turn_ = turn_after(now - lent_);
  its_turn_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !its_turn_; });
  lent_ = Time::now();
}

Incumbent SearchBeside::result() {
  end();
  return found_.valid() ? found_.get() : Incumbent();
}

void SearchBeside::end() {
  if (!found_.valid()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  found_.wait();
}

}  // namespace pimbb::dram_pim::mapper
