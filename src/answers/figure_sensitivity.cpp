// Intervals of rates by their reciprocals; ranges; shapes one by one.
#include "answers/figure_sensitivity.hpp"

#include <algorithm>
#include <limits>

#include "files/nearest.hpp"
#include "pimbb/error.hpp"

namespace pimbb::answers {
namespace {

/// Shapes that are looked at: these many halvings and doublings of today's; and how many at most in
/// a range.
constexpr int kDoublings = 3;
constexpr std::int64_t kMostShapes = 4096;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

Rational reciprocal(const Rational& x) { return Rational(1) / x; }

class FigureAnswer {
 public:
  FigureAnswer(const AskedFigure& figure, const SensitivityOptions& options, const Rational& value)
      : figure_(figure), options_(options), value_(value) {
    answer_.path = figure.path;
    answer_.kind = figure.kind;
    answer_.unit = figure.unit;
    answer_.today = figure.today;
    answer_.matters = figure.matters;
  }

  FigureSensitivity run() {
    switch (figure_.kind) {
      case FigureKind::size: size(); break;
      case FigureKind::shape: shape(); break;
      default: vary(); break;
    }
    return std::move(answer_);
  }

 private:
  [[nodiscard]] bool is_rate() const { return figure_.kind == FigureKind::rate; }
  /// Of a value the p of curves, and the reverse.
  [[nodiscard]] Rational flipped(const Rational& x) const { return is_rate() ? reciprocal(x) : x; }

  void vary() {
    if (!answer_.matters) {
      answer_.complete = true;
      return;
    }
    const std::unique_ptr<VariedProblem> problem = figure_.varied();
    VariedProblem& figure = *problem;
    const Rational today = flipped(figure_.today);
    if (value_.sign() > 0 && today.sign() > 0) {
      const Rational slope = is_rate() ? Rational(0) - figure.curve(0).line_below(today).slope
                                       : figure.curve(0).line_above(today).slope;
      answer_.elasticity = slope * today / value_;
    }
    if (options_.range) {
      vary_in_range(figure);
      return;
    }
    const Rational most = figure_.today.sign() > 0 ? figure_.today * options_.reach : Rational(1);
    const Rational least =
        figure_.kind == FigureKind::energy ? Rational(0) : figure_.today / options_.reach;
    StayEnd up = stay_up(figure, 0, today, is_rate() ? reciprocal(least) : most);
    StayEnd down = today.sign() > 0 ? stay_down(figure, 0, today, flipped(is_rate() ? most : least))
                                    : StayEnd{StayEnd::Reason::range, today, {}, {}};
    if (is_rate()) {
      std::swap(up, down);
      flip(up);
      flip(down);
    }
    answer_.complete = up.is_exact() && down.is_exact();
    answer_.up = std::move(up);
    answer_.down = std::move(down);
  }

  static void flip(StayEnd& end) {
    end.proven = reciprocal(end.proven);
    if (end.beyond) end.beyond = reciprocal(*end.beyond);
  }

  void vary_in_range(VariedProblem& figure) {
    const FigureRange& range = *options_.range;
    if (range.from.sign() == 0 && !figure_.may_be_zero) {
      throw InputError("sensitivity: found a range of " + figure_.path +
                       " from 0, allowed are values above 0");
    }
    const Rational low = flipped(is_rate() ? range.to : range.from);
    const Rational high = flipped(is_rate() ? range.from : range.to);
    answer_.pieces = pieces_between(figure, low, high);
    answer_.complete =
        !answer_.pieces.empty() && answer_.pieces.back().to == high &&
        std::ranges::all_of(answer_.pieces, [](const RangePiece& p) { return p.proven; });
    if (!is_rate()) return;
    for (RangePiece& piece : answer_.pieces) {
      piece = {reciprocal(piece.to), reciprocal(piece.from), piece.value_to,
               piece.value_from,     piece.solution,         piece.proven};
    }
    std::ranges::reverse(answer_.pieces);
  }

  [[nodiscard]] std::int64_t integer_of(const Rational& x, std::int64_t least) const {
    const std::optional<std::int64_t> integer = x.is_integer() ? x.in_units(1) : std::nullopt;
    if (!integer || *integer < least) {
      throw InputError("sensitivity: found " + x.to_string() + " in the range of " + figure_.path +
                       ", allowed are integers >= " + std::to_string(least));
    }
    return *integer;
  }

