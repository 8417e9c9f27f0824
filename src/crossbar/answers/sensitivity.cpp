// The optimum of today, then one figure after the other, as questions about changed accelerators.
#include "pimbb/crossbar/sensitivity.hpp"

#include <algorithm>

#include "answers/figure_sensitivity.hpp"
#include "crossbar/answers/figures.hpp"
#include "crossbar/answers/searches.hpp"
#include "crossbar/answers/time_figure.hpp"
#include "crossbar/cost/latency.hpp"
#include "pimbb/error.hpp"
#include "run/threads.hpp"

namespace pimbb::crossbar {
namespace within {
namespace {

using pimbb::answers::AskedFigure;
using pimbb::answers::ValueCurve;

/// Whole numbers of ns that are asked for one by one in each direction.
constexpr int kNumbersTried = 64;

/// Solutions by number, and what is asked about them.
class NetworkSearches {
 public:
  NetworkSearches(Searches& searches, const Architecture& a, Goal goal, Sensitivity& result)
      : searches_(searches),
        a_(a),
        partition_(make_partition(a, searches.graph())),
        goal_(goal),
        result_(result) {}

  [[nodiscard]] Least least(const Architecture& a, const std::optional<Rational>& enough = {}) {
    return searches_.least({a}, goal_, enough);
  }

  std::size_t number_of(const Architecture& a, const Mapping& mapping) {
    const Partition partition = make_partition(a, searches_.graph());
    NamedMapping named{{}, mapping};
    for (const ArrayNode& array : partition.arrays)
      named.nodes.push_back(partition.node(array).name);
    const auto known = std::ranges::find(result_.mappings, named);
    const auto number = static_cast<std::size_t>(known - result_.mappings.begin());
    if (known == result_.mappings.end()) {
      // Times change neither the partition nor what fits.
      fits_today_.push_back(partition_.arrays.size() == mapping.replication.size() &&
                            !find_violation(a_, partition_, mapping));
      result_.mappings.push_back(std::move(named));
    }
    return number;
  }

  /// The next figure gets an equal part of the time that is left, with `figures` to come.
  void begin_figure(std::size_t figures) {
    const std::optional<double> left = searches_.time_left();
    end_of_figure_.reset();
    if (left) end_of_figure_ = searches_.seconds() + *left / static_cast<double>(figures);
    allow_part(1);
  }
  /// What follows gets a part of the figure's time.
  void allow_part(double part) {
    if (!end_of_figure_) return;
    searches_.allow(std::max(0.0, part * (*end_of_figure_ - searches_.seconds())));
  }

  [[nodiscard]] const Architecture& today() const { return a_; }
  [[nodiscard]] const Partition& partition() const { return partition_; }
  [[nodiscard]] Goal goal() const { return goal_; }
  [[nodiscard]] const Mapping& mapping(std::size_t solution) const {
    return result_.mappings[solution].mapping;
  }
  [[nodiscard]] std::size_t known() const { return result_.mappings.size(); }
  [[nodiscard]] bool fits_today(std::size_t solution) const { return fits_today_[solution]; }
  [[nodiscard]] const NodeGraph& graph() const { return searches_.graph(); }

 private:
  Searches& searches_;
  const Architecture& a_;
  Partition partition_;
  Goal goal_;
  Sensitivity& result_;
  std::vector<bool> fits_today_;         // by solution
  std::optional<double> end_of_figure_;  // seconds of the searches' clock
};

/// `ht` while a time varies. At p = n / d ns it is that of n ns with the other time d times as
/// long, divided by d.
class VariedTime final : public pimbb::answers::VariedProblem {
 public:
  VariedTime(NetworkSearches& searches, TimeFigure figure) : searches_(searches), figure_(figure) {}

  [[nodiscard]] bool is_linear() const override { return false; }

  [[nodiscard]] const ValueCurve& curve(std::size_t solution) override {
    if (curves_.size() <= solution) curves_.resize(solution + 1);
    if (!curves_[solution]) {
      curves_[solution] = std::make_unique<ValueCurve>(throughput_curve(
          searches_.today(), searches_.partition(), searches_.mapping(solution), figure_));
    }
    return *curves_[solution];
  }

  Found cheaper(const Rational& p, const Rational& limit) override {
    for (std::size_t k = 0; k < searches_.known(); ++k) {
      if (searches_.fits_today(k) && curve(k).at(p) < limit) return {Found::State::found, k};
    }
    return searched(p, limit);
  }

  Found best(const Rational& p) override { return searched(p, std::nullopt); }

  /// There are too many.
  std::optional<std::vector<std::size_t>> all_within(const Rational&, const Rational&,
                                                     const Wanted&) override {
    return std::nullopt;
  }

