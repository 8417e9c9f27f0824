// Children are made one after another, by one sequence of random numbers, and evaluated in
// parallel.
#include "crossbar/heuristic/genetic.hpp"

#include <algorithm>

#include "crossbar/cost/estimator.hpp"
#include "crossbar/heuristic/mutation.hpp"
#include "run/clock.hpp"
#include "run/on_threads.hpp"
#include "run/parallel_for.hpp"
#include "run/threads.hpp"

namespace pimbb::crossbar::heuristic {
namespace {

constexpr std::size_t kIndividuals = 100;
constexpr std::size_t kGenerations = 200;
constexpr std::size_t kBest = 30;          // that survive, of kIndividuals
constexpr std::size_t kOneInSurvives = 5;  // of the others
constexpr std::size_t kMostDraws = 1000;   // of one individual, before it is given up

struct Individual {
  Mapping mapping;
  Rational value;
};

class Evolving {
 public:
  Evolving(const Architecture& a, const Partition& p, const Evolution& evolution,
           const RunLimits& limits)
      : a_(a),
        p_(p),
        evolution_(evolution),
        limits_(limits),
        clock_(limits),
        estimator_(a, p, evolution.estimate, evolution.mode),
        families_(families(p)),
        random_(evolution.seed) {}

  BaselineResult run() {
    begin();
    for (std::size_t g = 0; g < kGenerations && !population_.empty(); ++g) {
      if (spent()) {
        result_.stopped = true;
        break;
      }
      select();
      refill();
    }
    if (!population_.empty()) result_.mapping = best().mapping;
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool spent() const {
    return clock_.stopped() || (limits_.node_limit && result_.evaluations >= *limits_.node_limit);
  }

  void begin() {
    const std::int64_t left = crossbars_left(a_, families_);
    if (left < 0) return;
    for (std::size_t i = 0; i < kIndividuals; ++i) {
      if (auto mapping = first_mapping(left)) population_.push_back({std::move(*mapping), {}});
    }
    evaluate_from(0);
  }

  /// Replicas by PUMA's rule, which leaves a margin of 0.10 + U{0 .. 99} / 125 of all crossbars.
  std::optional<Mapping> first_mapping(std::int64_t left) {
    for (std::size_t attempt = 0; attempt < kMostDraws; ++attempt) {
      const auto thousandths = static_cast<std::int64_t>(100 + 8 * draw(random_, 100));
      const std::int64_t kept = a_.all_cores() * a_.core.crossbars * thousandths / 1000;
      const auto replication = puma_replication(families_, left, kept);
      const bool anywhere = draw(random_, 2) == 0;
      if (!anywhere) return first_fit(a_, p_, families_, replication);
      if (auto mapping = scattered(replication)) return mapping;
    }
    return std::nullopt;
  }

  std::optional<Mapping> scattered(const std::vector<std::int64_t>& replication) {
    Filling filling(a_, p_);
    for (std::size_t f = 0; f < families_.size(); ++f) {
      for (std::size_t v = families_[f].first; v < families_[f].first + families_[f].parts; ++v) {
        filling.replication(v) = replication[f];
        const std::int64_t groups = p_.arrays[v].groups * replication[f];
        if (!put_anywhere(filling, v, groups, random_)) return std::nullopt;
      }
    }
    if (find_violation(a_, p_, filling.mapping())) return std::nullopt;  // local memory
    return filling.mapping();
  }

  void evaluate_from(std::size_t first) {
    run::parallel_for(population_.size() - first, [&](std::size_t i) {
      Individual& individual = population_[first + i];
      individual.value = estimator_.value(individual.mapping);
    });
    result_.evaluations += population_.size() - first;
    report();
  }

  [[nodiscard]] const Individual& best() const {
    return *std::ranges::min_element(population_, {}, &Individual::value);  // the oldest one
  }

  void report() {
    if (!limits_.on_progress || population_.empty()) return;
    if (reported_ && *reported_ == best().value) return;
    reported_ = best().value;
    limits_.on_progress({name(evolution_.estimate), reported_->to_double(), 0, result_.evaluations,
                         clock_.seconds()});
  }

  /// The best ones, and some of the others; among equal ones the older ones are better.
  void select() {
    std::ranges::stable_sort(population_, {}, &Individual::value);
    std::vector<Individual> survivors;
    for (std::size_t i = 0; i < population_.size(); ++i) {
      const bool survives = i < kBest || draw(random_, kOneInSurvives) == 0;
      if (survives) survivors.push_back(std::move(population_[i]));
    }
    population_ = std::move(survivors);
  }

  void refill() {
    const std::size_t survivors = population_.size();
    for (std::size_t draws = 0; population_.size() < kIndividuals && draws < kMostDraws; ++draws) {
      const Mapping& parent = population_[draw(random_, survivors)].mapping;
      auto child = mutated(a_, p_, families_, parent, random_);
      if (!child) continue;
      population_.push_back({std::move(*child), {}});
      draws = 0;
    }
    evaluate_from(survivors);
  }

  const Architecture& a_;
  const Partition& p_;
  const Evolution& evolution_;
  const RunLimits& limits_;
  run::Clock clock_;
  cost::Estimator estimator_;
  std::vector<Family> families_;
  SplitMix64 random_;
  std::vector<Individual> population_;  // older ones first among equal values
  std::optional<Rational> reported_;
  BaselineResult result_;
};

}  // namespace

BaselineResult evolve(const Architecture& a, const Partition& p, const Evolution& evolution,
                      const RunLimits& limits) {
  require_latency(p, evolution.estimate, evolution.mode);
  BaselineResult result;
  run::on_threads(run::thread_count(limits),
                  [&] { result = Evolving(a, p, evolution, limits).run(); });
  return result;
}

}  // namespace pimbb::crossbar::heuristic
