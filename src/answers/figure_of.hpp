// A figure of a wing's architecture: its value, how to change it, and what a layer makes of a size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "answers/figure_sensitivity.hpp"
#include "pimbb/sensitivity.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::answers {

template <class Architecture, class Mapping>
struct FigureOf {
  std::string path;  ///< as in --set
  FigureKind kind = FigureKind::energy;
  std::string unit;
  Rational today;
  bool may_be_zero = true;
  /// Another value, for a size or shape an integer.
  std::function<void(Architecture&, const Rational&)> set;

  // Of sizes:
  std::int64_t least = 1;
  /// The size from which on nothing changes any more, for a layer.
  std::function<std::int64_t(const Workload&)> most = {};
  /// The least size that a mapping of the layer fits. What is larger than that costs nothing.
  std::function<std::int64_t(const Workload&, const Mapping&)> need = {};

  [[nodiscard]] Architecture changed(const Architecture& architecture,
                                     const Rational& value) const {
    Architecture other = architecture;
    set(other, value);
    return other;
  }

  /// The question about it for a layer whose best mapping is `mapping`, but for the problem.
  [[nodiscard]] AskedFigure asked(const Workload& layer, const Mapping& mapping) const {
    AskedFigure figure;
    figure.path = path;
    figure.kind = kind;
    figure.unit = unit;
    figure.today = today;
    figure.may_be_zero = may_be_zero;
    if (kind == FigureKind::size) {
      figure.least = least;
      figure.useful = std::max(most(layer), least);
      figure.need = std::max(need(layer, mapping), least);
    }
    return figure;
  }
};

/// Adds a figure to a list.
template <class Figure>
Figure& add_figure(std::vector<Figure>& figures, const std::string& path, FigureKind kind,
                   const std::string& unit, const Rational& today,
                   const decltype(Figure::set)& set) {
  Figure& figure = figures.emplace_back();
  figure.path = path;
  figure.kind = kind;
  figure.unit = unit;
  figure.today = today;
  figure.set = set;
  return figure;
}

/// The value of a size or shape.
inline std::int64_t integer_of(const Rational& value) { return *value.in_units(1); }

}  // namespace pimbb::answers
