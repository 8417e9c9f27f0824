// Activity bounds of rows, passed on until nothing changes.
#include "dram_pim/milp/reduce.hpp"

namespace pimbb::dram_pim::milp {
namespace {

class Reduction {
 public:
  explicit Reduction(const std::vector<DraftColumn>& columns)
      : columns_(columns), never_(columns.size()) {}

  /// Whether a column was found that the row never takes.
  bool look_at(const DraftRow& row) {
    bool found = false;
    if (row.sense != Sense::at_least) found |= at_most(row, 1);
    if (row.sense != Sense::at_most) found |= at_most(row, -1);
    return found;
  }

  [[nodiscard]] std::vector<bool> result() && { return std::move(never_); }

 private:
  static std::size_t place(const Term& term) { return static_cast<std::size_t>(term.column); }

  /// The least value of coefficient * column; nothing if there is none.
  [[nodiscard]] std::optional<Int128> least(const Term& term, Int128 coefficient) const {
    if (coefficient >= 0 || never_[place(term)]) return 0;
    const DraftColumn& column = columns_[place(term)];
    if (column.kind != DraftColumn::Kind::cost) return coefficient;
    if (!column.most) return std::nullopt;
    return coefficient * *column.most;
  }

  /// sign * terms <= sign * bound
  bool at_most(const DraftRow& row, Int128 sign) {
    Int128 room = sign * row.bound;
    for (const Term& term : row.terms) {
      const auto value = least(term, sign * term.coefficient);
      if (!value) return false;
      room -= *value;
    }
    bool found = false;
    for (const Term& term : row.terms) {
      const bool is_choice = columns_[place(term)].kind != DraftColumn::Kind::cost;
      if (!is_choice || never_[place(term)] || sign * term.coefficient <= room) continue;
      if (sign * term.coefficient < 0) continue;  // counted as taken in `room`
      never_[place(term)] = true;
      found = true;
    }
    return found;
  }

  const std::vector<DraftColumn>& columns_;
  std::vector<bool> never_;
};

}  // namespace

std::vector<bool> never_taken(const std::vector<DraftColumn>& columns,
                              const std::vector<DraftRow>& rows) {
  Reduction reduction(columns);
  for (bool found = true; found;) {
    found = false;
    for (const DraftRow& row : rows) found |= reduction.look_at(row);
  }
  return std::move(reduction).result();
}

}  // namespace pimbb::dram_pim::milp