 private:
  Found searched(const Rational& p, const std::optional<Rational>& limit) {
    const std::optional<std::int64_t> scale = p.denominator();
    Architecture a = searches_.today();
    std::int64_t& other = figure_ == TimeFigure::time ? a.mvm.interval : a.mvm.time;
    std::int64_t& varied = figure_ == TimeFigure::time ? a.mvm.time : a.mvm.interval;
    if (!scale || *scale > kMaxTime / other || p > Rational(kMaxTime / *scale)) {
      return {Found::State::too_fine, 0};
    }
    other *= *scale;
    varied = *p.in_units(*scale);
    const Rational unit(*scale);
    const Least found = searches_.least(a, limit ? std::optional(*limit * unit) : std::nullopt);
    if (limit && found.bound >= *limit * unit) return {Found::State::none, 0};
    const bool is_answer = limit ? found.value && *found.value < *limit * unit : found.is_proven();
    if (!is_answer || !found.mapping) return {Found::State::stopped, 0};
    return {Found::State::found, searches_.number_of(searches_.today(), *found.mapping)};
  }

  NetworkSearches& searches_;
  TimeFigure figure_;
  std::vector<std::unique_ptr<ValueCurve>> curves_;  // by solution, where made
};

/// A figure whose values are problems of their own.
class VariedSize final : public pimbb::answers::SizedProblem {
 public:
  VariedSize(NetworkSearches& searches, const Figure& figure, bool is_range)
      : searches_(searches), figure_(figure), is_range_(is_range) {}

  Optimum best(std::int64_t size, const Known& known) override {
    const std::optional<Rational>& below = known.below;
    // The hard question whether fewer are as good must not use up the time of all others.
    if (!is_range_) searches_.allow_part(below ? 1 : 0.5);
    Architecture a = searches_.today();
    figure_.set(a, size);
    if (a.weights_per_row() == 0) return {};  // no weight fits a crossbar
    const Least found = searches_.least(a, below);
    if (found.verdict == Verdict::infeasible) return {};
    if (below && found.bound >= *below) return {};
    if (!found.is_proven() || !found.mapping) return {.stopped = true};
    const std::int64_t need =
        figure_.need
            ? std::min(size, figure_.need(a, make_partition(a, searches_.graph()), *found.mapping))
            : size;
    return {.value = found.value,
            .solution = searches_.number_of(a, *found.mapping),
            .need = std::max<std::int64_t>(need, 1)};
  }

 private:
  NetworkSearches& searches_;
  const Figure& figure_;
  bool is_range_;
};

class FigureAnswers {
 public:
  FigureAnswers(NetworkSearches& searches, const SensitivityOptions& options,
                const Sensitivity& result)
      : searches_(searches), options_(options), result_(result) {}

  FigureSensitivity answer(const Figure& figure) {
    if (!matters(figure)) {
      FigureSensitivity none = begun(figure);
      none.matters = false;
      none.complete = true;
      return none;
    }
    if (options_.range) return in_range(figure);
    if (figure.kind == FigureKind::time) return of_time(figure);
    return result_.is_proven() ? of_size(figure) : half_and_double(figure);
  }

 private:
  [[nodiscard]] bool matters(const Figure& figure) const {
    return searches_.goal() == Goal::ht || figure.path != "mvm.interval";
  }

  static FigureSensitivity begun(const Figure& figure) {
    FigureSensitivity answer;
    answer.path = figure.path;
    answer.kind = figure.kind;
    answer.unit = figure.unit;
    answer.today = figure.today;
    return answer;
  }

  [[nodiscard]] AskedFigure asked(const Figure& figure) {
    AskedFigure asked;
    asked.path = figure.path;
    asked.kind = figure.kind == FigureKind::time ? FigureKind::shape : figure.kind;
    asked.unit = figure.unit;
    asked.today = figure.today;
    asked.useful = figure.today;
    asked.need = figure.today;
    if (asked.kind == FigureKind::size && figure.need && result_.is_proven()) {
      asked.need = std::clamp<std::int64_t>(
          figure.need(searches_.today(), searches_.partition(), searches_.mapping(0)), 1,
          figure.today);
    }
    const Rational most = options_.range ? options_.range->to : options_.reach * asked.today;
    asked.useful = std::max(figure.today, whole(most).value_or(kMaxCount));
    if (figure.path != "core.local_memory") asked.useful = std::min(asked.useful, kMaxCount);
    asked.sized = [this, &figure] {
      return std::make_unique<VariedSize>(searches_, figure, options_.range.has_value());
    };
    return asked;
  }

  FigureSensitivity of_size(const Figure& figure) {
    return pimbb::answers::answer(asked(figure), options_, result_.value);
  }

  /// What is known if the optimum of today is not.
  FigureSensitivity half_and_double(const Figure& figure) {
    FigureSensitivity answer = begun(figure);
    for (const std::int64_t x : {figure.today / 2, figure.today * 2}) {
      if (x < 1 || x > kMaxCount) continue;
      Architecture a = searches_.today();
      figure.set(a, x);
      if (a.weights_per_row() == 0) continue;
      const Least found = searches_.least(a);
      SizeStep step{x, x, found.value, std::nullopt};
      if (found.mapping) step.solution = searches_.number_of(a, *found.mapping);
      if (figure.kind == FigureKind::size && x > figure.today && result_.known &&
          (!step.value || result_.value < *step.value)) {
        step.value = result_.value;  // what fits today fits more
        step.solution = 0;
      }
      if (found.verdict != Verdict::infeasible && step.value != found.bound) {
        step.bound = found.bound;
      }
      answer.steps.push_back(std::move(step));
    }
    return answer;
  }

