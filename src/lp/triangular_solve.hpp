// Solving with a sparse triangular matrix, in time that depends on the solution, not on the size.
//
// A step takes x[k], final by then, and subtracts x[k] times line k from the entries that depend on
// it. The plain way walks all k in the order of the triangle and skips the zeros. When both sides
// have few non-zeros (*hyper-sparse*), even that walk is most of the work. Then a depth-first
// search from the given non-zeros, along the entries of the lines, first lists the positions that
// can become non-zero, in an order in which each comes after all that change it (Gilbert and
// Peierls 1988; in the simplex, Hall and McKinnon 2005). The search is not begun, or given up,
// where an eighth of the positions would be reached.
#pragma once

#include <vector>

#include "lp/growing_matrix.hpp"
#include "lp/sparse.hpp"
#include "lp/tolerances.hpp"

namespace pimbb::lp {

/// The solution of one kind of system; learns how dense its solutions are.
class TriangularSolve {
 public:
  explicit TriangularSolve(int size = 0) : seen_(static_cast<std::size_t>(size), 0) {}

  /// Solves in place. `first` to `last` are the positions in their order (-1: none); step(k, x[k])
  /// is the final value. If `listed`, the list of x is complete; it becomes false where that of the
  /// result is not.
  template <class Position, class Step>
  void operator()(SparseVector& x, bool& listed, Position first, Position last,
                  const GrowingMatrix& lines, Step step) {
    const auto size = static_cast<double>(x.value.size());
    const double most = kSparse * size;
    if (listed && expected_ < most && static_cast<double>(x.nonzero.size()) < most &&
        reach(x.nonzero, lines, static_cast<std::size_t>(most))) {
      x.nonzero.clear();
      for (std::size_t k = reached_.size(); k-- > 0;) {
        if (take(x, reached_[k], lines, step)) x.nonzero.push_back(reached_[k]);
      }
      learn(static_cast<double>(x.nonzero.size()));
      return;
    }
    listed = false;
    int count = 0;
    for (; first != last; ++first) {
      const int k = *first;
      if (k >= 0 && x.value[k] != 0.0) count += take(x, k, lines, step) ? 1 : 0;
    }
    learn(count);
  }

 private:
  static constexpr double kSparse = 0.125;
  static constexpr double kInertia = 0.9;

  void learn(double count) { expected_ = kInertia * expected_ + (1 - kInertia) * count; }

  template <class Step>
  static bool take(SparseVector& x, int k, const GrowingMatrix& lines, Step step) {
    double& at = x.value[k];
    if (at < kTiny && at > -kTiny) {
      at = 0.0;
      return false;
    }
    at = step(k, at);
    const double factor = at;
    for (auto item = lines.begin(k), end = lines.end(k); item != end; ++item) {
      x.value[item->index] -= factor * item->value;
    }
    return true;
  }

  /// Lists in reached_ what depends on `from`, each before all that it depends on. False if that
  /// is more than `most`.
  bool reach(const std::vector<int>& from, const GrowingMatrix& lines, std::size_t most) {
    reached_.clear();
    bool complete = true;
    for (std::size_t k = 0; complete && k < from.size(); ++k) {
      if (seen_[from[k]] == 0) complete = search(from[k], lines, most);
    }
    for (const int k : reached_) seen_[k] = 0;
    for (const auto& open : path_) seen_[open.position] = 0;
    path_.clear();
    return complete;
  }

  bool search(int root, const GrowingMatrix& lines, std::size_t most) {
    const auto open = [&](int k) {
      seen_[k] = 1;
      path_.push_back({k, lines.begin(k)});
    };
    open(root);
    while (!path_.empty()) {
      Open& last = path_.back();
      const GrowingMatrix::Item* const end = lines.end(last.position);
      while (last.next != end && seen_[last.next->index] != 0) ++last.next;
      if (last.next != end) {
        open((last.next++)->index);
        continue;
      }
      reached_.push_back(last.position);
      path_.pop_back();
      if (reached_.size() > most) return false;
    }
    return true;
  }

  struct Open {
    int position;
    const GrowingMatrix::Item* next;
  };
  std::vector<char> seen_;
  std::vector<Open> path_;
  std::vector<int> reached_;
  double expected_ = 0;  // number of non-zeros of a solution
};

}  // namespace pimbb::lp
