// The schedule of an exploration: points in order, their searches handed out, answers kept.
//
// A point's networks are answered from answers about parts (network_answer.hpp), which say what is
// missing. What is missing is searched for once, whichever points and networks need it: a search is
// known by machine, part and question, equal ones being the same. Points are begun in order, and
// searches of earlier points go first; who solves them, and when, does not change any answer.
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "answers/cost_front.hpp"
#include "answers/explorable.hpp"
#include "answers/grid.hpp"
#include "answers/journal.hpp"
#include "answers/network_answer.hpp"
#include "answers/part_solvers.hpp"
#include "answers/point_problems.hpp"
#include "answers/rank_solvers.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/threads.hpp"

namespace pimbb::answers {
namespace {

/// A question about a part of a network on a point.
struct PointNeed {
  std::size_t network = 0;
  PartNeed need;
};

/// The state of one point.
struct Unit {
  std::size_t machine = 0;  // its place among the different ones
  std::size_t waits = 0;    // searches that it has asked for and that are not done
  bool begun = false;
  bool answered = false;         // `point` has its results
  std::vector<Rational> floors;  // of its objective, proven: first the cheap one
};

class Explorer {
 public:
  Explorer(const Space& space, const Explorable& explorable, const ExploreOptions& options,
           const OnExplored& on_progress)
      : explorable_(explorable),
        options_(options),
        on_progress_(on_progress),
        clock_(options.limits),
        problems_(space, explorable, options.limits),
        goals_(parse_objective(space, explorable)),
        units_(problems_.size()),
        order_(problems_.size()) {
    if (options.prune && space.cost.empty()) {
      throw InputError("--prune: found a space without cost, allowed are spaces with the key cost");
    }
    if (options.resume && options.journal.empty()) {
      throw InputError("--resume: found without --journal, allowed with it");
    }
    result_.kind = explorable.kind();
    result_.architecture = explorable.architecture();
    result_.networks = explorable.networks();
    result_.goals = explorable.goals();
    result_.grid = grid_size(space);
    for (std::size_t k = 0; k < units_.size(); ++k) {
      const GridPoint& point = problems_.point(k);
      ExploredPoint& explored = result_.points.emplace_back();
      explored.number = point.number;
      explored.values = point.values;
      explored.cost = point.cost;
      order_[k] = k;
    }
    if (options.prune) {  // the cheapest first: they are on the front, others may be behind them
      std::ranges::stable_sort(order_, {}, [&](std::size_t k) { return *result_.points[k].cost; });
      for (std::size_t place = 0; place < order_.size(); ++place) {
        const bool alike = place > 0 && result_.points[order_[place]].cost ==
                                            result_.points[order_[place - 1]].cost;
        first_alike_.push_back(alike ? first_alike_[place - 1] : place);
      }
    }
  }