  /// Every whole number is a problem of its own, of times as well.
  FigureSensitivity in_range(const Figure& figure) {
    const std::int64_t most = figure.kind == FigureKind::time      ? kMaxTime
                              : figure.path == "core.local_memory" ? std::int64_t{1} << 50
                                                                   : kMaxCount;
    if (options_.range->to > Rational(most)) {
      throw InputError("sensitivity: found " + options_.range->to.to_string() +
                       " in the range of " + figure.path + ", allowed are integers up to " +
                       std::to_string(most));
    }
    FigureSensitivity answer = of_size(figure);
    answer.kind = figure.kind;
    if (figure.kind == FigureKind::time) answer.elasticity = elasticity(figure);
    return answer;
  }

  [[nodiscard]] static TimeFigure which(const Figure& figure) {
    return figure.path == "mvm.time" ? TimeFigure::time : TimeFigure::interval;
  }

  [[nodiscard]] Rational elasticity(const Figure& figure) {
    if (!result_.known || result_.value.sign() == 0) return 0;
    if (searches_.goal() == Goal::ll) return 1;
    const ValueCurve curve = throughput_curve(searches_.today(), searches_.partition(),
                                              searches_.mapping(0), which(figure));
    return curve.line_above(figure.today).slope * Rational(figure.today) / result_.value;
  }

  FigureSensitivity of_time(const Figure& figure) {
    FigureSensitivity answer = begun(figure);
    answer.elasticity = elasticity(figure);
    if (!result_.is_proven()) return answer;
    const Rational today = figure.today;
    const std::int64_t most = std::max(
        figure.today, std::min(whole(today * options_.reach).value_or(kMaxTime), kMaxTime));
    const std::int64_t part = *whole(today / options_.reach);
    const std::int64_t least = std::max<std::int64_t>(
        1, Rational(part) * options_.reach == today ? part : std::min(part + 1, figure.today));
    if (searches_.goal() == Goal::ll) {  // every latency is in proportion to the time
      answer.down = {StayEnd::Reason::range, least, std::nullopt, std::nullopt};
      answer.up = {StayEnd::Reason::range, most, std::nullopt, std::nullopt};
    } else {
      VariedTime varied(searches_, which(figure));
      answer.down = stay_in_whole_numbers(varied, 0, figure.today, least, kNumbersTried);
      answer.up = stay_in_whole_numbers(varied, 0, figure.today, most, kNumbersTried);
    }
    answer.complete = answer.down->is_exact() && answer.up->is_exact();
    return answer;
  }

  NetworkSearches& searches_;
  const SensitivityOptions& options_;
  const Sensitivity& result_;
};

}  // namespace
}  // namespace within

std::vector<std::string> figure_paths(const Architecture& architecture) {
  std::vector<std::string> paths;
  for (const within::Figure& figure : within::figures_of(architecture)) {
    paths.push_back(figure.path);
  }
  return paths;
}

Sensitivity sensitivity(const Architecture& architecture, const NodeGraph& graph,
                        const Question& question, const SensitivityOptions& options,
                        const RunLimits& limits) {
  pimbb::answers::check(options);
  const std::vector<within::Figure> all = within::figures_of(architecture);
  const std::vector<std::size_t> chosen =
      pimbb::answers::chosen_figures(figure_paths(architecture), options);
  within::Searches searches(graph, question.seed, limits);
  Sensitivity result;
  within::NetworkSearches network(searches, architecture, question.goal, result);
  if (question.goal == Goal::ll) {
    const std::string why = cost::why_no_latency(network.partition());
    if (!why.empty()) {
      throw InputError("sensitivity: found objective ll, allowed is ht for graph '" + graph.name +
                       "': " + why);
    }
  }
  const within::Least today = network.least(architecture);
  result.threads = run::thread_count(limits);
  if (today.verdict == within::Verdict::infeasible) {
    result.status = SensitivityStatus::infeasible;
    result.reason = "no mapping is legal ('pimbb explain' says why)";
  } else {
    result.bound = today.bound;
    if (today.mapping) {
      result.known = true;
      result.value = *today.value;
      network.number_of(architecture, *today.mapping);
    }
    within::FigureAnswers answers(network, options, result);
    for (const std::size_t k : chosen) {
      network.begin_figure(chosen.size() - result.figures.size());
      result.figures.push_back(answers.answer(all[k]));
    }
    if (result.is_proven() && std::ranges::all_of(result.figures, &FigureSensitivity::complete)) {
      result.status = SensitivityStatus::complete;
    }
  }
  static_cast<SolveStatistics&>(result) = searches.spent();
  result.solves = searches.solves();
  result.seconds = searches.seconds();
  return result;
}

}  // namespace pimbb::crossbar
