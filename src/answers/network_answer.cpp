// Sums, and products by blends.
#include "answers/network_answer.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "files/nearest.hpp"
#include "pimbb/error.hpp"

namespace pimbb::answers {
namespace {

constexpr std::string_view kProduct = "edp";

struct MissingAnswers {};

/// All parts, asked the same question.
struct Pass {
  Status status = Status::optimal;
  std::vector<Rational> costs;  // totals, by goal
  Rational bound;               // of the question's first goal, or of the blend
  [[nodiscard]] bool has_all() const {
    return status == Status::optimal || status == Status::feasible;
  }
};

class NetworkAnswerer {
 public:
  NetworkAnswerer(const Explorable& explorable, const PointMachine& machine, std::size_t network,
                  const PartLookup& known)
      : explorable_(explorable),
        machine_(machine),
        network_(network),
        parts_(explorable.parts(network)),
        known_(known) {}

  NetworkAnswer sums(const std::vector<std::size_t>& order) {
    const std::optional<Pass> all = pass({order, {}});
    if (all) finish(*all, all->has_all() ? all->costs[order.front()] : Rational(), all->bound);
    return std::move(answer_);
  }

  NetworkAnswer product() {
    // Both ends of the hull are always asked for.
    const std::optional<Pass> fast = pass({{0, 1}, {}});
    const std::optional<Pass> frugal = pass({{1, 0}, {}});
    if (!fast || !frugal) return std::move(answer_);
    if (!fast->has_all() || !frugal->has_all()) {
      finish(fast->has_all() ? *frugal : *fast, {}, {});
      return std::move(answer_);
    }
    // Every mapping has at least the latency of the one end and the energy of the other.
    answer_.floor = fast->bound * frugal->bound;
    try {
      finish_product(search::minimise_product(
          [this](const search::Blend& asked) { return support(asked); }, [] { return false; }));
    } catch (const MissingAnswers&) {
      // Asked for by pass().
    }
    return std::move(answer_);
  }

 private:
  /// Nothing if answers are missing, which are then among those asked for.
  std::optional<Pass> pass(const Ask& ask) {
    const auto before = made_.find(ask.text());
    if (before != made_.end()) return before->second;
    std::optional<Pass> all = summed(ask);
    made_.emplace(ask.text(), all);
    return all;
  }

  std::optional<Pass> summed(const Ask& ask) {
    Pass all;
    all.costs.resize(explorable_.goals().size());
    bool complete = true;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      PartNeed need{part, ask};
      const PartAnswer* answer = known_(need);
      complete = complete && answer != nullptr;
      (answer == nullptr ? answer_.missing : answer_.used).push_back(std::move(need));
      if (answer == nullptr) continue;
      nodes_ += answer->nodes;
      all.status = weaker_status(all.status, answer->status);
      all.bound += parts_[part].times * answer->bound;
      for (std::size_t g = 0; g < answer->costs.size(); ++g) {
        all.costs[g] += parts_[part].times * answer->costs[g];
      }
    }
    if (!complete) return std::nullopt;
    return all;
  }

  search::Support support(const search::Blend& asked) {
    const search::Blend blend = explorable_.fitting(machine_, network_, asked);
    Ask ask{{}, search::coprime(blend)};
    if (blend.beta.sign() == 0) ask = {{0, 1}, {}};
    if (blend.alpha.sign() == 0) ask = {{1, 0}, {}};
    const search::Blend direction = ask.order.empty()        ? ask.blend
                                    : ask.order.front() == 0 ? search::Blend{1, 0}
                                                             : search::Blend{0, 1};
    const std::optional<Pass> all = pass(ask);
    if (!all) throw MissingAnswers();
    // What has no mapping (a limit) has a bound all the same.
    passes_.push_back(all->has_all() || passes_.empty() ? *all : passes_.front());
    const std::vector<Rational>& costs = passes_.back().costs;
    return {direction, {costs[0], costs[1], passes_.size() - 1}, all->bound};
  }

  void finish_product(const search::ProductMinimum& minimum) {
    const search::ProductPoint& best = *std::ranges::min_element(
        minimum.best, {}, [](const search::ProductPoint& point) { return point.product(); });
    Pass all = passes_[best.id];
    all.status = minimum.proven ? Status::optimal : Status::feasible;
    finish(all, best.product(),
           minimum.proven ? best.product() : std::min(minimum.bound, best.product()));
  }

  void finish(const Pass& all, const Rational& value, const Rational& bound) {
    ExploredNetwork result;
    result.status = all.status;
    if (all.has_all()) {
      result.costs = all.costs;
      result.value = value;
      result.bound = bound;
    }
    result.nodes = nodes_;
    answer_.result = std::move(result);
  }

  const Explorable& explorable_;
  const PointMachine& machine_;
  std::size_t network_;
  const std::vector<NetworkPart>& parts_;
  const PartLookup& known_;
  NetworkAnswer answer_;
  std::deque<Pass> passes_;                          // points of the hull
  std::map<std::string, std::optional<Pass>> made_;  // by question
  std::uint64_t nodes_ = 0;
};

}  // namespace

std::string Ask::text() const {
  if (order.empty()) return blend.alpha.to_string() + "," + blend.beta.to_string();
  std::string text = "goals";
  for (const std::size_t goal : order) text += " " + std::to_string(goal);
  return text;
}

Status weaker_status(Status a, Status b) {
  const auto weakness = [](Status status) {
    switch (status) {
      case Status::optimal: return 0;
      case Status::feasible: return 1;
      case Status::unknown: return 2;
      default: return 3;
    }
  };
  return weakness(a) < weakness(b) ? b : a;
}

ObjectiveGoals parse_objective(const Space& space, const Explorable& explorable) {
  ObjectiveGoals goals;
  if (explorable.has_product() && space.objective == kProduct) {
    goals.product = true;
    return goals;
  }
  const std::vector<std::string> names = explorable.goals();
  std::vector<std::string_view> known(names.begin(), names.end());
  std::string_view rest = space.objective;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma);
    const auto found = std::ranges::find(known, word);
    const auto place = static_cast<std::size_t>(found - known.begin());
    if (found == known.end() || std::ranges::count(goals.order, place) > 0) {
      const std::string allowed = files::join(known) + " and lists of these" +
                                  (explorable.has_product() ? ", and edp alone" : "");
      throw InputError(space.objective_place + ": found " + std::string(word) +
                       files::did_you_mean(word, known) + ", allowed are " + allowed);
    }
    goals.order.push_back(place);
    if (comma == rest.size()) return goals;
    rest.remove_prefix(comma + 1);
  }
}

NetworkAnswer answer_network(const Explorable& explorable, const PointMachine& machine,
                             std::size_t network, const ObjectiveGoals& goals,
                             const PartLookup& known) {
  NetworkAnswerer answerer(explorable, machine, network, known);
  return goals.product ? answerer.product() : answerer.sums(goals.order);
}

Rational cheap_floor(const Explorable& explorable, const PointMachine& machine, std::size_t network,
                     const ObjectiveGoals& goals) {
  const std::vector<NetworkPart>& parts = explorable.parts(network);
  std::vector<Rational> totals(explorable.goals().size());
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::vector<Rational> floor = explorable.floor(machine, network, part);
    for (std::size_t g = 0; g < floor.size(); ++g) totals[g] += parts[part].times * floor[g];
  }
  return goals.product ? totals[0] * totals[1] : totals[goals.order.front()];
}

}  // namespace pimbb::answers