  Exploration run() {
    name_machines();
    if (!options_.journal.empty()) {
      journal_.emplace(options_.journal, options_.resume, space_hash());
    }
    const int threads = run::thread_count(options_.limits);
    const auto solvers = solvers_for(threads);
    while (!finished() && !stopped()) {
      hand_out(*solvers);
      if (!running_.empty()) {
        take(solvers->wait(false));
      } else if (next_ == order_.size() && ready_.empty() && !finished() && !stopped()) {
        throw std::logic_error("an exploration has points to solve and nothing to do");
      }
    }
    if (!running_.empty()) solvers->cancel();
    while (!running_.empty()) take(solvers->wait(false));
    finish();
    result_.threads = threads;
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool stopped() const { return clock_.stopped(); }
  [[nodiscard]] bool finished() const { return decided_ == units_.size(); }

  std::unique_ptr<PartSolvers> solvers_for(int threads) {
    auto solve = [this](const PartTask& task) { return problems_.solve(task, clock_); };
    if (options_.ranks == nullptr || options_.ranks->count() == 1) {
      return std::make_unique<ThreadSolvers>(threads, std::move(solve));
    }
    result_.processes = options_.ranks->count();
    return std::make_unique<RankSolvers>(*options_.ranks, problems_, threads, std::move(solve));
  }

  /// Equal machines have the same number. All are made, so that bad points are found at the
  /// beginning.
  void name_machines() {
    std::unordered_map<std::string, std::size_t> numbers;
    for (std::size_t k = 0; k < units_.size(); ++k) {
      const std::string& hash = problems_.machine_hash(k);
      units_[k].machine = numbers.emplace(hash, numbers.size()).first->second;
    }
  }

  [[nodiscard]] std::string space_hash() const { return problems_.space_hash(goals_); }

  // --- questions and answers -------------------------------------------------------------------

  using SearchKey = std::tuple<std::size_t, std::size_t, std::string>;  // machine, part, question

  [[nodiscard]] SearchKey key_of(std::size_t k, std::size_t network, const PartNeed& need) const {
    return {units_[k].machine, problems_.part_number(network, need.part), need.ask.text()};
  }

  /// The answer, if it is known, also from the journal.
  const PartAnswer* known(std::size_t k, std::size_t network, const PartNeed& need) {
    const SearchKey key = key_of(k, network, need);
    const auto found = answers_.find(key);
    if (found != answers_.end()) return &found->second;
    if (!journal_ || journal_->answers().empty()) return nullptr;
    const auto written =
        journal_->answers().find(problems_.search_hash(k, network, need.part, need.ask));
    if (written == journal_->answers().end()) return nullptr;
    return &answers_.emplace(key, written->second).first->second;
  }

  [[nodiscard]] NetworkAnswer answer(std::size_t k, std::size_t network) {
    return answer_network(explorable_, problems_.machine(k), network, goals_,
                          [&](const PartNeed& need) { return known(k, network, need); });
  }

  // --- handing out -----------------------------------------------------------------------------

  struct HandedTask {
    SearchKey key;
    PartTask task;
  };

  void hand_out(PartSolvers& solvers) {
    const std::size_t most = solvers.width() + solvers.queue();
    while (running_.size() < most && !stopped()) {
      while (ready_.empty() && next_ < order_.size()) begin(next_++);
      if (ready_.empty()) return;
      auto first = ready_.begin();
      HandedTask ready = std::move(first->second);
      const std::size_t place = first->first.first;
      ready_.erase(first);
      if (is_hopeless(place)) {
        drop(ready.key);
        continue;
      }
      // The last searches get the threads that would be idle.
      const std::size_t open = running_.size() + ready_.size() + 1;
      const bool last = next_ == order_.size() && open < solvers.width();
      ready.task.threads = last ? static_cast<int>(solvers.width() / open) : 1;
      ready.task.ticket = tickets_++;
      const std::uint64_t ticket = ready.task.ticket;
      running_.emplace(ticket, HandedTask{ready.key, ready.task});
      solvers.start(std::move(ready.task));
    }
  }

  /// Begins the point at this place of the order.
  void begin(std::size_t place) {
    const std::size_t k = order_[place];
    units_[k].begun = true;
    if (options_.prune) {
      Rational floor;
      for (std::size_t n = 0; n < result_.networks.size(); ++n) {
        floor += cheap_floor(explorable_, problems_.machine(k), n, goals_);
      }
      units_[k].floors.push_back(floor);
    }
    if (!is_hopeless(place)) update(place);
    decide();
  }

  /// Answers the point if nothing is missing; otherwise asks for what is.
  void update(std::size_t place) {
    const std::size_t k = order_[place];
    Unit& unit = units_[k];
    std::vector<ExploredNetwork> results;
    std::optional<Rational> floor = Rational();
    for (std::size_t n = 0; n < result_.networks.size(); ++n) {
      NetworkAnswer answer = this->answer(k, n);
      for (PartNeed& need : answer.missing) ask(place, n, std::move(need));
      if (floor && answer.floor) {
        *floor += *answer.floor;
      } else {
        floor.reset();
      }
      if (answer.result) results.push_back(*std::move(answer.result));
    }
    if (floor && unit.floors.size() == 1) unit.floors.push_back(*floor);
    if (results.size() == result_.networks.size()) settle(place, std::move(results));
  }

  void ask(std::size_t place, std::size_t network, PartNeed need) {
    const std::size_t k = order_[place];
    const SearchKey key = key_of(k, network, need);
    std::set<std::size_t>& places = waiting_[key];
    const bool is_new = places.empty();
    if (places.insert(place).second) ++units_[k].waits;
    if (!is_new) return;
    PartTask task{.point = k, .network = network, .part = need.part, .ask = std::move(need.ask)};
    ready_.emplace(std::pair{place, asked_++}, HandedTask{key, std::move(task)});
  }

  /// Gives a search up; points that wait for it and are not hopeless ask for it again.
  void drop(const SearchKey& key) {
    const std::set<std::size_t> places = std::move(waiting_.at(key));
    waiting_.erase(key);
    for (const std::size_t place : places) --units_[order_[place]].waits;
    for (const std::size_t place : places) {
      if (!is_hopeless(place) && units_[order_[place]].waits == 0) update(place);
    }
  }

  // --- taking answers --------------------------------------------------------------------------

  void take(std::vector<PartDone> done) {
    std::vector<std::pair<SearchKey, PartAnswer*>> fresh;
    std::vector<Journal::Entry> entries;
    std::exception_ptr fault;
    for (PartDone& each : done) {
      const auto found = running_.find(each.ticket);
      const HandedTask running = std::move(found->second);
      running_.erase(found);
      if (each.fault && !fault) fault = each.fault;
      if (each.fault || !each.complete) continue;
      PartAnswer& kept =
          answers_.insert_or_assign(running.key, std::move(each.answer)).first->second;
      fresh.emplace_back(running.key, &kept);
      ++result_.searched;
      if (!journal_) continue;
      entries.push_back({problems_.search_hash(running.task.point, running.task.network,
                                               running.task.part, running.task.ask),
                         &kept});
    }
    if (journal_) journal_->append(entries);  // only now do they count
    if (fault) std::rethrow_exception(fault);
    std::set<std::size_t> complete;
    for (const auto& [key, answer] : fresh) {
      const auto places = waiting_.extract(key);
      for (const std::size_t place : places.mapped()) {
        if (--units_[order_[place]].waits == 0) complete.insert(place);
      }
    }
    for (const std::size_t place : complete) {
      if (!is_hopeless(place)) update(place);
    }
    decide();
  }

  void settle(std::size_t place, std::vector<ExploredNetwork> results) {
    const std::size_t k = order_[place];
    ExploredPoint& point = result_.points[k];
    point.status = Status::optimal;
    bool all = true;
    for (const ExploredNetwork& network : results) {
      point.status = weaker_status(point.status, network.status);
      all = all && !network.costs.empty();
    }
    if (all) {
      point.costs.resize(result_.goals.size());
      for (const ExploredNetwork& network : results) {
        for (std::size_t g = 0; g < point.costs.size(); ++g) point.costs[g] += network.costs[g];
        point.value += network.value;
        point.bound += network.bound;
      }
      seen_.add(place, point.value);
      if (!least_ || point.value < *least_) least_ = point.value;
    }
    point.networks = std::move(results);
    units_[k].answered = true;
  }

  // --- pruning ---------------------------------------------------------------------------------

  /// Whether a point before it is known to be better for certain: it will be skipped.
  [[nodiscard]] bool is_hopeless(std::size_t place) const {
    if (!options_.prune) return false;
    const std::size_t k = order_[place];
    if (units_[k].answered) return false;
    return std::ranges::any_of(
        units_[k].floors, [&](const Rational& floor) { return is_behind(place, floor, seen_); });
  }

  /// Whether a point before this place costs less and has a value of the floor at most, or costs
  /// the same and has a lower value.
  [[nodiscard]] bool is_behind(std::size_t place, const Rational& floor,
                               const LeastSoFar& values) const {
    const auto of_all = values.before(place);
    if (of_all && *of_all < floor) return true;
    const auto of_cheaper = values.before(first_alike_[place]);
    return of_cheaper && *of_cheaper <= floor;
  }

  /// Decides points in order: skipped, or solved. What a point is skipped by is the same in every
  /// run, because it depends on the points before it only, all of which are decided.
  ///
  /// Claim: a point p that is_hopeless() is skipped here. Proof: a point q before p with
  /// cost(q) < cost(p) and value(q) <= floor(p), or the costs equal and value(q) < floor(p), is
  /// known. If q itself is skipped, a point q' before it is not, and cost(q') <= cost(q) and
  /// value(q') <= floor(q) <= value(q), the second strictly where the costs are equal; so q' is to
  /// p what q is. []
  void decide() {
    const std::size_t before = decided_;
    for (; decided_ < order_.size(); ++decided_) {
      const std::size_t k = order_[decided_];
      Unit& unit = units_[k];
      if (!unit.begun) break;
      ExploredPoint& point = result_.points[k];
      const auto reason = std::ranges::find_if(
          unit.floors, [&](const Rational& floor) { return is_behind(decided_, floor, kept_); });
      if (reason != unit.floors.end()) {
        skip(point, *reason);
      } else if (!unit.answered) {
        break;
      } else if (point.has_value()) {
        kept_.add(decided_, point.value);
      }
    }
    if (decided_ != before) report();
  }

  static void skip(ExploredPoint& point, const Rational& floor) {
    point.skipped = true;
    point.status = Status::unknown;
    point.networks.clear();
    point.costs.clear();
    point.value = Rational();
    point.bound = floor;
  }

  void report() const {
    if (!on_progress_) return;
    ExploreProgress progress;
    progress.done = decided_;
    progress.points = order_.size();
    if (least_) progress.best = least_->to_double();
    progress.seconds = clock_.seconds();
    on_progress_(progress);
  }

  // --- the end ---------------------------------------------------------------------------------

  void finish() {
    result_.stopped = !finished();
    for (std::size_t place = decided_; place < order_.size(); ++place) {
      const std::size_t k = order_[place];
      ExploredPoint& point = result_.points[k];
      if (units_[k].answered) continue;
      if (!units_[k].floors.empty()) point.bound = units_[k].floors.back();
    }
    count_searches();
    mark_front(result_.points);
    for (const ExploredPoint& point : result_.points) {
      const bool proven =
          point.skipped || point.status == Status::optimal || point.status == Status::infeasible;
      if (!proven) result_.status = Status::feasible;
    }
    result_.seconds = clock_.seconds();
  }

  /// Those that the results consist of: the same in every run, which others, for points that were
  /// skipped in the end, are not.
  void count_searches() {
    std::set<SearchKey> used;
    for (std::size_t k = 0; k < units_.size(); ++k) {
      if (!units_[k].answered || result_.points[k].skipped) continue;
      for (std::size_t n = 0; n < result_.networks.size(); ++n) {
        for (const PartNeed& need : answer(k, n).used) used.insert(key_of(k, n, need));
      }
    }
    result_.searches = used.size();
    for (const SearchKey& key : used) result_.nodes += answers_.at(key).nodes;
  }

  const Explorable& explorable_;
  const ExploreOptions& options_;
  const OnExplored& on_progress_;
  run::Clock clock_;
  PointProblems problems_;
  ObjectiveGoals goals_;
  Exploration result_;
  std::vector<Unit> units_;
  std::vector<std::size_t> order_;
  std::optional<Journal> journal_;
  std::map<SearchKey, PartAnswer> answers_;
  std::map<SearchKey, std::set<std::size_t>> waiting_;                 // places in the order
  std::map<std::pair<std::size_t, std::uint64_t>, HandedTask> ready_;  // by place
  std::map<std::uint64_t, HandedTask> running_;                        // by ticket
  std::uint64_t tickets_ = 0;
  std::uint64_t asked_ = 0;
  std::size_t next_ = 0;                  // place of the next point to begin
  std::size_t decided_ = 0;               // places whose points are solved or skipped
  std::vector<std::size_t> first_alike_;  // by place: the first place of the same cost
  LeastSoFar seen_, kept_;                // values by place: of all points, of those not skipped
  std::optional<Rational> least_;
};

}  // namespace

Exploration explore(const Space& space, const Explorable& explorable, const ExploreOptions& options,
                    const OnExplored& on_progress) {
  if (options.ranks != nullptr && options.ranks->rank() > 0) {
    serve(*options.ranks, space, explorable, options.limits);
    return {};
  }
  return Explorer(space, explorable, options, on_progress).run();
}

}  // namespace pimbb::answers
