// Dimension after dimension, the bound that is the best for a greedy mapping. Bounds with large
// prime factors leave most of an array idle, and only those are tried.
#include <algorithm>

#include "dram_pim/heuristic/greedy.hpp"
#include "dram_pim/mapper/smallest.hpp"
#include "exact/factors.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

constexpr std::int64_t kSmooth = 7;      // larger prime factors rarely fit a side of an array
constexpr std::int64_t kLargest = 8;     // a padding of up to an eighth
constexpr std::int64_t kLeastGain = 20;  // a twentieth less

bool divides_badly(std::int64_t bound) {
  return bound > kSmooth && prime_factors_of(bound).back() > kSmooth;
}

/// The multiples of powers of two and of the array's sides that come first after a bound.
std::vector<std::int64_t> candidates(const Architecture& a, std::int64_t bound) {
  const std::int64_t most = bound + bound / kLargest;
  std::vector<std::int64_t> found;
  const auto try_multiple = [&](std::int64_t of) {
    const std::int64_t next = (bound / of + 1) * of;
    if (of > 1 && next <= most) found.push_back(next);
  };
  for (std::int64_t power = 2; power <= most; power *= 2) try_multiple(power);
  for (const std::int64_t side : {a.pe_array.height, a.pe_array.width, a.pe_array.num_macs})
    try_multiple(side);
  std::ranges::sort(found);
  const auto repeated = std::unique(found.begin(), found.end());
  found.erase(repeated, found.end());
  return found;
}

class HintSearch {
 public:
  HintSearch(const Architecture& architecture, const Workload& workload, const Question& question)
      : a_(architecture), layer_(workload), question_(question) {}

  /// The bounds with the best of the mappings that are below `less`, if there is one.
  std::optional<PaddingHint> run(const Rational& less) {
    Factors bounds = layer_.bounds;
    for (std::size_t j = 0; j < kDims; ++j) {
      if (!divides_badly(layer_.bounds[j])) continue;
      for (const std::int64_t bound : candidates(a_, layer_.bounds[j])) {
        bounds[j] = bound;
        consider(bounds, best_ ? best_->value : less);
      }
      bounds[j] = best_ ? best_->bounds[j] : layer_.bounds[j];
    }
    return best_;
  }

 private:
  void consider(const Factors& bounds, const Rational& less) {
    const Workload padded = with_bounds(layer_, bounds);
    if (!in_range(padded) || find_misfit(a_, padded, question_.constraints)) return;
    const Mapping mapping =
        heuristic::greedy(a_, padded, question_.row_model, mapper::smallest_mapping(a_, padded));
    const Rational value = question_.objective.value(
        question_.objective.goals.front(), evaluate(a_, padded, mapping, question_.row_model));
    if (value < less) best_ = {bounds, value};
  }

  static bool in_range(const Workload& workload) {
    try {
      validate(workload);
      return true;
    } catch (const InputError&) {
      return false;
    }
  }

  const Architecture& a_;
  const Workload& layer_;
  const Question& question_;
  std::optional<PaddingHint> best_;
};

/// Whether any mapping of the layer may answer the question.
bool asks_for_all(const Question& question) {
  return question.method == Method::exact && question.all_caps().empty() && !question.below &&
         !question.constraints.any() && question.precedence == LoopPrecedence{} &&
         question.layouts == LayoutRanges{};
}

}  // namespace

std::optional<PaddingHint> padding_hint(const Architecture& architecture, const Workload& workload,
                                        const Question& question, const Solution& solution) {
  if (!solution.mapping || workload.may_be_padded() || !asks_for_all(question)) return std::nullopt;
  const Rational less =
      solution.goals.front().value * Rational(kLeastGain - 1) / Rational(kLeastGain);
  return HintSearch(architecture, workload, question).run(less);
}

}  // namespace pimbb::dram_pim
