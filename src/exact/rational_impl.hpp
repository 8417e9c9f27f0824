// The Boost number inside a Rational, for the few source files that use it directly.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "exact/int128.hpp"
#include "pimbb/rational.hpp"

namespace pimbb {

struct Rational::Impl {
  boost::multiprecision::cpp_rational value;
};

inline Rational make_rational(boost::multiprecision::cpp_rational value) {
  return Rational(Rational::Impl{std::move(value)});
}

inline Rational to_rational(Int128 value) {
  const auto narrow = static_cast<std::int64_t>(value);
  if (narrow == value) return narrow;
  using namespace boost::multiprecision;
  return make_rational(cpp_rational(cpp_int(value)));
}

}  // namespace pimbb
