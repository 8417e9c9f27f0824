// Claims drawn around a known mapping, and the greedy search for their proofs.
#include "support/forge.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pimbb-check/check.hpp"
#include "pimbb-check/sha256.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "support/random_mapping.hpp"

namespace testkit {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;
using pimbb_check::Checker;
using pimbb_check::Record;
using pimbb_check::Wanted;

std::vector<Rational> values(const Instance& i, const Metrics& metrics) {
  std::vector<Rational> all;
  for (const Goal goal : i.objective.goals) all.push_back(i.objective.value(goal, metrics));
  return all;
}

/// A few steps away from the known mapping, or anywhere.
Mapping drawn_mapping(const Instance& i, const Mapping& known, Choices& choices) {
  if (choices.once_in(3)) return random_mapping(i.architecture, i.workload, choices, 4);
  Mapping mapping = known;
  for (std::size_t steps = 1 + choices.pick(3); steps > 0; --steps) {
    step(mapping, i.architecture, i.workload, choices);
  }
  return mapping;
}

/// A mapping that is worse than the known one, with its costs.
std::optional<std::pair<Mapping, Metrics>> worse_mapping(const Instance& i, const Mapping& known,
                                                         Choices& choices) {
  const auto least = values(i, evaluate(i.architecture, i.workload, known, i.row_model));
  for (int tries = 0; tries < 40; ++tries) {
    Mapping mapping = drawn_mapping(i, known, choices);
    if (find_violation(i.architecture, i.workload, mapping)) continue;
    Metrics metrics = evaluate(i.architecture, i.workload, mapping, i.row_model);
    if (values(i, metrics) > least) return std::pair(std::move(mapping), std::move(metrics));
  }
  return std::nullopt;
}

/// Latencies around that of the claim: the more of them, the stronger the bounds of products.
std::vector<std::string> drawn_thresholds(const Rational& latency, Choices& choices) {
  std::vector<Rational> all;
  const std::size_t count = choices.pick(choices.once_in(2) ? 40 : 4);
  for (std::size_t k = 0; k < count && latency.sign() > 0; ++k) {
    all.push_back(latency * Rational(1 + static_cast<std::int64_t>(choices.pick(160)), 64));
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<std::string> texts;
  for (const Rational& threshold : all) texts.push_back(threshold.to_string());
  texts.emplace_back("inf");
  return texts;
}

/// One claim before the checker.
class Attempt {
 public:
  Attempt(const Instance& i, Choices& choices, Forgeries& tally)
      : i_(i), choices_(choices), tally_(tally) {
    const std::string problem =
        canonical_instance(i.architecture, i.workload, i.objective, i.row_model);
    checker_.begin(pimbb_check::sha256(problem), problem);
  }

  bool infeasible() {
    checker_.infeasible();
    return section() && ends();
  }
  bool optimal(const Mapping& mapping, const Metrics& metrics) {
    const auto json = nlohmann::ordered_json::parse(
        evaluation_json(i_.architecture, i_.workload, i_.row_model, mapping, metrics));
    checker_.incumbent(json.at("mapping").dump());
    for (const Goal goal : i_.objective.goals) {
      checker_.goal(std::string(name(goal)), i_.objective.value(goal, metrics).to_string());
      checker_.thresholds(drawn_thresholds(metrics.latency, choices_));
      if (!section()) return false;
    }
    return ends();
  }

 private:
  /// All storage choices and their trees; false where there is no way on.
  bool section() {
    for (Wanted next = checker_.wanted(); next.kind != Wanted::other; next = checker_.wanted()) {
      try {
        record(next);
      } catch (const pimbb_check::Refusal&) {
        return false;
      }
      ++tally_.records;
    }
    return true;
  }
  void record(const Wanted& next) {
    if (next.kind == Wanted::order) return checker_.ordered(next.name);
    if (next.kind == Wanted::storage) {
      for (std::size_t level = 0; level < i_.architecture.levels.size(); ++level) {
        if (checker_.grants_overflow(level)) return checker_.overflow(next.name, level);
      }
      return checker_.storage(next.name);
    }
    for (const Record reason : {Record::bound, Record::cap, Record::evaluated}) {
      if (checker_.grants(reason)) return checker_.node(reason, next.tile, next.loops);
    }
    checker_.node(Record::inner, next.tile, next.loops);
  }
  bool ends() {
    checker_.end();
    return checker_.report().accepted;
  }

  const Instance& i_;
  Choices& choices_;
  Forgeries& tally_;
  Checker checker_;
};

}  // namespace

void forge(const Instance& i, const Mapping& known, Choices& choices, std::size_t count,
           Forgeries& tally) {
  for (std::size_t n = 0; n < count && tally.accepted.empty(); ++n) {
    if (choices.once_in(16)) {
      ++tally.claims;
      if (Attempt(i, choices, tally).infeasible()) tally.accepted = "infeasible";
      continue;
    }
    const auto worse = worse_mapping(i, known, choices);
    if (!worse) continue;
    ++tally.claims;
    if (!Attempt(i, choices, tally).optimal(worse->first, worse->second)) continue;
    tally.accepted =
        evaluation_json(i.architecture, i.workload, i.row_model, worse->first, worse->second);
  }
}

bool provable(const Instance& i, const std::optional<Mapping>& mapping, Choices& choices) {
  Forgeries tally;
  Attempt attempt(i, choices, tally);
  if (!mapping) return attempt.infeasible();
  return attempt.optimal(*mapping, evaluate(i.architecture, i.workload, *mapping, i.row_model));
}

}  // namespace testkit
