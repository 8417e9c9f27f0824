// Binaries by their names, then propagation.
#include "dram_pim/milp/assignment.hpp"

#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include "dram_pim/milp/problem.hpp"
#include "exact/rational_impl.hpp"

namespace testkit {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;
using milp::label;

/// Names of the binaries that are 1.
class Decisions {
 public:
  Decisions(const Architecture& a, const Mapping& m) : a_(a), m_(m) {
    for (const Dim j : kAllDims) unroll(j);
    for (std::size_t level = 0; level < a.dram(); ++level) {
      for (const Dim j : kAllDims) take("tile", j, level, m.tile(level)[index(j)]);
    }
    for (std::size_t level = 1; level < a.levels.size(); ++level) {
      const auto kept = class_of(level);
      take("class", level, kept ? name(*kept) : "none");
    }
    for (const Tensor t : kAllTensors) {
      hops(t);
      for (std::size_t level = 0; level <= a.row_buffer(); ++level) {
        take("run", level, t, run_end(level, t));
      }
      if (m.layout[index(t)] == Layout::row_aligned) {
        take("aligned", t);
        named_.insert(label("aligned", t));
      }
    }
  }

  [[nodiscard]] bool taken(const std::string& name) const { return names_.contains(name); }
  /// A decision that the program does not offer; empty if there is none. What the program has no
  /// choice about (a bound of 1, fixed storage) has no binary either; unrolling and layouts are
  /// always named.
  [[nodiscard]] std::string impossible(const lp::LinearProgram& program) const {
    std::set<std::string> missing = named_;
    for (lp::ColIndex j; j.value() < program.columns(); ++j) missing.erase(program.name(j));
    return missing.empty() ? "" : *missing.begin();
  }

 private:
  template <class... Parts>
  void take(const char* what, const Parts&... parts) {
    names_.insert(label(what, parts...));
  }

  void unroll(Dim j) {
    bool anywhere = false;
    for (const Direction d : kAllDirections) {
      const std::int64_t factor = m_.spatial_in(d)[index(j)];
      if (factor > 1) take("unroll", j, d, factor);
      if (factor > 1) named_.insert(label("unroll", j, d, factor));
      anywhere = anywhere || factor > 1;
    }
    if (!anywhere) take("unroll", j, "none");
  }

  /// The tensor that the innermost loop does not index, if there is one; any where there is no
  /// loop.
  [[nodiscard]] std::optional<Tensor> class_of(std::size_t level) const {
    const auto& loops = m_.levels[level].loops;
    return loops.empty() ? Tensor::input : irrelevant_tensor(loops.back().dim);
  }

  [[nodiscard]] std::size_t run_end(std::size_t level, Tensor t) const {
    std::size_t end = level;
    for (std::size_t m = level + 1; m < m_.levels.size(); ++m) {
      if (class_of(m) == t) end = m;
      for (const Loop& loop : m_.levels[m].loops) {
        if (relevant(t, loop.dim)) return end;
      }
    }
    return end;
  }

  void hops(Tensor t) {
    std::string inner = "pe";
    for (std::size_t level = 0; level < m_.levels.size(); ++level) {
      if (!m_.levels[level].stores[index(t)]) continue;
      take("hop", inner, level, t);
      inner = std::to_string(level);
    }
  }

