// The list of open parts, against a list that is sorted anew each time.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "search/best_first.hpp"

namespace {

using pimbb::search::BestFirst;
using pimbb::search::YoungestFirst;

struct Part {
  int bound;
  std::uint64_t id;
  bool operator==(const Part&) const = default;
};

/// `young`: among equal bounds the greatest id first.
std::vector<Part> sorted(std::vector<Part> parts, bool young) {
  std::ranges::sort(parts, [&](const Part& a, const Part& b) {
    if (a.bound != b.bound) return a.bound < b.bound;
    return young ? a.id > b.id : a.id < b.id;
  });
  return parts;
}

template <class Rank>
void compare_with_sorting(std::uint64_t seed) {
  constexpr bool young = std::is_same_v<Rank, YoungestFirst>;
  std::mt19937_64 random(seed);
  BestFirst<Part, int, Rank> open;
  std::vector<Part> reference;
  std::uint64_t id = 0;
  for (int step = 0; step < 400; ++step) {
    if (random() % 3 != 0 || reference.empty()) {
      const Part part{static_cast<int>(random() % 8), id};
      open.push(part.bound, Rank{id++}, part);
      reference.push_back(part);
    } else if (random() % 16 == 0) {
      const auto odd = [](const auto& part) { return part.id % 2 == 1; };
      open.purge([&](const auto& entry) { return !odd(entry.part); });
      std::erase_if(reference, odd);
    } else {
      const std::vector<Part> order = sorted(reference, young);
      CHECK(open.least_bound() == order.front().bound);
      CHECK(open.pop().part == order.front());
      reference.assign(order.begin() + 1, order.end());
    }
    REQUIRE(open.size() == reference.size());
  }
}

}  // namespace

TEST_CASE("the part of least bound comes first, and ties are broken by rank") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    compare_with_sorting<std::uint64_t>(seed);
    compare_with_sorting<YoungestFirst>(seed);
  }
}

TEST_CASE("a cutoff ends the search when the least bound reaches it") {
  BestFirst<char, int> open;
  open.push(3, 0, 'a');
  open.push(5, 1, 'b');
  open.push(4, 2, 'c');
  const int four = 4;
  CHECK(open.next(&four)->part == 'a');
  CHECK_FALSE(open.next(&four).has_value());  // a bound of 4 can only tie with the cutoff
  CHECK(open.empty());
  CHECK_FALSE(open.least_bound().has_value());
}

TEST_CASE("what is left open stays in the bound of the search") {
  BestFirst<char, int> open;
  open.push(3, 0, 'a');
  open.push(7, 1, 'b');
  CHECK(open.pop().part == 'a');
  open.leave_open(6);
  CHECK(open.least_bound() == 6);
  open.leave_open(9);
  CHECK(open.least_bound() == 6);
  open.push(5, 2, 'c');
  CHECK(open.least_bound() == 5);
  CHECK(open.pop().part == 'c');
  CHECK(open.pop().part == 'b');
  CHECK(open.empty());
  CHECK(open.least_bound() == 6);
}
