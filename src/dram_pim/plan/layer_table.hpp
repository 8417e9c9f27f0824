// One layer over the cells of the tensors that it shares.
//
// A layer has cells of its own input and output with a bound for each pair, and passes between
// these and the cells of the shared tensors that it reads (`from`) and writes (`to`). For each pair
// (from, to) the table has the least sum of a pass before, a bound and a pass after, and the own
// cells that attain it.
//
// Numbers only grow: bounds are raised, and when a cell is split no number of a part is below that
// of the whole. So a sum keeps its cells until a number in it grows, and it is only then that they
// are searched for again. The parts of a split are numbered like the whole, and last; sums with the
// last one are no less, and so it replaces nothing either.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "search/least_sum.hpp"

namespace pimbb::dram_pim::network {

template <class Number>
class LayerTable {
 public:
  using Row = std::vector<Number>;
  struct Cells {
    std::size_t input = 0;
    std::size_t output = 0;
  };

  /// `bounds`: by cells of input and output. `before`: by cells of the shared tensor and of the
  /// input; `after`: of the shared tensor and of the output. `infinite`: above every sum.
  LayerTable(std::vector<Row> bounds, std::vector<Row> before, std::vector<Row> after,
             Number infinite)
      : infinite_(std::move(infinite)),
        bounds_(std::move(bounds)),
        before_(std::move(before)),
        after_(std::move(after)) {
    widen();
    for (std::size_t to = 0; to < after_.size(); ++to) {
      with_after_.emplace_back(bounds_.size());
      for (std::size_t i = 0; i < bounds_.size(); ++i) find_output(i, to);
    }
    for (std::size_t from = 0; from < before_.size(); ++from) {
      for (std::size_t to = 0; to < after_.size(); ++to) find_input(from, to);
    }
  }

  /// The sums by (from, to), rows of them stride() apart.
  [[nodiscard]] const Number* sums() const { return sums_.data(); }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  /// The own cells that attain a sum. Of equal ones the first.
  [[nodiscard]] Cells cells(std::size_t from, std::size_t to) const {
    const std::size_t i = inputs_[from * stride_ + to];
    return {i, with_after_[to][i].output};
  }
  /// The sum for a pair of own cells; and the least one for another pair.
  [[nodiscard]] Number sum(const Cells& cells, std::size_t from, std::size_t to) const {
    Number sum = bounds_[cells.input][cells.output];
    sum += before_[from][cells.input];
    sum += after_[to][cells.output];
    return sum;
  }
  [[nodiscard]] Number other(const Cells& cells, std::size_t from, std::size_t to) const {
    Number least = infinite_;
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      for (std::size_t o = 0; o < bounds_[i].size(); ++o) {
        if (i == cells.input && o == cells.output) continue;
        if (!(bounds_[i][o] < least)) continue;
        Number own = sum({i, o}, from, to);
        if (own < least) least = std::move(own);
      }
    }
    return least;
  }

