// Questions and their limits; a round after the other, as far as it can be foreseen.
#include "dram_pim/plan/rounds.hpp"

#include <algorithm>
#include <utility>

#include "exact/rounding.hpp"

namespace pimbb::dram_pim::network {
namespace {

/// Rounds that are looked at ahead. The further ahead, the less likely.
constexpr std::size_t kAhead = 2;

}  // namespace

Rounds::Rounds(LayoutSpace& space, LayerCosts& costs, LayoutRelaxation& relaxation)
    : space_(space),
      exchange_(space.exchange()),
      costs_(costs),
      relaxation_(relaxation),
      brief_(exchange_.layers.size()) {}

const Rounds::Round& Rounds::next(const WantedPlans& wanted, const search::Value& bound) {
  wanted_ = wanted;
  if (rounds_.empty()) rounds_.push_back(relaxed(bound));
  return rounds_.front();
}

/// A round, where the ones before give this bound.
Rounds::Round Rounds::relaxed(const search::Value& bound) {
  Round round;
  round.least = relaxation_.least();
  if (round.least.value.infinite()) return round;
  round.bound = bound < round.least.value ? round.least.value : bound;
  if (wanted_.are_none(round.bound)) return round;
  for (std::size_t l = 0; l < round.least.layers.size(); ++l) {
    const LayoutRelaxation::CellPick& cells = round.least.layers[l];
    if (cells.answer != nullptr) continue;
    round.open.push_back(l);
    round.questions.push_back(question(l, cells, limit(l, cells, round.bound)));
  }
  return round;
}

/// A layer in given cells; with a limit perhaps only that it costs more.
LayerQuestion Rounds::question(std::size_t layer, const LayoutRelaxation::CellPick& cells,
                               std::optional<Rational> at_most) {
  const ExchangeLayer& l = exchange_.layers[layer];
  const Cell& input = relaxation_.input_cell(layer, cells.input);
  const Cell& output = relaxation_.output_cell(layer, cells.output);
  return {space_.framed(layer, input.framed, output.framed),
          l.input ? space_.range_of(*l.input, input) : LayoutRange{},
          l.output ? space_.range_of(*l.output, output) : LayoutRange{}, std::move(at_most)};
}

/// What a layer is asked to stay within: the least that makes other cells as good, or a part of the
/// gap that grows from one time to the next, whichever is more. None where the first goal has no
/// gap left. A layer that costs more than the whole gap allows is in no better plan. Rounded, as a
/// limit that a layer exceeds becomes its bound.
std::optional<Rational> Rounds::limit(std::size_t layer, const LayoutRelaxation::CellPick& cells,
                                      const search::Value& bound) const {
  constexpr int kFirst = 8;  // 4 ^ -4 of the gap
  Rational upper = wanted_.below.goals()[0];
  if (wanted_.enough) upper = std::min(upper, *wanted_.enough);
  const Rational gap = upper - bound.goals()[0];
  if (gap.sign() == 0) return std::nullopt;
  Rational more = gap * Rational(std::int64_t{1} << std::min(2 * cells.tries, 40)) /
                  (std::int64_t{1} << kFirst);
  if (cells.room) more = max(more, *cells.room);
  return few_digits_above((cells.bound + more) / space_.times(layer));
}

bool Rounds::solve() {
  const Round& round = rounds_.front();
  if (round.open.empty()) return false;
  const std::vector<const LayerAnswer*> answers =
      costs_.answers(round.questions, [this] { return look_ahead(); });
  if (are_as_likely(answers)) {
    relaxation_.confirm();
    rounds_.pop_front();
    return true;
  }
  relaxation_.retract();
  costs_.forget_likely();
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const std::size_t l = round.open[k];
    relaxation_.solved(l, round.least.layers[l], *answers[k]);
  }
  rounds_.clear();
  return true;
}

/// Whether the next round is known, as these answers are those that it follows from.
bool Rounds::are_as_likely(const std::vector<const LayerAnswer*>& answers) {
  const Round& round = rounds_.front();
  bool all = rounds_.size() > 1;
  for (std::size_t k = 0; k < answers.size(); ++k) {
    brief_[round.open[k]] = answers[k]->solution.seconds < LayerSearches::kBrief ? 1 : 0;
    all = all && LayerCosts::is_as_likely(*answers[k], round.likely[k]);
  }
  return all;
}

/// One more round, if the answers in the last one are the likely ones, and what it asks for. None
/// where searches took so long that threads are of better use inside them.
std::optional<std::vector<LayerQuestion>> Rounds::look_ahead() {
  Round& last = rounds_.back();
  if (rounds_.size() > kAhead || last.open.empty() ||
      rounds_.size() != relaxation_.suppositions() + 1 ||  // one failed
      !std::ranges::all_of(last.open, [this](std::size_t l) { return brief_[l] != 0; })) {
    return std::nullopt;
  }
  auto likely = costs_.likely(last.questions);
  if (!likely) return std::nullopt;
  last.likely = *std::move(likely);
  relaxation_.suppose();
  for (std::size_t k = 0; k < last.open.size(); ++k) {
    const std::size_t l = last.open[k];
    relaxation_.solved(l, last.least.layers[l], last.likely[k].settled, last.likely[k].bound);
  }
  rounds_.push_back(relaxed(last.bound));
  return costs_.unknown(rounds_.back().questions);
}

void Rounds::end() {
  relaxation_.retract();
  costs_.forget_likely();
  rounds_.clear();
}

}  // namespace pimbb::dram_pim::network
