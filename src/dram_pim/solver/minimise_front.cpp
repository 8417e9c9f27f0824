// The front of a layer by one branch and bound for each storage choice, which looks for all points
// at once.
//
// The staircase of known points stands in for the incumbent. It is read while nodes are expanded
// and changes between rounds only, so the tree is the same for any number of threads. Dives along
// the best bounds of each axis give the first points. Their latencies then are the thresholds of
// the cost-to-go: below the latency of a point, how little energy can a mapping spend? If the
// points are the front, these bounds are as sharp as the dynamic program can make them.
#include <algorithm>

#include "dram_pim/solver/minimise.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

using Search = search::BranchAndBound<MappingProblem>;

/// At most `most` of a list, evenly spread over it, the first and the last among them.
std::vector<Int128> some_of(const std::vector<Int128>& list, std::size_t most) {
  if (list.size() <= most) return list;
  std::vector<Int128> some;
  for (std::size_t k = 0; k < most; ++k) {
    some.push_back(list[k * (list.size() - 1) / (most - 1)]);
  }
  return some;
}

}  // namespace

class Minimiser::FrontRun {
 public:
  FrontRun(Minimiser& m, const Target& target, Staircase& front, std::vector<Solved> known)
      : m_(m), target_(target), front_(front), open_(front.axes()), points_(std::move(known)) {}

  FrontOutcome run() {
    evaluate_roots();
    std::ranges::stable_sort(roots_, {}, &Root::bound);
    for (const Root& root : roots_) search(root);
    const Goal first = front_.axes().front();
    std::ranges::sort(points_, {},
                      [&](const Solved& point) { return cost_of(first, point.costs); });
    return {std::move(points_), open_.points()};
  }

 private:
  struct Root {
    std::vector<TensorFlags> stores;
    Wide bound;
    Costs least;
  };

  /// The least costs of all mappings that are known so far.
  [[nodiscard]] Costs floor() const {
    const auto of = [&](Goal goal) {
      return static_cast<Int128>(m_.known_.of(target_.with_goal(goal)).low);
    };
    return {of(Goal::latency), of(Goal::energy), of(Goal::activations)};
  }

  void leave_open(const Costs& least) {
    if (!front_.covers(least) && !open_.covers(least)) open_.add(least);
  }

  void add(Solved point) {
    std::erase_if(points_,
                  [&](const Solved& other) { return front_.no_worse(point.costs, other.costs); });
    front_.add(point.costs);
    points_.push_back(std::move(point));
  }

  void evaluate_roots() {
    StorageTree tree(m_.instance_, nullptr, target_, m_.effort_.guard());
    while (true) {
      try {
        const auto next = tree.next(nullptr);
        if (!next) return;
        evaluate_root(next->stores);
      } catch (const run::Stopped&) {
        return leave_open(floor());
      } catch (const run::TooLarge&) {
        if (points_.empty()) throw;
        return leave_open(floor());
      }
    }
  }

  /// Bounds of a choice, and the points at the ends of dives along the best bounds.
  void evaluate_root(const std::vector<TensorFlags>& stores) {
    ++m_.effort_.spent.choices;
    const auto chosen = m_.candidate(stores, {}, m_.effort_.account);
    if (!chosen) return;
    m_.keep(chosen);
    std::vector<Target> dives{target_};
    if (m_.question_.rules.has(Rule::descent)) {
      for (const Goal axis : front_.axes()) dives.push_back(target_.with_goal(axis));
    }
    Root root{stores, {}, {}};
    for (std::size_t k = 0; k < dives.size(); ++k) {
      const PreparedSearch prepared(m_, m_.tables(chosen, dives[k], {}, m_.effort_.account),
                                    dives[k], {});
      if (k == 0) {
        const RootBounds& bounds = prepared.problem.root_bounds();
        root.bound = bounds.bound;
        root.least = {bounds.latency, bounds.energy, 0};
        if (bounds.arrivals.empty()) return;  // covered
      }
      if (!m_.question_.rules.has(Rule::descent)) continue;
      auto found = prepared.problem.descend(nullptr);
      if (found && !front_.covers(found->second.costs)) add(std::move(found->second));
    }
    roots_.push_back(std::move(root));
  }

  /// Just below the latencies of the points; and without a limit, or at the cap.
  [[nodiscard]] std::vector<Int128> thresholds(const Root& root) const {
    const Int128 last = target_.latency_cap();
    std::vector<Int128> below;
    if (m_.question_.rules.has(Rule::thresholds)) {
      for (const Costs& point : front_.points()) {
        if (point.latency > root.least.latency && point.latency <= last) {
          below.push_back(point.latency - 1);
        }
      }
    }
    std::ranges::sort(below);
    below.erase(std::unique(below.begin(), below.end()), below.end());
    below = some_of(below, CostToGo::kMaxThresholds - 1);
    below.push_back(last);
    return below;
  }

  void search(const Root& root) {
    if (front_.covers(root.least)) return;
    if (m_.effort_.stopped()) return leave_open(root.least);
    try {
      branch_and_bound(root);
    } catch (const run::Stopped&) {  // before the search began
      leave_open(root.least);
    } catch (const run::TooLarge&) {
      if (points_.empty()) throw;
      leave_open(root.least);
    }
  }

  void branch_and_bound(const Root& root) {
    const auto chosen = m_.candidate(root.stores, {}, m_.effort_.account);
    std::vector<Int128> latencies = thresholds(root);
    while (latencies.size() > 1 && CostToGo::bytes(chosen->storage, chosen->levels.sizes(),
                                                   latencies.size()) > m_.effort_.account.room()) {
      latencies.erase(latencies.end() - 2);
    }
    bool grown = false;
    auto tables = std::make_unique<Tables>(m_, chosen, target_, std::move(latencies), Incumbent{},
                                           m_.effort_.account);
    PreparedSearch prepared(m_, std::move(tables), target_, {}, [&](Solved point) {
      add(std::move(point));
      grown = true;
    });
    MappingProblem& problem = prepared.problem;
    problem.limit_labels(m_.effort_.account.room() / 4);
    problem.improved(Wide::infinity());
    const search::TreeLimits limits{m_.effort_.nodes_left(),
                                    [this] { return m_.effort_.stopped(); },
                                    m_.effort_.account.room()};
    Search search(problem, limits, [&](const auto&, const Wide*, const Wide&) {
      if (std::exchange(grown, false)) problem.improved(Wide::infinity());
    });
    std::vector<MappingNode> roots;
    roots.push_back(problem.root());
    auto outcome = search.run(std::move(roots), {});
    if (outcome.open_bound) {
      search.for_each_open([&](const MappingNode& node) {
        for (const Costs& least : problem.corners(node)) leave_open(least);
      });
    }
    m_.effort_.account.note(outcome.statistics.peak_bytes);
    m_.effort_.spent.nodes += outcome.statistics.nodes;
    m_.effort_.spent.leaves += outcome.statistics.leaves;
    m_.effort_.spent.mappings += problem.mappings();
  }

  Minimiser& m_;
  const Target& target_;
  Staircase& front_;
  Staircase open_;
  std::vector<Solved> points_;
  std::vector<Root> roots_;
};

FrontOutcome Minimiser::run_front(const Target& target, Staircase& front,
                                  std::vector<Solved> known) {
  return FrontRun(*this, target, front, std::move(known)).run();
}

}  // namespace pimbb::dram_pim::mapper
