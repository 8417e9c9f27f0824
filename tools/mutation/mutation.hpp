// What tools/mutate writes into the sources: every place that it may change asks whether it is the
// one to be changed in this process (the environment variable PIMBB_MUTANT has its number), so that
// one build holds all mutants. Included before everything else by the compiler's command line.
#pragma once

#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <utility>

namespace mutation {

inline constexpr int kMost = 1 << 16;
inline int active = -1;
inline unsigned char reached[kMost];  // by any thread, and never unset

/// Whether the mutant of this number is the one.
inline bool on(int mutant) {
  reached[mutant] = 1;
  return mutant == active;
}

/// Before all constructors of the program, and after its end: where the environment variable
/// PIMBB_MUTANTS_REACHED has a directory, the process leaves the numbers that it asked for there.
[[gnu::constructor(101)]] inline void begin() {
  if (const char* number = std::getenv("PIMBB_MUTANT")) active = std::atoi(number);
}
[[gnu::destructor(101)]] inline void end() {
  const char* directory = std::getenv("PIMBB_MUTANTS_REACHED");
  if (directory == nullptr) return;
  std::FILE* file = std::fopen((directory + ("/" + std::to_string(getpid()))).c_str(), "a");
  if (file == nullptr) return;
  for (int k = 0; k < kMost; ++k) {
    if (reached[k] != 0) std::fprintf(file, "%d\n", k);
  }
  std::fclose(file);
}

/// `a OP b`, or `a OTHER b` in the mutant. Both operands are evaluated once, whatever the operator.
template <class Op, class Other, class A, class B>
decltype(auto) either(int mutant, A&& a, B&& b) {
  if (on(mutant)) return Other{}(std::forward<A>(a), std::forward<B>(b));
  return Op{}(std::forward<A>(a), std::forward<B>(b));
}

#define PIMBB_MUTATION_OPERATOR(NAME, OP)              \
  struct NAME {                                        \
    template <class A, class B>                        \
    decltype(auto) operator()(A&& a, B&& b) const {    \
      return std::forward<A>(a) OP std::forward<B>(b); \
    }                                                  \
  };
PIMBB_MUTATION_OPERATOR(lt, <)
PIMBB_MUTATION_OPERATOR(le, <=)
PIMBB_MUTATION_OPERATOR(gt, >)
PIMBB_MUTATION_OPERATOR(ge, >=)
PIMBB_MUTATION_OPERATOR(eq, ==)
PIMBB_MUTATION_OPERATOR(ne, !=)
PIMBB_MUTATION_OPERATOR(add, +)
PIMBB_MUTATION_OPERATOR(sub, -)
PIMBB_MUTATION_OPERATOR(mul, *)
PIMBB_MUTATION_OPERATOR(div, /)
PIMBB_MUTATION_OPERATOR(mod, %)
PIMBB_MUTATION_OPERATOR(band, &)
PIMBB_MUTATION_OPERATOR(bor, |)
PIMBB_MUTATION_OPERATOR(shl, <<)
PIMBB_MUTATION_OPERATOR(shr, >>)
PIMBB_MUTATION_OPERATOR(add_to, +=)
PIMBB_MUTATION_OPERATOR(sub_to, -=)
PIMBB_MUTATION_OPERATOR(mul_to, *=)
PIMBB_MUTATION_OPERATOR(div_to, /=)
PIMBB_MUTATION_OPERATOR(band_to, &=)
PIMBB_MUTATION_OPERATOR(bor_to, |=)
#undef PIMBB_MUTATION_OPERATOR

/// A constant, or one more.
template <class T>
T constant(int mutant, T value) {
  return on(mutant) ? static_cast<T>(value + 1) : value;
}

/// std::min, or std::max in the mutant; and the other way round.
template <bool kLeast>
struct Extreme {
  int mutant;
  template <class T, class... Less>
  T operator()(const T& a, const T& b, Less... less) const {
    return on(mutant) != kLeast ? std::min(a, b, less...) : std::max(a, b, less...);
  }
  template <class T>
  T operator()(std::initializer_list<T> all) const {
    return on(mutant) != kLeast ? std::min(all) : std::max(all);
  }
};
using Least = Extreme<true>;
using Greatest = Extreme<false>;

}  // namespace mutation
