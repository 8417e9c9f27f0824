// One layer over the cells of the tensors that it shares.
//
// A layer has cells of its own input and output with a bound for each pair, and passes between
// these and the cells of the shared tensors that it reads (`from`) and writes (`to`). For each pair
// (from, to) the table has the least sum of a pass before, a bound and a pass after, and the own
// cells that attain it.
//
// Numbers only grow: bounds and passes are raised, and the parts of a cell that is split begin with
// the numbers of the whole. So a sum keeps its cells until one of its own numbers is raised, and it
// is only then that they are searched for again. Of the parts of a split one is numbered like the
// whole and the other last, so that it replaces nothing either.
//
// Only what is supposed can be taken back (search/undo_log.hpp); no cell is split meanwhile.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "search/undo_log.hpp"

namespace pimbb::dram_pim::network {

/// A pair of cells of a layer's input and output.
struct OwnCells {
  std::size_t input = 0;
  std::size_t output = 0;
};
/// Cells of the shared tensors there.
struct SharedCells {
  std::size_t from = 0;
  std::size_t to = 0;
};

template <class Number>
class LayerTable {
 public:
  using Row = std::vector<Number>;
  using Cells = OwnCells;
  using Shared = SharedCells;

  /// `bounds`: by cells of input and output. `before`: by cells of the shared tensor and of the
  /// input; `after`: of the shared tensor and of the output. `infinite`: above every sum.
  LayerTable(std::vector<Row> bounds, std::vector<Row> before, std::vector<Row> after,
             Number infinite)
      : infinite_(std::move(infinite)),
        bounds_(std::move(bounds)),
        before_(std::move(before)),
        after_(std::move(after)) {
    for (std::size_t to = 0; to < after_.size(); ++to) {
      with_after_.emplace_back(bounds_.size());
      for (std::size_t i = 0; i < bounds_.size(); ++i) find_output(i, to);
    }
    for (std::size_t from = 0; from < before_.size(); ++from) {
      sums_.emplace_back(after_.size());
      for (std::size_t to = 0; to < after_.size(); ++to) find_input(from, to);
    }
    raised_.clear();
  }

  [[nodiscard]] std::size_t froms() const { return before_.size(); }
  [[nodiscard]] std::size_t tos() const { return after_.size(); }
  [[nodiscard]] const Number& sum(const Shared& shared) const {
    return sums_[shared.from][shared.to].sum;
  }
  /// Where sums have been raised since the last call, perhaps more than once.
  std::vector<Shared> raised() { return std::exchange(raised_, {}); }
  /// The own cells that attain a sum. Of equal ones the first.
  [[nodiscard]] Cells cells(const Shared& shared) const {
    const std::size_t i = sums_[shared.from][shared.to].cell;
    return {i, with_after_[shared.to][i].cell};
  }
  /// The sum for a pair of own cells; and the least one for another pair.
  [[nodiscard]] Number sum_of(const Cells& cells, const Shared& shared) const {
    Number sum = bounds_[cells.input][cells.output];
    sum += before_[shared.from][cells.input];
    sum += after_[shared.to][cells.output];
    return sum;
  }
  [[nodiscard]] std::pair<Number, Cells> other(const Cells& cells, const Shared& shared) const {
    Number least = infinite_;
    Cells at;
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      for (std::size_t o = 0; o < bounds_[i].size(); ++o) {
        if (i == cells.input && o == cells.output) continue;
        if (!(bounds_[i][o] < least)) continue;
        Number own = sum_of({i, o}, shared);
        if (!(own < least)) continue;
        least = std::move(own);
        at = {i, o};
      }
    }
    return {std::move(least), at};
  }

