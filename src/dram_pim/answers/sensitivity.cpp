// The optimum of today, then one figure after the other.
#include "pimbb/dram_pim/sensitivity.hpp"

#include <algorithm>

#include "dram_pim/answers/class_text.hpp"
#include "dram_pim/answers/varied_layer.hpp"
#include "dram_pim/model/architecture_fields.hpp"
#include "files/nearest.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace answers {
namespace {

/// Sizes of a row that are looked at: these many halvings and doublings of today's; and how many at
/// most in a range.
constexpr int kRowDoublings = 3;
constexpr std::int64_t kMostShapes = 4096;

Rational reciprocal(const Rational& x) { return Rational(1) / x; }

class FigureAnswer {
 public:
  FigureAnswer(LayerSearches& searches, const Figure& figure, const SensitivityOptions& options,
               const Rational& value)
      : searches_(searches), figure_(figure), options_(options), value_(value) {
    answer_.path = figure.path;
    answer_.kind = figure.kind;
    answer_.unit = figure.unit;
    answer_.today = figure.today;
    answer_.matters = matters();
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
  [[nodiscard]] bool matters() const {
    const GoalTraits& goal = traits(searches_.goal());
    switch (figure_.kind) {
      case FigureKind::energy: return goal.energy;
      case FigureKind::time:
      case FigureKind::rate: return goal.latency;
      default: return true;
    }
  }

  [[nodiscard]] bool is_rate() const { return figure_.kind == FigureKind::rate; }
  /// Of a value the p of curves, and the reverse.
  [[nodiscard]] Rational flipped(const Rational& x) const { return is_rate() ? reciprocal(x) : x; }

  void vary() {
    if (!answer_.matters) {
      answer_.complete = true;
      return;
    }
    VariedFigure figure(searches_, figure_);
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

  void vary_in_range(VariedFigure& figure) {
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

  /// From which size on nothing changes.
  [[nodiscard]] std::int64_t most_of_use() const {
    return std::max(figure_.most(searches_.workload()), figure_.least);
  }

  void size() {
    SizedFigure figure(searches_, figure_);
    const std::int64_t useful = most_of_use();
    if (options_.range) {
      const std::int64_t least = integer_of(options_.range->from, figure_.least);
      const std::int64_t most = integer_of(options_.range->to, figure_.least);
      // Sizes above what is of use have its optimum; the search need not know of them.
      answer_.steps =
          pimbb::answers::steps_between(figure, std::min(least, useful), std::min(most, useful));
      if (!answer_.steps.empty()) {
        answer_.complete = answer_.steps.front().from == std::min(least, useful);
        answer_.steps.front().from = std::max(answer_.steps.front().from, least);
        answer_.steps.back().to = most;
      }
      return;
    }
    const std::int64_t today = *figure_.today.in_units(1);
    const std::int64_t need =
        std::max(figure_.need(searches_.workload(), searches_.known()[0].mapping), figure_.least);
    answer_.smaller = pimbb::answers::next_smaller(figure, value_, need, figure_.least);
    answer_.larger = pimbb::answers::next_larger(figure, today, value_, std::max(useful, today));
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
    for (int k = kRowDoublings; k > 0; --k) {
      if (today % (std::int64_t{1} << k) == 0) all.push_back(today >> k);
    }
    for (int k = 0; k <= kRowDoublings; ++k) all.push_back(today << k);
    return all;
  }

  void shape() {
    SizedFigure figure(searches_, figure_);
    for (const std::int64_t x : shapes()) {
      const auto found = figure.best(x, std::nullopt);
      if (found.stopped) return;
      const auto solution = found.value ? std::optional(found.solution) : std::nullopt;
      std::vector<SizeStep>& steps = answer_.steps;
      if (!steps.empty() && steps.back().to + 1 == x && steps.back().value == found.value &&
          steps.back().solution == solution) {
        steps.back().to = x;
      } else {
        steps.push_back({x, x, found.value, solution});
      }
    }
    answer_.complete = true;
  }

  LayerSearches& searches_;
  const Figure& figure_;
  const SensitivityOptions& options_;
  const Rational& value_;
  FigureSensitivity answer_;
};

/// The answer about a figure that is another one times a constant.
FigureSensitivity of_twin(FigureSensitivity twin, const Figure& figure) {
  const auto scale = [&](std::optional<StayEnd>& end) {
    if (!end) return;
    end->proven *= figure.per_twin;
    if (end->beyond) *end->beyond *= figure.per_twin;
  };
  scale(twin.down);
  scale(twin.up);
  twin.path = figure.path;
  twin.unit = figure.unit;
  twin.today = figure.today;
  return twin;
}

/// "levels." for the key of the list, as in --set.
std::string plain_path(const std::string& path) {
  static constexpr std::string_view kList = "memory_hierarchy.";
  return path.starts_with(kList) ? "levels." + path.substr(kList.size()) : path;
}

std::vector<Figure> chosen_figures(const Architecture& architecture,
                                   const SensitivityOptions& options) {
  std::vector<Figure> all = figures_of(architecture);
  if (options.figures.empty()) return all;
  std::vector<Figure> chosen;
  for (const std::string& asked : options.figures) {
    const auto figure = std::ranges::find(all, plain_path(asked), &Figure::path);
    if (figure == all.end()) {
      std::vector<std::string_view> paths;
      for (const Figure& each : all) paths.push_back(each.path);
      throw InputError("sensitivity: found figure '" + asked + "'" +
                       files::did_you_mean(plain_path(asked), paths) + ", allowed are " +
                       files::join(paths));
    }
    chosen.push_back(*figure);
  }
  return chosen;
}

void check_sensitivity(const Workload& workload, const Question& question,
                       const SensitivityOptions& options) {
  if (question.method != Method::exact) {
    throw InputError("sensitivity: found method '" + std::string(name(question.method)) +
                     "', allowed is exact");
  }
  if (question.below || !question.all_caps().empty()) {
    throw InputError("sensitivity: found a limit on a goal, allowed is none");
  }
  if (workload.may_be_padded()) {
    throw InputError("sensitivity: layer '" + workload.name +
                     "' may be padded; allowed are layers without padding");
  }
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

}  // namespace
}  // namespace answers

std::vector<std::string> figure_paths(const Architecture& architecture) {
  std::vector<std::string> paths;
  for (const answers::Figure& figure : answers::figures_of(architecture)) {
    paths.push_back(figure.path);
  }
  return paths;
}

Sensitivity sensitivity(const Architecture& architecture, const Workload& workload,
                        const Question& question, const SensitivityOptions& options,
                        const RunLimits& limits) {
  answers::check_sensitivity(workload, question, options);
  const std::vector<answers::Figure> figures = answers::chosen_figures(architecture, options);
  answers::LayerSearches searches(architecture, workload, question, limits);
  const Solution today = solve(architecture, workload, question, limits);
  searches.count(today);
  Sensitivity result;
  result.first_nodes = today.nodes;
  result.threads = today.threads;
  if (today.status == Status::infeasible) {
    result.status = SensitivityStatus::infeasible;
    result.reason = today.reason.empty() ? "no mapping is feasible" : today.reason;
  } else if (today.status == Status::optimal) {
    result.metrics = today.metrics;
    result.value = today.goals.front().value;
    searches.number_of(*today.mapping);
    for (const answers::Figure& figure : figures) {
      const auto twin = std::ranges::find(result.figures, figure.twin, &FigureSensitivity::path);
      result.figures.push_back(
          twin != result.figures.end() && !options.range
              ? answers::of_twin(*twin, figure)
              : answers::FigureAnswer(searches, figure, options, result.value).run());
    }
    const bool complete = std::ranges::all_of(result.figures, &FigureSensitivity::complete);
    if (complete) result.status = SensitivityStatus::complete;
    for (const auto& known : searches.known()) {
      result.mappings.push_back(known.mapping);
      result.texts.push_back(known.text);
    }
  }
  static_cast<SolveStatistics&>(result) += searches.spent();
  result.solves = searches.solves();
  result.seconds = searches.seconds();
  return result;
}

}  // namespace pimbb::dram_pim