  /// A higher bound for a pair of own cells.
  void raise(const Cells& cells, Number bound) {
    bounds_[cells.input][cells.output] = std::move(bound);
    for (std::size_t to = 0; to < after_.size(); ++to) {
      if (with_after_[to][cells.input].output == cells.output) find_again(cells.input, to);
    }
  }
  /// Splits a cell of the input: passes of both parts, by cells of the shared tensor.
  void split_input(std::size_t cell, Row low, Row high) {
    bounds_.push_back(bounds_[cell]);
    for (auto& column : with_after_) column.push_back(column[cell]);
    for (std::size_t from = 0; from < before_.size(); ++from) {
      before_[from][cell] = std::move(low[from]);
      before_[from].push_back(std::move(high[from]));
      for (std::size_t to = 0; to < after_.size(); ++to) {
        if (inputs_[from * stride_ + to] == cell) find_input(from, to);
      }
    }
  }
  void split_output(std::size_t cell, Row low, Row high) {
    for (Row& row : bounds_) row.push_back(row[cell]);
    for (std::size_t to = 0; to < after_.size(); ++to) {
      after_[to][cell] = std::move(low[to]);
      after_[to].push_back(std::move(high[to]));
      for (std::size_t i = 0; i < bounds_.size(); ++i) {
        if (with_after_[to][i].output == cell) find_again(i, to);
      }
    }
  }
  /// Splits a cell of the shared tensor that is read: passes by cells of the input.
  void split_from(std::size_t cell, Row low, Row high) {
    before_[cell] = std::move(low);
    before_.push_back(std::move(high));
    widen();
    for (std::size_t to = 0; to < after_.size(); ++to) {
      find_input(cell, to);
      find_input(before_.size() - 1, to);
    }
  }
  void split_to(std::size_t cell, Row low, Row high) {
    after_[cell] = std::move(low);
    after_.push_back(std::move(high));
    with_after_.emplace_back(bounds_.size());
    widen();
    for (const std::size_t to : {cell, after_.size() - 1}) {
      for (std::size_t i = 0; i < bounds_.size(); ++i) find_output(i, to);
      for (std::size_t from = 0; from < before_.size(); ++from) find_input(from, to);
    }
  }

 private:
  /// The least sum of a bound and a pass after it, and the cell of the output that attains it.
  struct BestOutput {
    Number sum{};
    std::size_t output = 0;
  };

  void find_output(std::size_t i, std::size_t to) {
    BestOutput best{infinite_, 0};
    const Row& bounds = bounds_[i];
    const Row& after = after_[to];
    for (std::size_t o = 0; o < after.size(); ++o) {
      if (!(bounds[o] < best.sum)) continue;  // passes cost nothing at least
      sum_ = bounds[o];
      sum_ += after[o];
      if (!(sum_ < best.sum)) continue;
      std::swap(best.sum, sum_);
      best.output = o;
    }
    with_after_[to][i] = std::move(best);
  }

  void find_input(std::size_t from, std::size_t to) {
    Number least = infinite_;
    std::size_t input = 0;
    const Row& before = before_[from];
    const std::vector<BestOutput>& with_after = with_after_[to];
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (!(with_after[i].sum < least)) continue;
      sum_ = with_after[i].sum;
      sum_ += before[i];
      if (!(sum_ < least)) continue;
      std::swap(least, sum_);
      input = i;
    }
    sums_[from * stride_ + to] = std::move(least);
    inputs_[from * stride_ + to] = input;
  }

  /// Where a number in the best sum of an input and of what is written has grown.
  void find_again(std::size_t i, std::size_t to) {
    find_output(i, to);
    for (std::size_t from = 0; from < before_.size(); ++from) {
      if (inputs_[from * stride_ + to] == i) find_input(from, to);
    }
  }

  /// Makes room for all sums; the rows are twice as far apart whenever they become too long.
  void widen() {
    const std::size_t rows = before_.size();
    if (after_.size() <= stride_) {
      sums_.resize(rows * stride_, infinite_);
      inputs_.resize(rows * stride_);
      return;
    }
    const std::size_t wider = 2 * after_.size();
    std::vector<Number> sums(rows * wider, infinite_);
    std::vector<std::size_t> inputs(rows * wider);
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      const std::size_t place = k / stride_ * wider + k % stride_;
      sums[place] = std::move(sums_[k]);
      inputs[place] = inputs_[k];
    }
    sums_ = std::move(sums);
    inputs_ = std::move(inputs);
    stride_ = wider;
  }

  Number infinite_;
  std::vector<Row> bounds_;
  std::vector<Row> before_;
  std::vector<Row> after_;
  std::vector<std::vector<BestOutput>> with_after_;  // by `to` and input
  std::vector<Number> sums_;
  std::vector<std::size_t> inputs_;
  std::size_t stride_ = 0;
  Number sum_{};  // keeps its memory
};

}  // namespace pimbb::dram_pim::network
