// The two algorithms in turn, and their answer in the program's own units.
#include "lp/simplex.hpp"

#include <algorithm>
#include <stdexcept>

#include "lp/dual_simplex.hpp"
#include "lp/primal_simplex.hpp"

namespace pimbb::lp {
namespace {

constexpr double kSharpTolerance = 1e-12;
constexpr int kSharpIterations = 100;
constexpr int kRounds = 6;           // of dual and primal in turn
constexpr int kPerturbedRounds = 2;  // of these

}  // namespace

Simplex::Simplex(LinearProgram program, const Options& options)
    : program_(std::move(program)),
      options_(options),
      model_(program_),
      work_(model_),
      is_empty_(static_cast<std::size_t>(model_.variables()), false) {
  for (ColIndex j; j.value() < program_.columns(); ++j) set_range(j.value(), program_.range(j));
  for (RowIndex i; i.value() < program_.rows(); ++i) {
    set_range(model_.logical(i.value()), program_.range(i));
  }
}

void Simplex::set_range(int variable, const Range& range) {
  model_.set_range(variable, range);
  empty_ranges_ += (range.is_empty() ? 1 : 0) - (is_empty_[variable] ? 1 : 0);
  is_empty_[variable] = range.is_empty();
}

void Simplex::set_range(ColIndex column, Range values) {
  set_range(column.value(), values);
  program_.set_range(column, std::move(values));
}

void Simplex::set_range(RowIndex row, Range activity) {
  set_range(model_.logical(row.value()), activity);
  program_.set_range(row, std::move(activity));
}

void Simplex::set_basis(std::span<const Place> places) {
  if (static_cast<int>(places.size()) != model_.variables() ||
      std::ranges::count(places, Place::basic) != model_.rows) {
    throw std::invalid_argument("a basis of another linear program");
  }
  work_.place.assign(places.begin(), places.end());
  int row = 0;
  for (int v = 0; v < model_.variables(); ++v) {
    if (places[v] != Place::basic) continue;
    work_.basic[row++] = v;
    work_.edge_weight[v] = 1.0;
  }
}

Status Simplex::solve(const Limits& limits) {
  stuck_variable_ = -1;
  running_variable_ = -1;
  ray_.clear();
  work_.restore_costs();
  work_.settle();
  if (empty_ranges_ > 0) {
    ray_.assign(static_cast<std::size_t>(model_.rows), 0.0);
    return Status::infeasible;
  }
  return run(Budget(limits, work_.statistics));
}

Status Simplex::run(const Budget& budget) {
  const Status status = alternate(budget);
  if (status == Status::optimal) sharpen(budget);
  return status;
}

/// Tries for an optimum within a much smaller tolerance; keeps the old one if that fails.
void Simplex::sharpen(const Budget& budget) {
  work_.tolerance = kSharpTolerance;
  if (!work_.is_primal_feasible() || !work_.is_dual_feasible()) {
    const Workspace::Basis before = work_.save_basis();
    const Budget little = budget.within(kSharpIterations, work_.statistics);
    const bool succeeded = alternate(little) == Status::optimal;
    if (!succeeded) {
      work_.load_basis(before);
      work_.restore_costs();
      work_.refresh();
    }
  }
  work_.tolerance = kTolerance;
}

Status Simplex::alternate(const Budget& budget) {
  for (int round = 0; round < kRounds; ++round) {
    Options options = options_;
    options.perturb = options_.perturb && round < kPerturbedRounds;
    options.bland = options_.bland || round == kRounds - 1;
    if (const auto end = make_feasible(budget, options)) return *end;
    work_.restore_costs();
    work_.compute_reduced();
    if (work_.is_dual_feasible()) return Status::optimal;
    if (const auto end = make_optimal(budget, options)) return *end;
  }
  return Status::trouble;
}

/// Nothing if the basis is primal feasible now.
std::optional<Status> Simplex::make_feasible(const Budget& budget, const Options& options) {
  DualSimplex dual(work_, budget, options);
  switch (dual.run()) {
    case Outcome::done: return std::nullopt;
    case Outcome::limit: return Status::limit;
    case Outcome::trouble: return Status::trouble;
    case Outcome::ray: break;
  }
  ray_ = dual.ray();
  stuck_variable_ = dual.stuck_variable();
  return Status::infeasible;
}

/// Nothing if feasibility got lost on the way.
std::optional<Status> Simplex::make_optimal(const Budget& budget, const Options& options) {
  PrimalSimplex primal(work_, budget, options);
  switch (primal.run()) {
    case Outcome::done:
      if (work_.is_primal_feasible()) return Status::optimal;
      return std::nullopt;
    case Outcome::limit: return Status::limit;
    case Outcome::trouble: return std::nullopt;
    case Outcome::ray: break;
  }
  ray_ = primal.ray();
  running_variable_ = primal.running_variable();
  return Status::unbounded;
}

double Simplex::value(ColIndex column) const {
  return work_.value[column.value()] * model_.scale[column.value()];
}

double Simplex::activity(RowIndex row) const {
  const int v = model_.logical(row.value());
  return work_.value[v] * model_.scale[v];
}

double Simplex::objective() const {
  double sum = 0;
  for (int v = 0; v < model_.columns; ++v) sum += model_.cost[v] * work_.value[v];
  return sum / model_.cost_scale;
}

std::vector<double> Simplex::multipliers() const {
  std::vector<double> out;
  for (int v = model_.columns; v < model_.variables(); ++v) {
    out.push_back(work_.reduced[v] / (model_.cost_scale * model_.scale[v]));
  }
  return out;
}

std::vector<double> Simplex::infeasibility_ray() const {
  std::vector<double> out = ray_;
  for (int row = 0; row < static_cast<int>(out.size()); ++row) {
    out[row] /= model_.scale[model_.logical(row)];
  }
  return out;
}

std::vector<double> Simplex::unbounded_ray() const {
  std::vector<double> out(
      ray_.begin(), ray_.begin() + std::min<std::ptrdiff_t>(model_.columns, std::ssize(ray_)));
  for (int v = 0; v < static_cast<int>(out.size()); ++v) out[v] *= model_.scale[v];
  return out;
}

}  // namespace pimbb::lp
