// A sparse matrix whose lines change: the triangular factor of a basis under updates.
//
// Lines lie in one pool, each with some room behind its entries; a line that has outgrown its room
// moves to the end of the pool. Entries of a line are in no order.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

#include "lp/sparse.hpp"

namespace pimbb::lp {

class GrowingMatrix {
 public:
  struct Item {
    int index;
    double value;
  };

  void assign(const CompressedMatrix<double>& matrix) {
    lines_.clear();
    pool_.clear();
    pool_.reserve(2 * matrix.size());
    for (int line = 0; line < matrix.lines(); ++line) {
      const int begin = matrix.start[line];
      const int size = matrix.start[line + 1] - begin;
      lines_.push_back({pool_.size(), size, size + kRoom});
      for (int k = begin; k < begin + size; ++k)
        pool_.push_back({matrix.index[k], matrix.value[k]});
      pool_.resize(pool_.size() + kRoom);
    }
    entries_ = matrix.size();
  }

  [[nodiscard]] std::size_t size() const { return entries_; }
  [[nodiscard]] const Item* begin(int line) const { return pool_.data() + lines_[line].start; }
  [[nodiscard]] const Item* end(int line) const { return begin(line) + lines_[line].size; }

  void push(int line, Item item) {
    if (lines_[line].size == lines_[line].room) move_to_end(line);
    Line& l = lines_[line];
    pool_[l.start + static_cast<std::size_t>(l.size++)] = item;
    ++entries_;
  }
  /// The entry must exist.
  void remove(int line, int index) {
    Line& l = lines_[line];
    Item* const first = pool_.data() + l.start;
    int k = 0;
    while (first[k].index != index) ++k;
    assert(k < l.size);
    first[k] = first[--l.size];
    --entries_;
  }
  void clear(int line) {
    entries_ -= static_cast<std::size_t>(lines_[line].size);
    lines_[line].size = 0;
  }

 private:
  static constexpr int kRoom = 4;
  struct Line {
    std::size_t start;
    int size;
    int room;
  };

  void move_to_end(int line) {
    Line& l = lines_[line];
    const std::size_t to = pool_.size();
    pool_.resize(to + 2 * static_cast<std::size_t>(l.room));
    for (int k = 0; k < l.size; ++k) {
      pool_[to + static_cast<std::size_t>(k)] = pool_[l.start + static_cast<std::size_t>(k)];
    }
    l.start = to;
    l.room *= 2;
  }

  std::vector<Line> lines_;
  std::vector<Item> pool_;
  std::size_t entries_ = 0;
};

}  // namespace pimbb::lp
