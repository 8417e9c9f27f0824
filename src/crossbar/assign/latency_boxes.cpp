// Limits of boxes by room and by use; where they are halved.
#include "crossbar/assign/latency_boxes.hpp"

#include <algorithm>

#include "crossbar/cost/latency.hpp"

namespace pimbb::crossbar::assign {
namespace {

constexpr int kRoundsPerFamily = 25;  // of the first bound
constexpr int kBoxRounds = 12;

}  // namespace

Box LatencyBoxes::root() const {
  Box box;
  for (const Family& family : problem_.families) {
    box.least.push_back(1);
    box.most.push_back(family.windows);
  }
  return box;
}

void LatencyBoxes::tighten(Box& box) const {
  const std::int64_t free = problem_.all_crossbars() - used(box.least);
  if (free < 0) return;
  for (std::size_t f = 0; f < box.most.size(); ++f) {
    box.most[f] = std::min(box.most[f], box.least[f] + free / problem_.families[f].crossbars);
  }
  if (!is_empty(box)) box.most = paths_.useful(box.most);
}

bool LatencyBoxes::is_empty(const Box& box) {
  for (std::size_t f = 0; f < box.most.size(); ++f) {
    if (box.most[f] < box.least[f]) return true;
  }
  return false;
}

std::int64_t LatencyBoxes::used(const std::vector<std::int64_t>& replication) const {
  std::int64_t sum = 0;
  for (std::size_t f = 0; f < replication.size(); ++f) {
    sum += problem_.families[f].crossbars * replication[f];
  }
  return sum;
}

bool LatencyBoxes::has_room(const Box& box) const {
  return used(box.least) <= problem_.all_crossbars();
}

Rational LatencyBoxes::value(const std::vector<std::int64_t>& replication) const {
  return cost::latency(problem_.a, problem_.p, {problem_.by_array(replication), {}},
                       cost::RateRule::provider);
}

Allocation::Bound LatencyBoxes::bound(const Box& box, const std::function<bool()>& stop) {
  return allocation_.bound(box, kBoxRounds, stop);
}

Allocation::Bound LatencyBoxes::first_bound(const Box& root, const std::function<bool()>& stop) {
  return allocation_.bound(root, kRoundsPerFamily * static_cast<int>(problem_.families.size()),
                           stop);
}

LatencyBoxes::Halving LatencyBoxes::halving(const Box& box) const {
  if (const auto rounding = allocation_.costliest_rounding(box)) {
    return {rounding->family, rounding->most};
  }
  std::size_t widest = 0;
  std::int64_t most = 0;
  for (std::size_t f = 0; f < box.most.size(); ++f) {
    const std::int64_t span = problem_.families[f].crossbars * (box.most[f] - box.least[f]);
    if (span <= most) continue;
    most = span;
    widest = f;
  }
  return {widest, box.least[widest] + (box.most[widest] - box.least[widest]) / 2};
}

Box LatencyBoxes::low_half(Box box, const Halving& at) {
  box.most[at.family] = at.most;
  return box;
}

Box LatencyBoxes::high_half(Box box, const Halving& at) {
  box.least[at.family] = at.most + 1;
  return box;
}

}  // namespace pimbb::crossbar::assign