  void size() {
    const std::unique_ptr<SizedProblem> problem = figure_.sized();
    SizedProblem& figure = *problem;
    const std::int64_t useful = figure_.useful;
    if (options_.range) {
      const std::int64_t least = integer_of(options_.range->from, figure_.least);
      const std::int64_t most = integer_of(options_.range->to, figure_.least);
      // Sizes above what is of use have its optimum; the search need not know of them.
      answer_.steps = steps_between(figure, std::min(least, useful), std::min(most, useful));
      if (!answer_.steps.empty()) {
        answer_.complete = answer_.steps.front().from == std::min(least, useful);
        answer_.steps.front().from = std::max(answer_.steps.front().from, least);
        answer_.steps.back().to = most;
      }
      return;
    }
    const std::int64_t today = *figure_.today.in_units(1);
    answer_.smaller = next_smaller(figure, value_, figure_.need, figure_.least);
    answer_.larger = next_larger(figure, today, value_, std::max(useful, today));
    answer_.complete = answer_.smaller->reason != NextStep::Reason::open &&
                       answer_.larger->reason != NextStep::Reason::open;
  }

  [[nodiscard]] std::vector<std::int64_t> shapes() const {
    std::vector<std::int64_t> all;
    if (options_.range) {
      const std::int64_t from = integer_of(options_.range->from, 1);
      const std::int64_t to = integer_of(options_.range->to, 1);
      if (to - from >= kMostShapes) {
        throw InputError("sensitivity: found a range of " + figure_.path + " with " +
                         std::to_string(to - from + 1) +
                         " values, each of which is one solve; "
                         "allowed are " +
                         std::to_string(kMostShapes));
      }
      for (std::int64_t x = from; x <= to; ++x) all.push_back(x);
      return all;
    }
    const std::int64_t today = *figure_.today.in_units(1);
    for (int k = kDoublings; k > 0; --k) {
      if (today % (std::int64_t{1} << k) == 0) all.push_back(today >> k);
    }
    for (int k = 0; k <= kDoublings && today <= kLargest >> k; ++k) all.push_back(today << k);
    return all;
  }

  /// From the largest down: where more never hurts, the optimum of the next larger one is a bound.
  void shape() {
    const std::unique_ptr<SizedProblem> problem = figure_.sized();
    std::vector<SizeStep> steps;  // descending
    answer_.complete = true;
    const std::vector<std::int64_t> all = shapes();
    for (auto next = all.rbegin(); next != all.rend(); ++next) {
      const std::int64_t x = *next;
      SizedProblem::Known known;
      if (figure_.never_hurts && !steps.empty()) known.least = steps.back().value;
      const auto found = Rational(x) == figure_.today
                             ? SizedProblem::Optimum{.value = value_, .solution = 0}
                             : problem->best(x, known);
      if (found.stopped) {
        answer_.complete = false;
        break;
      }
      const auto solution = found.value ? std::optional(found.solution) : std::nullopt;
      if (!steps.empty() && steps.back().from == x + 1 && steps.back().value == found.value &&
          steps.back().solution == solution) {
        steps.back().from = x;
      } else {
        steps.push_back({x, x, found.value, solution});
      }
    }
    std::ranges::reverse(steps);
    answer_.steps = std::move(steps);
  }

  const AskedFigure& figure_;
  const SensitivityOptions& options_;
  const Rational& value_;
  FigureSensitivity answer_;
};

/// "levels." for the key of the list, as in --set.
std::string plain_path(const std::string& path) {
  static constexpr std::string_view kList = "memory_hierarchy.";
  return path.starts_with(kList) ? "levels." + path.substr(kList.size()) : path;
}

}  // namespace

FigureSensitivity answer(const AskedFigure& figure, const SensitivityOptions& options,
                         const Rational& value) {
  return FigureAnswer(figure, options, value).run();
}

std::vector<std::size_t> chosen_figures(const std::vector<std::string>& paths,
                                        const SensitivityOptions& options) {
  std::vector<std::size_t> chosen;
  if (options.figures.empty()) {
    for (std::size_t k = 0; k < paths.size(); ++k) chosen.push_back(k);
  }
  for (const std::string& asked : options.figures) {
    const auto path = std::ranges::find(paths, plain_path(asked));
    if (path == paths.end()) {
      const std::vector<std::string_view> allowed(paths.begin(), paths.end());
      throw InputError("sensitivity: found figure '" + asked + "'" +
                       files::did_you_mean(plain_path(asked), allowed) + ", allowed are " +
                       files::join(allowed));
    }
    chosen.push_back(static_cast<std::size_t>(path - paths.begin()));
  }
  return chosen;
}

void check(const SensitivityOptions& options) {
  if (options.reach <= Rational(1)) {
    throw InputError("sensitivity: found a reach of " + options.reach.to_string() +
                     " times today's value, allowed is more than 1");
  }
  if (options.range && options.figures.size() != 1) {
    throw InputError("sensitivity: found a range for " + std::to_string(options.figures.size()) +
                     " figures, allowed is one");
  }
  if (options.range &&
      (options.range->from.sign() < 0 || options.range->to <= options.range->from)) {
    throw InputError("sensitivity: found a range " + options.range->from.to_string() + ".." +
                     options.range->to.to_string() + ", allowed are ascending values >= 0");
  }
}

}  // namespace pimbb::answers
