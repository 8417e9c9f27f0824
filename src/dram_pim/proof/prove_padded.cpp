// The proof of a padded layer: the bounds that their least cost does not close are solved once
// more, with the optimum as a limit, and proven one by one.
#include <algorithm>
#include <optional>
#include <stdexcept>

#include "dram_pim/slices/bounds_box.hpp"
#include "dram_pim/slices/cost_floor.hpp"
#include "files/sha256.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"

namespace pimbb::dram_pim {
namespace proof {
namespace {

using slices::BoundsBox;

std::string name_of(const Factors& bounds, bool grouped) {
  std::string text;
  for (std::size_t j = 0; j < kDims - (grouped ? 0 : 1); ++j) {
    text += (j == 0 ? "" : ".") + std::to_string(bounds[j]);
  }
  return text;
}

class PaddedProver {
 public:
  PaddedProver(const Architecture& a, const Workload& w, const Question& question,
               const RunLimits& limits, const Solution& solution,
               std::function<void(std::string_view)> sink)
      : a_(a),
        layer_(w),
        question_(question),
        limits_(limits),
        clock_(limits),
        sink_([this, to = std::move(sink)](std::string_view text) {
          size_.bytes += text.size();
          to(text);
        }),
        box_(w),
        floor_(a, with_bounds(layer_, box_.most()), question.row_model),
        instance_(canonical_padded_instance(a, w, question)) {
    if (!solution.mapping) return;
    for (const GoalResult& goal : solution.goals) optimum_.push_back(goal.value);
    attained_ = solution.padded.value_or(w.bounds);
  }

  PaddedProofSize run() {
    std::string head = "pimbb-padded-proof/1\nsha256 " + files::sha256(instance_) + "\ninstance " +
                       instance_ + "\n" + (optimum_.empty() ? "infeasible" : "optimum");
    for (const Rational& value : optimum_) head += " " + value.to_string();
    sink_(head + "\n");
    for (std::uint64_t number = 0; number < box_.size(); ++number) {
      if (number % 4096 == 0) check_limits();
      const Factors bounds = box_[number];
      if (bounds == attained_ || !closed(bounds)) prove_slice(bounds);
    }
    sink_("end\n");
    return size_;
  }

 private:
  [[noreturn]] static void out_of_limits() {
    throw LimitError("proof: a limit was reached before all padded bounds were proven");
  }
  void check_limits() const {
    if (clock_.stopped()) out_of_limits();
  }

  /// Whether the least costs exclude all mappings that are within the limits and better.
  [[nodiscard]] bool closed(const Factors& bounds) const {
    const GoalCosts least = floor_.costs(bounds);
    for (const GoalCap& cap : question_.caps) {
      if (question_.objective.value(cap.goal, least) > cap.most) return true;
    }
    for (std::size_t g = 0; g < optimum_.size(); ++g) {
      const Rational value = question_.objective.value(question_.objective.goals[g], least);
      if (value != optimum_[g]) return value > optimum_[g];
    }
    return !optimum_.empty();
  }

  [[nodiscard]] RunLimits rest() const {
    RunLimits rest = limits_;
    rest.on_progress = nullptr;
    rest.node_limit = std::nullopt;
    rest.time_limit = clock_.left();
    return rest;
  }

  /// The question about one vector of bounds: only what is no worse in the first goal.
  [[nodiscard]] Question limited() const {
    Question question = question_;
    if (optimum_.empty()) return question;
    const Goal first = question.objective.goals.front();
    const auto same = std::ranges::find(question.caps, first, &GoalCap::goal);
    if (same == question.caps.end()) {
      question.caps.push_back({first, optimum_.front()});
    } else {
      same->most = optimum_.front();
    }
    return question;
  }

  void prove_slice(const Factors& bounds) {
    const Workload slice = with_bounds(layer_, bounds);
    const Question question = limited();
    Solution solution;
    if (find_misfit(a_, slice, question.constraints)) {
      solution.status = Status::infeasible;
    } else {
      solution = solve(a_, slice, question, rest());
    }
    if (solution.status != Status::optimal && solution.status != Status::infeasible)
      out_of_limits();
    check(solution);
    sink_("slice " + name_of(bounds, box_.most()[index(Dim::G)] > 1) + "\n");
    ProofWriter writer(sink_);
    prove(a_, slice, question, rest(), solution, {&writer});
    ++size_.proofs;
    size_.leaves += writer.leaves();
  }

  void check(const Solution& solution) const {
    for (std::size_t g = 0; solution.mapping && g < optimum_.size(); ++g) {
      if (solution.goals[g].value > optimum_[g]) return;
      if (solution.goals[g].value < optimum_[g]) {
        throw std::logic_error("a padded layer has a better mapping than its optimum");
      }
    }
  }

  const Architecture& a_;
  const Workload& layer_;
  const Question& question_;
  const RunLimits& limits_;
  run::Clock clock_;
  PaddedProofSize size_;
  std::function<void(std::string_view)> sink_;
  const BoundsBox box_;
  const slices::CostFloor floor_;
  const std::string instance_;
  std::vector<Rational> optimum_;    // by goal; empty: infeasible
  std::optional<Factors> attained_;  // the bounds of the best mapping
};

}  // namespace
}  // namespace proof

PaddedProofSize prove_padded(const Architecture& architecture, const Workload& workload,
                             const Question& question, const RunLimits& limits,
                             const Solution& solution,
                             const std::function<void(std::string_view)>& sink) {
  if (question.method != Method::exact || question.at_most || question.below) {
    throw InputError("proof: found a method or a limit that padded proofs do not cover");
  }
  if (solution.status != Status::optimal && solution.status != Status::infeasible) {
    throw InputError("proof: found a solution whose status is '" +
                     std::string(name(solution.status)) + "', allowed are optimal and infeasible");
  }
  return proof::PaddedProver(architecture, workload, question, limits, solution, sink).run();
}

std::string canonical_padded_instance(const Architecture& architecture, const Workload& workload,
                                      const Question& question) {
  const Factors tops = workload.tops();
  std::string list;
  for (const Dim d : kAllDims) {
    if (d == Dim::G && tops[index(d)] == 1) continue;
    list += (list.empty() ? "" : ",") + std::to_string(tops[index(d)]);
  }
  return R"({"format":"pimbb-padded-instance/1","instance":)" +
         canonical_instance(architecture, workload, question.objective, question.row_model,
                            question.caps, question.constraints) +
         R"(,"tops":[)" + list + "]}";
}

}  // namespace pimbb::dram_pim
