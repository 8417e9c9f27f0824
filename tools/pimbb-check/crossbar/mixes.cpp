// Integers without a limit: sums in units of 2^-40 ns, each term rounded down.
#include "mixes.hpp"

#include <algorithm>

namespace pimbb_check::crossbar {
namespace {

/// min over R in least .. most of floor(weight / R) + cost * R: weight / R + cost * R is least next
/// to the root of weight / cost, and cost * R is an integer.
cpp_int least_of(const cpp_int& weight, const cpp_int& cost, std::int64_t least,
                 std::int64_t most) {
  const auto at = [&](std::int64_t r) { return cpp_int(weight / r + cost * r); };
  if (cost == 0) return at(most);
  const cpp_int root = sqrt(cpp_int(weight / cost));
  const std::int64_t low = root > most ? most : std::max(least, root.convert_to<std::int64_t>());
  return std::min(at(low), at(std::min(low + 1, most)));
}

/// The same with a cost of multiplications: cycles are the same within a class.
cpp_int least_with_work(std::int64_t windows, const cpp_int& weight, const cpp_int& by_replica,
                        const cpp_int& by_work, std::int64_t least, std::int64_t most) {
  if (by_work == 0) return least_of(weight, by_replica, least, most);
  std::optional<cpp_int> best;
  for (std::int64_t first = least; first <= most; first = next_class(windows, first)) {
    const std::int64_t last = std::min(most, next_class(windows, first) - 1);
    const cpp_int cost = by_replica + by_work * ceil_div(windows, first);
    const cpp_int here = least_of(weight, cost, first, last);
    if (!best || here < *best) best = here;
  }
  return *best;
}

cpp_int price_of(const std::string& word) {
  const Rational given = parse_rational(word);
  require(denominator(given) == 1, "a price is an integer");
  return numerator(given);
}

Rational in_ns(const cpp_int& sum) { return {sum, cpp_int(1) << (2 * kCutBits)}; }

}  // namespace

void Mixes::add_cut(const std::vector<std::string>& words) {
  cuts_.push_back(latency_.cut({words.begin() + 1, words.end()}));
}

std::vector<cpp_int> Mixes::weights(const std::vector<std::string>& words,
                                    std::size_t first) const {
  std::vector<cpp_int> sums(p_.families.size(), 0);
  std::int64_t all = 0;
  for (std::size_t i = first; i < words.size(); ++i) {
    const std::size_t colon = std::min(words[i].find(':'), words[i].size() - 1);
    const auto k = static_cast<std::size_t>(word_number(words[i].substr(0, colon)));
    const std::int64_t share = word_number(words[i].substr(colon + 1));
    require(k < cuts_.size(), "a cut that is not known");
    all += share;
    require(all <= std::int64_t{1} << kCutBits, "the shares of cuts are more than one");
    for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += cuts_[k][f] * share;
  }
  return sums;
}

Rational Mixes::mix(const Box& box, const std::vector<std::string>& words) const {
  const cpp_int price = price_of(words[1]);
  const std::vector<cpp_int> mixed = weights(words, 2);
  cpp_int sum = -price * cpp_int(p_.all_crossbars());
  for (std::size_t f = 0; f < mixed.size(); ++f) {
    sum += least_of(mixed[f], price * cpp_int(p_.families[f].crossbars), box.least[f], box.most[f]);
  }
  return in_ns(sum);
}

Rational Mixes::prices(const Box& box, const std::vector<std::string>& words) const {
  const cpp_int price = price_of(words[1]);
  const cpp_int price_of_work = price_of(words[2]);
  const std::int64_t width = word_number(words[3]);
  const std::vector<cpp_int> mixed = weights(words, 4);
  const Int128 starts = counting_.cores_of_narrow(box, width) * counting_.starts();
  cpp_int sum = -price * cpp_int(p_.all_crossbars()) - price_of_work * cpp_int(starts);
  for (std::size_t f = 0; f < mixed.size(); ++f) {
    const Family& family = p_.families[f];
    sum += least_with_work(family.windows, mixed[f], price * cpp_int(family.crossbars),
                           price_of_work * cpp_int(counting_.narrow_groups(f, width)), box.least[f],
                           box.most[f]);
  }
  return in_ns(sum);
}

}  // namespace pimbb_check::crossbar
