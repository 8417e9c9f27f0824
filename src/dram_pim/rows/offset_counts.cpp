// A list while it is shorter than the table; orbit-wise sliding windows from then on.
#include "dram_pim/rows/offset_counts.hpp"

#include <cassert>
#include <numeric>

namespace pimbb::dram_pim::rows {

OffsetCounts::OffsetCounts(std::int64_t row, std::int64_t unit, std::int64_t first)
    : unit_(unit), places_(row / unit), first_(first / unit), list_{{first_, 1}} {
  assert(row % unit == 0 && first % unit == 0 && first >= 0 && first < row);
}

void OffsetCounts::restart() {
  factor_ = 1;
  tabled_ = false;
  list_.assign(1, {first_, 1});
}

void OffsetCounts::repeat(std::int64_t trips, std::int64_t step) {
  assert(trips >= 1 && step >= 0 && step % unit_ == 0);
  if (trips == 1) return;
  const std::int64_t advance = step / unit_ % places_;
  if (advance == 0) {
    factor_ *= trips;
    return;
  }
  const std::int64_t orbits = std::gcd(advance, places_);
  const std::int64_t period = places_ / orbits;
  const std::int64_t copies = std::min(trips, period);
  if (!tabled_) {
    // An entry of the list costs about as much as four of the table.
    if (static_cast<std::int64_t>(list_.size()) <= places_ / 4 / copies) {
      repeat_list(advance, copies, trips / period, trips % period);
      return;
    }
    make_table();
  }
  repeat_table(advance, orbits, trips / period, trips % period);
}

void OffsetCounts::repeat_list(std::int64_t advance, std::int64_t copies, std::int64_t rounds,
                               std::int64_t window) {
  const std::size_t tiles = list_.size();
  list_.resize(tiles * static_cast<std::size_t>(copies));
  std::int64_t shift = 0;
  for (std::int64_t i = 1; i < copies; ++i) {
    shift += advance;
    if (shift >= places_) shift -= places_;
    const std::int64_t times = rounds + (i < window ? 1 : 0);
    Tiles* const copy = list_.data() + static_cast<std::size_t>(i) * tiles;
    for (std::size_t k = 0; k < tiles; ++k) {
      const std::int64_t place = list_[k].place + shift;
      copy[k] = {place >= places_ ? place - places_ : place, list_[k].count * times};
    }
  }
  const std::int64_t times = rounds + (window > 0 ? 1 : 0);
  for (std::size_t k = 0; k < tiles; ++k) list_[k].count *= times;
}

void OffsetCounts::repeat_table(std::int64_t advance, std::int64_t orbits, std::int64_t rounds,
                                std::int64_t window) {
  const std::int64_t places = places_;
  const std::int64_t period = places / orbits;
  static thread_local std::vector<std::int64_t> table_after;  // not a member: it would be copied
  table_after.resize(table_.size());
  const std::int64_t* const here = table_.data();
  std::int64_t* const next = table_after.data();
  const auto forward = [&](std::int64_t place) {
    place += advance;
    return place >= places ? place - places : place;
  };
  for (std::int64_t first = 0; first < orbits; ++first) {
    std::int64_t base = 0;  // what whole rounds bring to every place of the orbit
    if (rounds > 0) {
      for (std::int64_t place = first; place < places; place += orbits) base += here[place];
      base *= rounds;
    }
    std::int64_t place = first;
    if (window == 0) {
      for (; place < places; place += orbits) next[place] = base;
      continue;
    }
    // The window holds the last `window` places of the orbit, up to and including the current one.
    std::int64_t oldest = first;
    std::int64_t sum = base + here[first];
    for (std::int64_t k = 1; k < window; ++k) {
      oldest = oldest >= advance ? oldest - advance : oldest - advance + places;
      sum += here[oldest];
    }
    for (std::int64_t k = 0; k < period; ++k) {
      next[place] = sum;
      place = forward(place);
      sum += here[place] - here[oldest];
      oldest = forward(oldest);
    }
  }
  table_.swap(table_after);
}

void OffsetCounts::make_table() {
  table_.assign(static_cast<std::size_t>(places_), 0);
  for (const Tiles& tiles : list_) table_[static_cast<std::size_t>(tiles.place)] += tiles.count;
  tabled_ = true;
}

std::int64_t OffsetCounts::within(std::int64_t low, std::int64_t high) const {
  assert(low >= 0 && high <= places_ * unit_);
  const std::int64_t from = place_from(low);
  const std::int64_t to = place_from(high);
  std::int64_t count = 0;
  if (tabled_) {
    for (std::int64_t place = from; place < to; ++place) {
      count += table_[static_cast<std::size_t>(place)];
    }
  } else {
    for (const Tiles& tiles : list_) {
      count += tiles.place >= from && tiles.place < to ? tiles.count : 0;
    }
  }
  return count * factor_;
}

Int128 OffsetCounts::weigh(const StepFunction& cost) const {
  Int128 sum = 0;
  if (!tabled_) {
    for (const Tiles& tiles : list_) {
      sum += static_cast<Int128>(tiles.count) * cost.at(tiles.place * unit_);
    }
    return sum * factor_;
  }
  auto piece = cost.pieces.begin();
  for (std::int64_t place = 0; place < places_;) {
    while (piece + 1 != cost.pieces.end() && (piece + 1)->from <= place * unit_) ++piece;
    const std::int64_t end =
        piece + 1 == cost.pieces.end() ? places_ : place_from((piece + 1)->from);
    std::int64_t tiles = 0;
    for (; place < end; ++place) tiles += table_[static_cast<std::size_t>(place)];
    sum += static_cast<Int128>(tiles) * piece->value;
  }
  return sum * factor_;
}

}  // namespace pimbb::dram_pim::rows
