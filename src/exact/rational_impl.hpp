// The Boost number inside a Rational, for the few source files that use it directly.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "pimbb/rational.hpp"

namespace pimbb {

struct Rational::Impl {
  boost::multiprecision::cpp_rational value;
};

inline Rational make_rational(boost::multiprecision::cpp_rational value) {
  return Rational(Rational::Impl{std::move(value)});
}

}  // namespace pimbb