  const Architecture& a_;
  const Mapping& m_;
  std::set<std::string> names_;
  std::set<std::string> named_;
};

/// Coefficients of tiny programs are small integers, or such ones over a small power of two.
std::int64_t in_fractions(const Rational& value) {
  constexpr std::int64_t kFractions = 1 << 20;
  const Rational scaled = value * Rational(kFractions);
  const auto narrow = scaled.is_integer() ? scaled.in_units(1) : std::nullopt;
  if (!narrow) throw std::range_error("a coefficient is no small fraction");
  return *narrow;
}

struct Term {
  std::size_t column;
  std::int64_t coefficient;
};

/// A row of the program: its terms, and a range of which one end may be missing.
struct Row {
  std::vector<Term> terms;
  std::optional<std::int64_t> lower;
  std::optional<std::int64_t> upper;
};

std::vector<Row> rows_of(const lp::LinearProgram& program) {
  std::vector<Row> rows(static_cast<std::size_t>(program.rows()));
  for (lp::RowIndex i; i.value() < program.rows(); ++i) {
    const auto& [lower, upper] = program.range(i);
    if (lower) rows[i.value()].lower = in_fractions(*lower);
    if (upper) rows[i.value()].upper = in_fractions(*upper);
  }
  for (lp::ColIndex j; j.value() < program.columns(); ++j) {
    for (const lp::Entry& entry : program.entries(j)) {
      rows[entry.row.value()].terms.push_back(
          {static_cast<std::size_t>(j.value()), in_fractions(entry.value)});
    }
  }
  return rows;
}

class Propagation {
 public:
  Propagation(const milp::MappingProgram& built, const Decisions& decisions)
      : program_(built.program.relaxation),
        scale_(built.scale),
        rows_(rows_of(program_)),
        value_(static_cast<std::size_t>(program_.columns())) {
    for (lp::ColIndex j; j.value() < program_.columns(); ++j) {
      const std::string& name = program_.name(j);
      if (built.program.is_binary(j)) value_[j.value()] = decisions.taken(name) ? 1 : 0;
      if (program_.range(j).upper == Rational(0)) value_[j.value()] = 0;
      if (name == "latency" || name == "energy" || name == "activations") costs_[j.value()] = 0;
    }
    for (progress_ = true; progress_;) {
      progress_ = false;
      for (const Row& row : rows_) settle(row);
    }
    for (lp::RowIndex i; i.value() < program_.rows(); ++i) check(i);
  }

  [[nodiscard]] Assignment result() const {
    Assignment result;
    for (std::size_t c = 0; c < value_.size(); ++c) {
      if (!value_[c] && !costs_.contains(c)) result.failure = name_of(c) + " is open";
      const Rational& cost = program_.cost(lp::ColIndex(static_cast<int>(c)));
      if (cost.sign() != 0) result.objective += cost * costs_.at(c);
    }
    if (!broken_.empty()) result.failure = broken_;
    result.objective /= scale_;
    return result;
  }

 private:
  [[nodiscard]] const std::string& name_of(std::size_t column) const {
    return program_.name(lp::ColIndex(static_cast<int>(column)));
  }

  void settle(const Row& row) {
    if (!row.upper) return;
    Int128 rest = *row.upper;
    std::vector<Term> open;
    for (const Term& term : row.terms) {
      if (const auto& known = value_[term.column]) {
        rest -= term.coefficient * *known;
      } else if (term.coefficient < 0 || costs_.contains(term.column)) {
        return;
      } else {
        open.push_back(term);
      }
    }
    if (open.empty()) return;
    const bool one_unknown = row.lower && open.size() == 1;
    if (rest > 0 && !(one_unknown && rest % open[0].coefficient == 0)) return;
    for (const Term& term : open) value_[term.column] = rest / term.coefficient;
    progress_ = true;
  }

  /// Whether a row holds; a row with a cost raises the cost until it does.
  void check(lp::RowIndex i) {
    const Row& row = rows_[i.value()];
    Int128 sum = 0;
    const Term* cost = nullptr;
    for (const Term& term : row.terms) {
      if (costs_.contains(term.column)) {
        cost = &term;
      } else {
        const Int128 value = value_[term.column].value_or(0);
        if (value < 0) broken_ = name_of(term.column) + " is negative";
        sum += term.coefficient * value;
      }
    }
    if (cost != nullptr) {
      Rational& value = costs_[cost->column];
      value = max(value, to_rational(row.lower.value() - sum) / Rational(cost->coefficient));
    } else if ((row.lower && sum < *row.lower) || (row.upper && sum > *row.upper)) {
      broken_ = program_.name(i) + " does not hold";
    }
  }

  const lp::LinearProgram& program_;
  const Rational& scale_;
  const std::vector<Row> rows_;
  std::vector<std::optional<Int128>> value_;
  std::map<std::size_t, Rational> costs_;  // by column: the objective's
  std::string broken_;
  bool progress_ = false;
};

}  // namespace

Assignment assignment_of(const milp::MappingProgram& built, const Architecture& architecture,
                         const Mapping& mapping) {
  const Decisions decisions(architecture, mapping);
  Assignment result = Propagation(built, decisions).result();
  if (const std::string name = decisions.impossible(built.program.relaxation); !name.empty()) {
    result.failure = name + " is no option";
  }
  return result;
}

}  // namespace testkit