  void raise(const Cells& cells, Number bound) {
    set(bounds_[cells.input][cells.output], std::move(bound));
    for (std::size_t to = 0; to < after_.size(); ++to) {
      if (with_after_[to][cells.input].cell == cells.output) find_again(cells.input, to);
    }
  }
  void raise_before(std::size_t from, std::size_t input, Number pass) {
    set(before_[from][input], std::move(pass));
    for (std::size_t to = 0; to < after_.size(); ++to) {
      if (sums_[from][to].cell == input) find_input(from, to);
    }
  }
  void raise_after(std::size_t to, std::size_t output, Number pass) {
    set(after_[to][output], std::move(pass));
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      if (with_after_[to][i].cell == output) find_again(i, to);
    }
  }

  /// Numbers that are raised from now on are supposed ones. There must be no sums that have been
  /// raised since the last call of raised().
  void suppose() { before_suppositions_.suppose(); }
  /// The first supposition is true.
  void confirm() { before_suppositions_.confirm(); }
  /// Takes all suppositions back.
  void retract() {
    if (before_suppositions_.supposes()) raised_.clear();
    before_suppositions_.retract();
  }

  /// A new cell of the input, the last, like a given one; and of the others.
  void split_input(std::size_t cell) {
    bounds_.push_back(bounds_[cell]);
    for (auto& column : with_after_) column.push_back(column[cell]);
    for (Row& row : before_) row.push_back(row[cell]);
  }
  void split_output(std::size_t cell) {
    for (Row& row : bounds_) row.push_back(row[cell]);
    for (Row& row : after_) row.push_back(row[cell]);
  }
  void split_from(std::size_t cell) {
    before_.push_back(before_[cell]);
    sums_.push_back(sums_[cell]);
  }
  void split_to(std::size_t cell) {
    after_.push_back(after_[cell]);
    with_after_.push_back(with_after_[cell]);
    for (auto& row : sums_) row.push_back(row[cell]);
  }

 private:
  /// A least sum and the own cell that attains it.
  struct Best {
    Number sum{};
    std::size_t cell = 0;
  };

  /// Of bounds and passes after.
  void find_output(std::size_t i, std::size_t to) {
    Best best{infinite_, 0};
    const Row& bounds = bounds_[i];
    const Row& after = after_[to];
    for (std::size_t o = 0; o < after.size(); ++o) {
      if (!(bounds[o] < best.sum)) continue;  // passes cost nothing at least
      sum_ = bounds[o];
      sum_ += after[o];
      if (!(sum_ < best.sum)) continue;
      std::swap(best.sum, sum_);
      best.cell = o;
    }
    set(with_after_[to][i], std::move(best));
  }

  /// Of these and passes before.
  void find_input(std::size_t from, std::size_t to) {
    Best best{infinite_, 0};
    const Row& before = before_[from];
    const std::vector<Best>& with_after = with_after_[to];
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (!(with_after[i].sum < best.sum)) continue;
      sum_ = with_after[i].sum;
      sum_ += before[i];
      if (!(sum_ < best.sum)) continue;
      std::swap(best.sum, sum_);
      best.cell = i;
    }
    Best& known = sums_[from][to];
    if (known.sum < best.sum) raised_.push_back({from, to});
    set(known, std::move(best));
  }

  template <class T>
  void set(T& place, T now) {
    before_suppositions_.keep(place);
    place = std::move(now);
  }

  /// Where a number in the best sum of an input and of what is written was raised.
  void find_again(std::size_t i, std::size_t to) {
    find_output(i, to);
    for (std::size_t from = 0; from < before_.size(); ++from) {
      if (sums_[from][to].cell == i) find_input(from, to);
    }
  }

  Number infinite_;
  std::vector<Row> bounds_;
  std::vector<Row> before_;
  std::vector<Row> after_;
  std::vector<std::vector<Best>> with_after_;  // by `to` and input
  std::vector<std::vector<Best>> sums_;        // by `from` and `to`
  std::vector<Shared> raised_;
  search::UndoLog<Number, Best> before_suppositions_;
  Number sum_{};  // keeps its memory
};

}  // namespace pimbb::dram_pim::network
