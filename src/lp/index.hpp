// Strong index types: a row number cannot be passed where a column number is meant.
//
// They are used where a linear program is built and its solution is read. Inside the simplex there
// are only *variables*, plain ints: 0 .. columns-1 are the columns, columns + i is the logical
// variable of row i (see workspace.hpp); a strong type would be converted all the time there.
#pragma once

#include <compare>

namespace pimbb::lp {

template <class Tag>
class Index {
 public:
  constexpr Index() = default;
  constexpr explicit Index(int value) : value_(value) {}

  [[nodiscard]] constexpr int value() const { return value_; }
  constexpr Index& operator++() {
    ++value_;
    return *this;
  }
  friend constexpr auto operator<=>(Index, Index) = default;

 private:
  int value_ = 0;
};

using RowIndex = Index<struct RowTag>;
using ColIndex = Index<struct ColTag>;

}  // namespace pimbb::lp
