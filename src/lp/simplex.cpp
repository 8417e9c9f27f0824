// Alternating the two algorithms, and their result in the units of the program.
#include "lp/simplex.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>
#include <string_view>

#include "lp/dual_simplex.hpp"
#include "lp/primal_simplex.hpp"
#include "run/debug_log.hpp"

namespace pimbb::lp {
namespace {

constexpr double kPolishTolerance = 1e-12;
constexpr int kPolishIterations = 100;
constexpr std::array<std::string_view, 5> kStatusNames{"optimal", "infeasible", "unbounded",
                                                       "limit", "numerical failure"};
constexpr int kRounds = 6;           // of the dual, then the primal simplex
constexpr int kPerturbedRounds = 2;  // of these

/// Throws for numbers that the scaled copy cannot hold.
void check_numbers(const Range& range) {
  if (range.lower) nearest_double(*range.lower);
  if (range.upper) nearest_double(*range.upper);
}

void check_index(int index, int size) {
  if (index < 0 || index >= size) {
    throw std::out_of_range("an entry outside of a linear program");
  }
}

}  // namespace

Simplex::Simplex(LinearProgram program, const SimplexOptions& options)
    : program_(std::move(program)),
      options_(options),
      scaled_(program_),
      work_(scaled_),
      is_empty_(static_cast<std::size_t>(scaled_.variables()), false) {
  for (ColIndex j; j.value() < program_.columns(); ++j) set_range(j.value(), program_.range(j));
  for (RowIndex i; i.value() < program_.rows(); ++i) {
    set_range(scaled_.logical(i.value()), program_.range(i));
  }
}

void Simplex::set_range(int variable, const Range& range) {
  scaled_.set_range(variable, range);
  empty_ranges_ += (range.is_empty() ? 1 : 0) - (is_empty_[variable] ? 1 : 0);
  is_empty_[variable] = range.is_empty();
}

void Simplex::set_range(ColIndex column, Range values) {
  set_range(column.value(), values);
  program_.set_range(column, std::move(values));
}

void Simplex::set_range(RowIndex row, Range activity) {
  set_range(scaled_.logical(row.value()), activity);
  program_.set_range(row, std::move(activity));
}

void Simplex::forget_result() {
  infeasible_row_variable_ = -1;
  unbounded_entering_ = -1;
  ray_.clear();
}

void Simplex::add_columns(std::span<const NewColumn> columns) {
  for (const NewColumn& column : columns) {
    nearest_double(column.cost);
    check_numbers(column.values);
    for (const Entry& entry : column.entries) {
      check_index(entry.row.value(), program_.rows());
      nearest_double(entry.value);
    }
  }
  const int first = program_.columns();
  for (const NewColumn& column : columns) {
    const ColIndex j = program_.add_column(column.cost, column.values, column.name);
    for (const Entry& entry : column.entries) program_.add_entry(entry.row, j, entry.value);
  }
  scaled_.add_columns(program_);
  work_.add_columns(static_cast<int>(columns.size()));
  is_empty_.insert(is_empty_.begin() + first, columns.size(), false);
  for (ColIndex j(first); j.value() < program_.columns(); ++j) {
    set_range(j.value(), program_.range(j));
  }
  forget_result();
}

void Simplex::add_rows(std::span<const NewRow> rows) {
  for (const NewRow& row : rows) {
    check_numbers(row.activity);
    for (const RowEntry& entry : row.entries) {
      check_index(entry.column.value(), program_.columns());
      nearest_double(entry.value);
    }
  }
  const int first = program_.rows();
  for (const NewRow& row : rows) {
    const RowIndex i = program_.add_row(row.activity, row.name);
    for (const RowEntry& entry : row.entries) program_.add_entry(i, entry.column, entry.value);
  }
  scaled_.add_rows(program_);
  work_.add_rows(static_cast<int>(rows.size()));
  is_empty_.resize(static_cast<std::size_t>(scaled_.variables()), false);
  for (RowIndex i(first); i.value() < program_.rows(); ++i) {
    set_range(scaled_.logical(i.value()), program_.range(i));
  }
  forget_result();
}

void Simplex::set_basis(std::span<const VariableStatus> statuses) {
  if (static_cast<int>(statuses.size()) != scaled_.variables() ||
      std::ranges::count(statuses, VariableStatus::basic) != scaled_.rows) {
    throw std::invalid_argument("a basis of another linear program");
  }
  work_.status.assign(statuses.begin(), statuses.end());
  int row = 0;
  for (int v = 0; v < scaled_.variables(); ++v) {
    if (statuses[v] != VariableStatus::basic) continue;
    work_.basic[row++] = v;
    work_.edge_weight[v] = 1.0;
  }
  assert(work_.is_basis_consistent());
}

SimplexStatus Simplex::solve(const SimplexLimits& limits) {
  forget_result();
  work_.restore_costs();
  work_.move_nonbasic_to_bounds();
  if (empty_ranges_ > 0) {
    ray_.assign(static_cast<std::size_t>(scaled_.rows), 0.0);
    return SimplexStatus::infeasible;
  }
  PIMBB_LOG("lp", work_.log_number, ": solve, ", scaled_.rows, " rows, ", scaled_.columns,
            " columns");
  const SimplexStatus status = run(IterationBudget(limits, work_.statistics));
  PIMBB_LOG("lp", work_.log_number, ": ", kStatusNames[static_cast<std::size_t>(status)], " after ",
            work_.statistics.iterations(), " iterations in all");
  return status;
}

SimplexStatus Simplex::run(const IterationBudget& budget) {
  assert(work_.are_bounds_ordered());
  const SimplexStatus status = alternate(budget, true);
  assert(status != SimplexStatus::optimal ||
         (work_.is_primal_feasible() && work_.is_dual_feasible()));
  if (status == SimplexStatus::optimal) polish(budget);
  return status;
}

/// Looks for an optimal basis within a much smaller tolerance; keeps the old one if that fails.
void Simplex::polish(const IterationBudget& budget) {
  work_.tolerance = kPolishTolerance;
  if (!work_.is_primal_feasible() || !work_.is_dual_feasible()) {
    PIMBB_LOG("lp", work_.log_number, ": polish");
    const Workspace::Basis before = work_.save_basis();
    const IterationBudget little = budget.within(kPolishIterations, work_.statistics);
    const bool succeeded = alternate(little, false) == SimplexStatus::optimal;
    PIMBB_LOG("lp", work_.log_number, ": polish ", succeeded ? "succeeded" : "failed");
    if (!succeeded) {
      work_.load_basis(before);
      work_.restore_costs();
      work_.refresh();
    }
  }
  work_.tolerance = kTolerance;
}

SimplexStatus Simplex::alternate(const IterationBudget& budget, bool first_phase) {
  for (int round = 0; round < kRounds; ++round) {
    SimplexOptions options = options_;
    options.perturb = options_.perturb && round < kPerturbedRounds;
    options.bland = options_.bland || round == kRounds - 1;
    options.first_phase = options_.first_phase && first_phase && round == 0;
    if (const auto end = make_feasible(budget, options)) return *end;
    work_.restore_costs();
    work_.compute_reduced();
    if (work_.is_dual_feasible()) return SimplexStatus::optimal;
    if (const auto end = make_optimal(budget, options)) return *end;
  }
  return SimplexStatus::numerical_failure;
}

/// The first phase of the dual simplex. Any basis that it ends with will do. False if the limits
/// were reached.
bool Simplex::seek_dual_feasibility(const IterationBudget& budget) {
  PIMBB_LOG("lp", work_.log_number, ": dual simplex, first phase");
  SimplexOptions options = options_;
  options.first_phase = false;
  work_.box();
  const PhaseOutcome outcome = DualSimplex(work_, budget, options).run();
  work_.unbox();
  work_.restore_costs();
  return outcome != PhaseOutcome::limit;
}

/// Nothing if the basis is primal feasible now.
std::optional<SimplexStatus> Simplex::make_feasible(const IterationBudget& budget,
                                                    const SimplexOptions& options) {
  PIMBB_LOG("lp", work_.log_number, ": dual simplex");
  DualSimplex dual(work_, budget, options);
  switch (dual.run()) {
    case PhaseOutcome::done: return std::nullopt;
    case PhaseOutcome::infeasible_both_ways: {
      if (!seek_dual_feasibility(budget)) return SimplexStatus::limit;
      SimplexOptions second_phase = options;
      second_phase.first_phase = false;
      return make_feasible(budget, second_phase);
    }
    case PhaseOutcome::limit: return SimplexStatus::limit;
    case PhaseOutcome::numerical_failure: return SimplexStatus::numerical_failure;
    case PhaseOutcome::ray: break;
  }
  ray_ = dual.ray();
  infeasible_row_variable_ = dual.infeasible_row_variable();
  return SimplexStatus::infeasible;
}

/// Nothing if the primal simplex lost feasibility to rounding errors.
std::optional<SimplexStatus> Simplex::make_optimal(const IterationBudget& budget,
                                                   const SimplexOptions& options) {
  PIMBB_LOG("lp", work_.log_number, ": primal simplex");
  PrimalSimplex primal(work_, budget, options);
  switch (primal.run()) {
    case PhaseOutcome::done:
      if (work_.is_primal_feasible()) return SimplexStatus::optimal;
      return std::nullopt;
    case PhaseOutcome::limit: return SimplexStatus::limit;
    case PhaseOutcome::numerical_failure: return std::nullopt;
    case PhaseOutcome::infeasible_both_ways:  // never
    case PhaseOutcome::ray: break;
  }
  ray_ = primal.ray();
  unbounded_entering_ = primal.unbounded_entering();
  return SimplexStatus::unbounded;
}

double Simplex::value(ColIndex column) const {
  return work_.value[column.value()] * scaled_.scale[column.value()];
}

double Simplex::activity(RowIndex row) const {
  const int v = scaled_.logical(row.value());
  return work_.value[v] * scaled_.scale[v];
}

double Simplex::objective() const {
  double sum = 0;
  for (int v = 0; v < scaled_.columns; ++v) sum += scaled_.cost[v] * work_.value[v];
  return sum / scaled_.cost_scale;
}

std::vector<double> Simplex::multipliers() const {
  std::vector<double> out;
  for (int v = scaled_.columns; v < scaled_.variables(); ++v) {
    out.push_back(work_.reduced[v] / (scaled_.cost_scale * scaled_.scale[v]));
  }
  return out;
}

std::vector<double> Simplex::infeasibility_ray() const {
  std::vector<double> out = ray_;
  for (int row = 0; row < static_cast<int>(out.size()); ++row) {
    out[row] /= scaled_.scale[scaled_.logical(row)];
  }
  return out;
}

std::vector<double> Simplex::unbounded_ray() const {
  std::vector<double> out(
      ray_.begin(), ray_.begin() + std::min<std::ptrdiff_t>(scaled_.columns, std::ssize(ray_)));
  for (int v = 0; v < static_cast<int>(out.size()); ++v) out[v] *= scaled_.scale[v];
  return out;
}

}  // namespace pimbb::lp
