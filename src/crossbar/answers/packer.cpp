// Dealing out before the exact search.
#include "crossbar/answers/packer.hpp"

#include <algorithm>

#include "crossbar/assign/balance.hpp"
#include "crossbar/assign/exchange.hpp"
#include "crossbar/assign/spread.hpp"

namespace pimbb::crossbar::joint {
namespace {

using namespace assign;

constexpr std::int64_t kSmall = 200;        // cores times arrays, where that is worth it
constexpr std::uint64_t kStepsOfShare = 8;  // exchanges, by core and array
constexpr std::uint64_t kFewestExchanges = 500;
constexpr std::uint64_t kMostExchanges = 40'000;
constexpr std::uint64_t kBytesOfKnown = 128;

}  // namespace

std::uint64_t nodes_of_box(const Problem& problem) {
  return 1 + static_cast<std::uint64_t>(problem.cores) * problem.families.size() / 16;
}

bool is_small(const Problem& problem) {
  return problem.cores * static_cast<std::int64_t>(problem.p.arrays.size()) <= kSmall;
}

Packer::Known& Packer::known(const std::vector<std::int64_t>& replication) {
  const auto place = known_.find(replication);
  if (place != known_.end()) return place->second;
  const std::uint64_t bytes = (known_.size() + 1) * (kBytesOfKnown + 8 * replication.size());
  if (bytes > effort_.most_bytes / 4) return forgotten_ = {};
  effort_.bytes = std::max(effort_.bytes, bytes);
  return known_[replication];
}

bool Packer::offer_within(Mapping mapping, std::int64_t deadline) {
  const std::optional<std::int64_t> ht = offer_(std::move(mapping));
  return ht && *ht <= deadline;
}

/// By dealing out and exchanging array groups; whether the deadline is met.
bool Packer::deal_out(const std::vector<std::int64_t>& replication, std::int64_t deadline) {
  for (const auto& place : {spread, first_fit}) {
    if (auto mapping = place(problem_, replication)) {
      if (offer_within(std::move(*mapping), deadline)) return true;
    }
  }
  std::int64_t widest = 1;
  for (const ArrayNode& array : problem_.p.arrays) widest = std::max(widest, array.width);
  std::vector<std::int64_t> wide{problem_.crossbars + 1};
  if (4 * widest >= problem_.crossbars) wide.push_back(std::max<std::int64_t>(2, widest / 2));
  for (const std::int64_t width : wide) {
    const std::optional<Mapping> dealt = dealt_out(problem_, replication, width);
    if (!dealt) continue;
    Exchange exchange(problem_, *dealt, 1);
    std::uint64_t steps = std::clamp(
        kStepsOfShare * static_cast<std::uint64_t>(problem_.cores) * problem_.p.arrays.size(),
        kFewestExchanges, kMostExchanges);
    ++spent_.starts;
    spent_.steps += steps;
    exchange.reach(deadline, steps, effort_.stop);
    spent_.steps -= steps;
    if (offer_within(exchange.mapping(), deadline)) return true;
  }
  return false;
}

Answer Packer::pack(const std::vector<std::int64_t>& replication, std::int64_t deadline,
                    std::uint64_t nodes) {
  if (boxes_.is_refuted(replication, deadline)) return Answer::no;
  Known& so_far = known(replication);
  if (so_far.refuted >= deadline) return Answer::no;
  if (so_far.tried < deadline) {
    if (deal_out(replication, deadline)) return Answer::yes;
    so_far.tried = deadline;
  }
  ++spent_.leaves;
  Effort part = effort_.part(nodes);
  Packed packed = assign::pack(problem_, replication, deadline, part);
  effort_.add(part);
  if (packed.answer == Answer::no) so_far.refuted = deadline;
  if (packed.answer != Answer::yes) return packed.answer;
  Mapping mapping{problem_.by_array(replication), std::move(packed.cores)};
  return offer_within(std::move(mapping), deadline) ? Answer::yes : Answer::undecided;
}

}  // namespace pimbb::crossbar::joint
