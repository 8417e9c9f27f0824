// Searches of layers by several threads: of those that are asked for, and of those that are likely
// to be asked for next.
//
// A round of a plan often asks for one or two layers only, whose searches are too short to be
// shared by threads. A thread that has nothing else to do looks ahead: what would be asked for if
// the answers that are open were the likely ones. Whatever it searches for is the same search, with
// the same answer, as if it were begun when it is asked for; so what a plan does, and what comes
// out, does not depend on it. Nor does it depend on the order of the searches: those that are
// expected to take longest come first, so that threads end together.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <tuple>
#include <vector>

#include "dram_pim/mapper/layer_store.hpp"
#include "dram_pim/plan/cells.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "run/spare_threads.hpp"

namespace pimbb::dram_pim::network {

struct LayerQuestion {
  Workload workload;  ///< with the frames of the cells
  LayoutRange input;
  LayoutRange output;
  std::optional<Rational> at_most;  ///< limit on the first goal, if any

  /// All but the limit.
  using Key = std::tuple<mapper::LayerStore::Key, std::optional<Frame>, std::optional<Frame>,
                         LayoutRange, LayoutRange>;
  [[nodiscard]] Key key() const;
};

class LayerSearches {
 public:
  /// What a search may take of the limits: all there is; a part of the memory, because others run
  /// beside it; and then but the thread that calls it.
  enum class Share : std::uint8_t { all, part, one_thread };
  struct Terms {
    Share share;
    std::stop_token stop;      ///< ends the search
    std::stop_token unwanted;  ///< nobody wants its answer; then it is stopped
  };
  /// Searches for a layer, from any thread.
  using Search = std::function<Solution(const LayerQuestion& question, const Terms& terms)>;
  /// The questions that are likely to come after those that are asked and those that it was called
  /// for before; nothing if there is no telling. One call at a time, from any thread.
  using LookAhead = std::function<std::optional<std::vector<LayerQuestion>>()>;

  /// Seconds of a search that is too short to be shared by threads.
  static constexpr double kBrief = 0.003;

  /// Keeps a reference to the limits.
  LayerSearches(const RunLimits& limits, Search search);
  ~LayerSearches();
  LayerSearches(const LayerSearches&) = delete;
  LayerSearches& operator=(const LayerSearches&) = delete;

  /// The solutions of different questions. `look_ahead` is called until it returns only. A search
  /// that throws LimitError (its part of the memory may have been too little) is repeated alone.
  /// The first exception of any other kind is thrown on.
  std::vector<Solution> solutions(const std::vector<LayerQuestion>& questions,
                                  const LookAhead& look_ahead = {});
  /// What was likely to be asked for is not any more, but for these questions.
  void forget(const std::vector<LayerQuestion>& but = {});

 private:
  enum class State : std::uint8_t { open, running, done };
  struct Task {
    LayerQuestion question;
    LayerQuestion::Key key;
    bool wanted = false;  ///< asked for, and not only likely to be
    State state = State::open;
    std::stop_source stop{};
    std::stop_source unwanted{};
    Solution solution{};
    std::exception_ptr fault{};
  };
  using Lock = std::unique_lock<std::mutex>;

  [[nodiscard]] bool has_work();
  void call_helpers();
  void help();
  [[nodiscard]] Task* next();
  [[nodiscard]] double expected_seconds(const Task& task) const;
  [[nodiscard]] Share share_of(const Task& task) const;
  [[nodiscard]] bool can_look() const;
  void work(Lock& lock);
  void run(Task& task, Lock& lock);
  void look(Lock& lock);
  Task* known(const LayerQuestion& question, const LayerQuestion::Key& key);
  Task& task(const LayerQuestion& question);
  Solution alone(const LayerQuestion& question, Lock& lock);
  void forget_all_but(const std::vector<const Task*>& likely);

  [[nodiscard]] static bool is_forgotten(const Task& task) {
    return task.unwanted.stop_requested();
  }

  const RunLimits& limits_;
  Search search_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by the mutex:
  std::list<Task> tasks_;
  const LookAhead* look_ahead_ = nullptr;  // null: there is no telling
  bool looking_ = false;
  std::map<mapper::LayerStore::Key, double> seconds_;  // of the last search of a layer
  std::size_t helping_ = 0;                            // threads beside the one that asks
  run::SpareThreads helpers_;
};

}  // namespace pimbb::dram_pim::network
