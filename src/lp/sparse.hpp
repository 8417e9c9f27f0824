// Sparse matrices and vectors of the simplex.
//
//   CompressedMatrix   lines (columns, or rows of the transpose) one after the other:
//
//        start  [0, 2, 3, ...]          line k is index/value [start[k], start[k+1])
//        index  [4, 7 | 0 | ...]        the cross position of each entry
//        value  [.5,-1| 3 | ...]
//
//   SparseVector       a dense array plus the list of positions that may be non-zero. Invariant:
//                      positions not in the list hold zero; the list has no duplicates. Clearing
//                      takes time in the length of the list, not of the array.
//
// The number type is a template parameter because the factorization (sparse_lu.hpp) works with
// doubles and, for exact solutions, with integers modulo a prime.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <vector>

namespace pimbb::lp {

template <class Number>
struct CompressedMatrix {
  std::vector<int> start{0};
  std::vector<int> index;
  std::vector<Number> value;

  void clear() {
    start.assign(1, 0);
    index.clear();
    value.clear();
  }
  void push(int position, Number number) {
    index.push_back(position);
    value.push_back(number);
  }
  void close_line() { start.push_back(static_cast<int>(index.size())); }
  [[nodiscard]] int lines() const { return static_cast<int>(start.size()) - 1; }
  [[nodiscard]] std::size_t size() const { return index.size(); }
};

/// The transpose; `cross` is the number of cross positions. Entries of a line come out in the order
/// of their old lines. Linear time.
template <class Number>
CompressedMatrix<Number> transposed(const CompressedMatrix<Number>& matrix, int cross) {
  CompressedMatrix<Number> out;
  out.start.assign(static_cast<std::size_t>(cross) + 1, 0);
  for (const int position : matrix.index) {
    assert(0 <= position && position < cross);
    ++out.start[position + 1];
  }
  for (int k = 0; k < cross; ++k) out.start[k + 1] += out.start[k];
  out.index.resize(matrix.size());
  out.value.resize(matrix.size());
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  for (int line = 0; line < matrix.lines(); ++line) {
    for (int k = matrix.start[line]; k < matrix.start[line + 1]; ++k) {
      const int to = next[matrix.index[k]]++;
      out.index[to] = line;
      out.value[to] = matrix.value[k];
    }
  }
  return out;
}

class SparseVector {
 public:
  explicit SparseVector(int size = 0) : value(static_cast<std::size_t>(size), 0.0) {}

  std::vector<double> value;
  std::vector<int> nonzero;

  void clear() {
    for (const int k : nonzero) value[k] = 0.0;
    nonzero.clear();
  }
  /// Whether the array is zero everywhere: what clear() leaves if the invariant held.
  [[nodiscard]] bool is_zero() const {
    return nonzero.empty() && std::ranges::count(value, 0.0) == std::ssize(value);
  }
  /// After writing to a position that was zero.
  void note(int position) { nonzero.push_back(position); }
  /// Rebuilds the list from the array; entries below `tiny` become zero.
  void collect(double tiny) {
    nonzero.clear();
    for (int k = 0; k < static_cast<int>(value.size()); ++k) {
      if (value[k] == 0.0) continue;
      if (value[k] < tiny && value[k] > -tiny) {
        value[k] = 0.0;
      } else {
        nonzero.push_back(k);
      }
    }
  }
};

}  // namespace pimbb::lp
