// Binaries by their names, then propagation.
#include "milp/assignment.hpp"

#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include "dram_pim/milp/problem.hpp"

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
      if (m.layout[index(t)] == Layout::row_aligned) take("aligned", t);
    }
  }

  [[nodiscard]] bool taken(const std::string& name) const { return names_.contains(name); }
  /// A decision that the program does not offer; empty if there is none. What the program has no
  /// choice about (a bound of 1, fixed storage) has no binary either; unrolling is always named.
  [[nodiscard]] std::string impossible(const milp::Model& model) const {
    std::set<std::string> missing = unrolled_;
    for (const auto& column : model.columns()) missing.erase(column.name);
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
      if (factor > 1) unrolled_.insert(label("unroll", j, d, factor));
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
  std::set<std::string> unrolled_;
};

Rational exact(Int128 value) {
  const auto narrow = static_cast<std::int64_t>(value);
  if (narrow != value) throw std::range_error("a coefficient of a tiny program is huge");
  return narrow;
}

bool holds(Int128 sum, milp::Sense sense, Int128 bound) {
  if (sense == milp::Sense::equal) return sum == bound;
  return sense == milp::Sense::at_most ? sum <= bound : sum >= bound;
}

class Propagation {
 public:
  Propagation(const milp::Model& model, const Decisions& decisions)
      : model_(model), value_(model.columns().size()) {
    value_[0] = 1;
    for (std::size_t c = 1; c < value_.size(); ++c) {
      const auto& [name, binary] = model.columns()[c];
      if (binary) value_[c] = decisions.taken(name) ? 1 : 0;
      if (name == "latency" || name == "energy" || name == "activations") costs_[c] = 0;
    }
    for (progress_ = true; progress_;) {
      progress_ = false;
      for (const auto& row : model.rows()) settle(row);
    }
    for (const auto& row : model.rows()) check(row);
  }

  [[nodiscard]] Assignment result() const {
    Assignment result;
    for (std::size_t c = 0; c < value_.size(); ++c) {
      if (!value_[c] && !costs_.contains(c)) result.failure = model_.columns()[c].name + " is open";
    }
    if (!broken_.empty()) result.failure = broken_;
    for (const auto& term : model_.objective()) {
      result.objective += exact(term.coefficient) * costs_.at(column(term));
    }
    result.objective /= model_.scale();
    return result;
  }

 private:
  static std::size_t column(const milp::Term& term) {
    return static_cast<std::size_t>(term.column);
  }

  void settle(const milp::Model::Row& row) {
    if (row.sense == milp::Sense::at_least) return;
    Int128 rest = row.bound;
    std::vector<milp::Term> open;
    for (const auto& term : row.terms) {
      if (const auto& known = value_[column(term)]) {
        rest -= term.coefficient * *known;
      } else if (term.coefficient < 0 || costs_.contains(column(term))) {
        return;
      } else {
        open.push_back(term);
      }
    }
    if (open.empty()) return;
    const bool one_unknown = row.sense == milp::Sense::equal && open.size() == 1;
    if (rest > 0 && !(one_unknown && rest % open[0].coefficient == 0)) return;
    for (const auto& term : open) value_[column(term)] = rest / term.coefficient;
    progress_ = true;
  }

  /// Whether a row holds; a row with a cost raises the cost until it does.
  void check(const milp::Model::Row& row) {
    Int128 sum = 0;
    const milp::Term* cost = nullptr;
    for (const auto& term : row.terms) {
      if (costs_.contains(column(term))) {
        cost = &term;
      } else {
        const Int128 value = value_[column(term)].value_or(0);
        if (value < 0) broken_ = model_.name(term.column) + " is negative";
        sum += term.coefficient * value;
      }
    }
    if (cost != nullptr) {
      Rational& value = costs_[column(*cost)];
      value = max(value, exact(row.bound - sum) / exact(cost->coefficient));
    } else if (!holds(sum, row.sense, row.bound)) {
      broken_ = row.subject + " does not hold";
    }
  }

  const milp::Model& model_;
  std::vector<std::optional<Int128>> value_;
  std::map<std::size_t, Rational> costs_;  // by column: the objective's
  std::string broken_;
  bool progress_ = false;
};

}  // namespace

Assignment assignment_of(const milp::Model& model, const Architecture& architecture,
                         const Mapping& mapping) {
  const Decisions decisions(architecture, mapping);
  Assignment result = Propagation(model, decisions).result();
  if (const std::string name = decisions.impossible(model); !name.empty()) {
    result.failure = name + " is no option";
  }
  return result;
}

}  // namespace testkit
