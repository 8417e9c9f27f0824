// Filling the tables from the PEs outwards, and following decided levels.
#include "dram_pim/storage/shared_tables.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "dram_pim/mapper/costs.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// Sets of levels, one for each tensor, from which a level may be filled; innermost first. A table
/// has a column for each vector of them, the last tensor's changing first.
struct Sources {
  PerTensor<std::vector<std::size_t>> levels;

  Sources(const PartialStorage& storage, std::size_t from, std::size_t row_buffer) {
    for (std::size_t t = 0; t < kTensors; ++t) {
      for (std::size_t m = from; m <= row_buffer; ++m) {
        if (storage[m][t] == Stored::no) continue;
        levels[t].push_back(m);
        if (storage[m][t] == Stored::yes) break;
      }
    }
  }
  [[nodiscard]] std::size_t size() const {
    return levels[0].size() * levels[1].size() * levels[2].size();
  }
  /// By how much the column changes with the next source of a tensor.
  [[nodiscard]] std::size_t stride(std::size_t t) const {
    std::size_t product = 1;
    for (std::size_t k = t + 1; k < kTensors; ++k) product *= levels[k].size();
    return product;
  }
  /// The part of the column that a tensor's source decides.
  [[nodiscard]] std::size_t part(std::size_t t, std::size_t level) const {
    const auto found = std::ranges::find(levels[t], level);
    assert(found != levels[t].end());
    return static_cast<std::size_t>(found - levels[t].begin()) * stride(t);
  }
  /// Calls visit(vector of levels, column) in the order of the columns.
  template <class Visit>
  void for_each(const Visit& visit) const {
    std::size_t column = 0;
    for (const std::size_t i : levels[0]) {
      for (const std::size_t w : levels[1]) {
        for (const std::size_t o : levels[2]) {
          visit(PerTensor<std::size_t>{i, w, o}, column++);
        }
      }
    }
  }
};

/// Tables are kept from this level on; those further in are the largest, and few columns of them
/// are made again at once.
constexpr std::size_t kKeptFrom = 2;

constexpr std::size_t kBetweenChecks = 16;  // tiles of the leaves

/// An array that grows without being set or kept.
template <class Number>
class Numbers {
 public:
  void resize(std::size_t size) {
    if (size > room_) {
      data_ = std::make_unique_for_overwrite<Number[]>(size);
      room_ = size;
    }
    size_ = size;
  }
  void clear() { *this = Numbers(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Number* at(std::size_t i) { return data_.get() + i; }
  [[nodiscard]] const Number* at(std::size_t i) const { return data_.get() + i; }

 private:
  std::unique_ptr<Number[]> data_;
  std::size_t room_ = 0;
  std::size_t size_ = 0;
};

}  // namespace

class SharedTables::Any {
 public:
  Any() = default;
  Any(const Any&) = delete;
  Any& operator=(const Any&) = delete;
  virtual ~Any() = default;
  virtual void fill(Int128 limit, const run::Guard& guard) = 0;
  [[nodiscard]] virtual Int128 least() const = 0;
  [[nodiscard]] virtual std::vector<Int128> least_by_set(const PartialStorage& storage,
                                                         std::size_t level,
                                                         const run::Guard& guard) = 0;
};

template <class Number, SharedCost kCost>
class SharedTables::Of : public Any {
 public:
  Of(const Instance& instance, PartialStorage open, Int128 limit, const run::Guard& guard)
      : instance_(instance),
        open_(std::move(open)),
        rb_(instance.architecture.row_buffer()),
        rates_(table_rates()),
        reads_(instance.architecture, instance.workload),
        runs_(instance.lattice, guard),
        arrived_(runs_.places(instance.lattice, instance.arrivals)),
        opening_(least_opening()),
        tables_(rb_ + 1) {
    find_fits(guard);
    Of::fill(limit, guard);
  }

  void fill(Int128 limit, const run::Guard& guard) override {
    limit_ = limit;
    most_ = table_limit(instance_.scale, limit);
    fill_leaves(guard);
    for (std::size_t m = 0; m < rb_; ++m) {
      add_level(m, open_, tables_[m], tables_[m + 1], guard);
      if (m > 0 && m < kKeptFrom) tables_[m].clear();
    }
  }

  [[nodiscard]] Int128 least() const override { return over_arrivals(tables_[rb_]).front(); }

  [[nodiscard]] std::vector<Int128> least_by_set(const PartialStorage& storage, std::size_t level,
                                                 const run::Guard& guard) override {
    const std::size_t first = level < kKeptFrom ? 0 : level;
    take_columns(first, storage, guard);
    for (std::size_t m = first; m < level; ++m) {
      add_level(m, storage, table_, next_, guard);
      std::swap(table_, next_);
    }
    Lanes lanes = lanes_of(storage, level);
    for (std::size_t m = level; m < rb_; ++m) {
      if (m > level) lanes.stay(set_of(decided(storage[m])));
      add_lanes(m, storage, lanes, guard);
      std::swap(table_, next_);
    }
    return over_arrivals(table_);
  }

 private:
  static constexpr bool kNarrow = sizeof(Number) < sizeof(UInt128);
  /// No less than any finite cost.
  static constexpr Number kNever = Number{1} << (8 * sizeof(Number) - 2);
  static constexpr bool kEnergy = kCost == SharedCost::energy;

  /// Of two parts of a mapping; no more than the numbers hold, but perhaps more than kNever.
  static Number together(Number a, Number b) { return kEnergy ? a + b : std::max(a, b); }

  /// Rows of tiles and of states.
  struct Table {
    std::size_t width = 0;
    Numbers<Number> broken;
    Numbers<Number> carry;  ///< empty for the PEs
    void clear() { *this = Table(); }
  };
  /// What a level may store, and where the columns that this leads to are in the table further in.
  struct Move {
    TensorSet set = 0;
    PerTensor<std::vector<std::size_t>> parts;  ///< by source further out
  };
  /// Storage choices of which the outer levels are the same: what they store at a level, and their
  /// columns in the table further in.
  struct Lanes {
    std::vector<TensorSet> sets;
    std::vector<std::size_t> columns;
    /// At a level further out.
    void stay(TensorSet set) {
      std::ranges::fill(sets, set);
      std::iota(columns.begin(), columns.end(), std::size_t{0});
    }
  };
  /// Costs of fills by tensor and source.
  using FillCosts = PerTensor<std::array<Number, kMaxLevels>>;

  void find_fits(const run::Guard& guard);
  [[nodiscard]] Number feed_cost(const Feed& feed, const PerTensor<std::size_t>& from) const;
  void fill_leaves(const run::Guard& guard);
  void take_columns(std::size_t level, const PartialStorage& storage, const run::Guard& guard);
  [[nodiscard]] std::vector<Move> moves(std::size_t level, const PartialStorage& storage) const;
  [[nodiscard]] Lanes lanes_of(const PartialStorage& storage, std::size_t level) const;
  void add_level(std::size_t level, const PartialStorage& storage, const Table& rest, Table& out,
                 const run::Guard& guard);
  void add_lanes(std::size_t level, const PartialStorage& storage, const Lanes& lanes,
                 const run::Guard& guard);
  template <class Arrive>
  void add_runs(std::size_t level, const Sources& outer, const Table& rest, Table& out,
                const Arrive& arrive, const run::Guard& guard);
  template <class Arrive>
  void add_run(const Run& run, std::size_t level, const Sources& outer, const Table& rest,
               Table& out, const Arrive& arrive, const run::Guard& guard);
  [[nodiscard]] Number fill_cost(std::size_t level, std::size_t source, Tensor t,
                                 Number reads) const;
  [[nodiscard]] std::vector<Int128> over_arrivals(const Table& table) const;

  /// Of an element that a level hands inwards, in the numbers of the tables.
  struct Rates {
    std::vector<PerTensor<Number>> transfer;
    PerTensor<Number> interconnect{};
    std::vector<Number> access;
  };
  [[nodiscard]] Rates table_rates() const {
    const Scale& scale = instance_.scale;
    Rates rates;
    for (std::size_t m = 0; m <= rb_; ++m) {
      PerTensor<Number>& transfer = rates.transfer.emplace_back();
      for (std::size_t t = 0; t < kTensors; ++t) {
        transfer[t] = scale.table_cycles<Number>(scale.transfer[m][t]);
        rates.interconnect[t] = scale.table_cycles<Number>(scale.interconnect[t]);
      }
      rates.access.push_back(scale.table_energy<Number>(scale.access[m]));
    }
    return rates;
  }
  [[nodiscard]] PerTensor<Number> least_opening() const {
    PerTensor<Int128> fewest{kInfinity, kInfinity, kInfinity};
    for (std::size_t i = 0; i < instance_.arrivals.size(); ++i) {
      const PerTensor<Int128> rows =
          least_rows(instance_.lattice, instance_.rows, instance_.arrivals[i].step);
      for (std::size_t t = 0; t < kTensors; ++t) fewest[t] = std::min(fewest[t], rows[t]);
    }
    PerTensor<Number> opening{};
    for (std::size_t t = 0; t < kTensors; ++t) {
      if (fewest[t] == kInfinity) continue;
      const Int128 time = fewest[t] * instance_.scale.activation_cycles;
      opening[t] = std::min<Number>(table_limit(instance_.scale, time), kNever / 2);
    }
    return opening;
  }
  static Number table_limit(const Scale& scale, Int128 limit) {
    const Int128 steps = kNarrow ? limit / scale.cycle_step : limit;
    return static_cast<Number>(std::min<UInt128>(static_cast<UInt128>(steps), kNever));
  }

  const Instance& instance_;
  PartialStorage open_;
  std::size_t rb_;
  Int128 limit_ = kInfinity;
  Number most_ = kNever;  // the limit on the times of fills and feeds
  Rates rates_;
  ReadCount reads_;
  Runs runs_;
  std::vector<std::size_t> arrived_;          // places of the arrivals' states
  PerTensor<Number> opening_;                 // least time to open rows, beside reads of the buffer
  std::vector<std::vector<TensorSet>> fits_;  // by level and tile: a bit for each set
  std::vector<Table> tables_;                 // by level; those that are not kept are empty
  PerTensor<Numbers<Number>> broken_;         // of the level that is added
  Table table_;                               // of least_by_set
  Table next_;
};

template <class Number, SharedCost kCost>
void SharedTables::Of<Number, kCost>::find_fits(const run::Guard& guard) {
  const Lattice& lattice = instance_.lattice;
  fits_.assign(rb_, std::vector<TensorSet>(lattice.size(), 0));
  run::GuardedSteps step(guard);
  for (std::size_t m = 1; m < rb_; ++m) {
    for (const TensorSet set : sets_of(open_[m])) {
      const Storage storage = storing_at(instance_, m, flags_of(set));
      for (TileIndex c = 0; c < lattice.size(); ++c) {
        step();
        if (storage.fits(m, lattice[c])) fits_[m][c] |= static_cast<TensorSet>(1U << set);
      }
    }
  }
}

/// What PEs that read from these sources spend; kNever beyond the limit.
template <class Number, SharedCost kCost>
Number SharedTables::Of<Number, kCost>::feed_cost(const Feed& feed,
                                                  const PerTensor<std::size_t>& from) const {
  auto time = instance_.scale.table_cycles<Number>(feed.time);
  auto energy = instance_.scale.table_energy<Number>(feed.energy);
  for (std::size_t t = 0; t < kTensors; ++t) {
    if (from[t] == 0) continue;
    const auto reads = static_cast<Number>(from[t] == rb_ ? feed.fed_from_rows[t] : feed.fed[t]);
    const Number opening = from[t] == rb_ ? opening_[t] : 0;
    time = std::max(
        {time, reads * rates_.transfer[from[t]][t] + opening, reads * rates_.interconnect[t]});
    energy += reads * rates_.access[from[t]];
  }
  if (time > most_) return kNever;
  return kEnergy ? energy : time;
}

template <class Number, SharedCost kCost>
void SharedTables::Of<Number, kCost>::fill_leaves(const run::Guard& guard) {
  const Sources sources(open_, 0, rb_);
  const std::size_t width = sources.size();
  const std::vector<TensorSet> sets = sets_of(open_[0]);
  const Feeds feeds(instance_, sets, guard);
  const std::size_t tiles = instance_.lattice.size();
  Numbers<Number>& leaves = tables_[0].broken;
  tables_[0].width = width;
  leaves.resize(tiles * width);
  run::parallel_for(tiles, [&](std::size_t i) {
    const auto c = static_cast<TileIndex>(i);
    for (const TensorSet set : sets) {
      if (!feeds.of(c, set).empty()) fits_[0][c] |= static_cast<TensorSet>(1U << set);
    }
    if (i % kBetweenChecks == 0) guard.check();
    sources.for_each([&](const PerTensor<std::size_t>& from, std::size_t column) {
      const TensorFlags own{from[0] == 0, from[1] == 0, from[2] == 0};
      Number& entry = *leaves.at(i * width + column);
      entry = kNever;
      for (const Feed& feed : feeds.of(c, set_of(own))) {
        entry = std::min(entry, feed_cost(feed, from));
      }
    });
  });
}

/// The columns of a table for what `storage` leaves open, into table_.
template <class Number, SharedCost kCost>
void SharedTables::Of<Number, kCost>::take_columns(std::size_t level, const PartialStorage& storage,
                                                   const run::Guard& guard) {
  const Sources all(open_, level, rb_);
  std::vector<std::size_t> columns;
  Sources(storage, level, rb_).for_each([&](const PerTensor<std::size_t>& from, std::size_t) {
    columns.push_back(all.part(0, from[0]) + all.part(1, from[1]) + all.part(2, from[2]));
  });
  const std::size_t width = all.size();
  table_.width = columns.size();
  const auto take = [&](const Numbers<Number>& from, Numbers<Number>& to) {
    const std::size_t rows = from.size() / width;
    to.resize(rows * columns.size());
    constexpr std::size_t kChunk = 4096;
    run::for_each_chunk(rows, kChunk, [&](const run::Chunk& chunk) {
      guard.check();
      for (std::size_t row = chunk.begin; row < chunk.end; ++row) {
        Number* entry = to.at(row * columns.size());
        for (const std::size_t column : columns) *entry++ = *from.at(row * width + column);
      }
    });
  };
  take(tables_[level].broken, table_.broken);
  take(tables_[level].carry, table_.carry);
}

template <class Number, SharedCost kCost>
auto SharedTables::Of<Number, kCost>::moves(std::size_t level, const PartialStorage& storage) const
    -> std::vector<Move> {
  const Sources inner(storage, level, rb_);
  const Sources outer(storage, level + 1, rb_);
  std::vector<Move> moves;
  for (const TensorSet set : sets_of(storage[level])) {
    Move& move = moves.emplace_back();
    move.set = set;
    for (std::size_t t = 0; t < kTensors; ++t) {
      for (const std::size_t source : outer.levels[t]) {
        move.parts[t].push_back(inner.part(t, (set >> t & 1U) != 0 ? level : source));
      }
    }
  }
  return moves;
}

template <class Number, SharedCost kCost>
auto SharedTables::Of<Number, kCost>::lanes_of(const PartialStorage& storage,
                                               std::size_t level) const -> Lanes {
  Lanes lanes;
  for (const Move& move : moves(level, storage)) {
    lanes.sets.push_back(move.set);
    lanes.columns.push_back(move.parts[0][0] + move.parts[1][0] + move.parts[2][0]);
  }
  return lanes;
}

/// The table of level + 1 from that of `level`, with all that `storage` leaves open.
template <class Number, SharedCost kCost>
void SharedTables::Of<Number, kCost>::add_level(std::size_t level, const PartialStorage& storage,
                                                const Table& rest, Table& out,
                                                const run::Guard& guard) {
  const Sources outer(storage, level + 1, rb_);
  const PerTensor<std::size_t> count{outer.levels[0].size(), outer.levels[1].size(),
                                     outer.levels[2].size()};
  const std::vector<Move> all = moves(level, storage);
  const std::array<Number, kMaxLevels> free{};
  const auto arrive = [&](TileIndex c, const FillCosts& fills, const Number* own, Number* entry) {
    for (const Move& move : all) {
      if ((fits_[level][c] >> move.set & 1U) == 0) continue;
      const auto costs = [&](std::size_t t) {
        return (move.set >> t & 1U) != 0 ? fills[t].data() : free.data();
      };
      const Number* const input = costs(0);
      const Number* const weight = costs(1);
      const Number* const output = costs(2);
      const std::size_t* const part = move.parts[2].data();
      Number* to = entry;
      for (std::size_t x = 0; x < count[0]; ++x) {
        for (std::size_t y = 0; y < count[1]; ++y) {
          const Number two = std::min(kNever, together(input[x], weight[y]));
          const Number* const row = own + move.parts[0][x] + move.parts[1][y];
          for (std::size_t z = 0; z < count[2]; ++z) {
            to[z] = std::min(to[z], together(together(two, output[z]), row[part[z]]));
          }
          to += count[2];
        }
      }
    }
  };
  out.width = outer.size();
  add_runs(level, outer, rest, out, arrive, guard);
}

/// The table of level + 1 from that of `level` (table_), into next_: a column for each lane.
template <class Number, SharedCost kCost>
void SharedTables::Of<Number, kCost>::add_lanes(std::size_t level, const PartialStorage& storage,
                                                const Lanes& lanes, const run::Guard& guard) {
  const std::size_t width = lanes.sets.size();
  const auto arrive = [&](TileIndex c, const FillCosts& fills, const Number* own, Number* entry) {
    std::array<Number, kTensorSets> costs{};
    for (std::size_t set = 0; set < kTensorSets; ++set) {
      Number sum = (fits_[level][c] >> set & 1U) != 0 ? 0 : kNever;
      for (std::size_t t = 0; t < kTensors; ++t) {
        if ((set >> t & 1U) != 0) sum = std::min(kNever, together(sum, fills[t][0]));
      }
      costs[set] = sum;
    }
    for (std::size_t k = 0; k < width; ++k) {
      entry[k] = std::min(kNever, together(costs[lanes.sets[k]], own[lanes.columns[k]]));
    }
  };
  next_.width = width;
  add_runs(level, Sources(storage, level + 1, rb_), table_, next_, arrive, guard);
}

/// Calls arrive(tile, costs of its fills, row of its rest, row of the arrival) for each state whose
/// tile fits with some set.
template <class Number, SharedCost kCost>
template <class Arrive>
void SharedTables::Of<Number, kCost>::add_runs(std::size_t level, const Sources& outer,
                                               const Table& rest, Table& out, const Arrive& arrive,
                                               const run::Guard& guard) {
  const std::size_t tiles = instance_.lattice.size();
  out.carry.resize(runs_.size() * out.width);
  out.broken.resize(tiles * out.width);
  for (Numbers<Number>& one : broken_) one.resize(tiles * out.width);
  run::parallel_for(runs_.all().size(), [&](std::size_t k) {
    add_run(runs_.all()[k], level, outer, rest, out, arrive, guard);
  });
  for (std::size_t i = 0; i < out.broken.size(); ++i) {
    *out.broken.at(i) = std::min({*broken_[0].at(i), *broken_[1].at(i), *broken_[2].at(i)});
  }
}

template <class Number, SharedCost kCost>
Number SharedTables::Of<Number, kCost>::fill_cost(std::size_t level, std::size_t source, Tensor t,
                                                  Number reads) const {
  const std::size_t k = index(t);
  Number time = reads * rates_.transfer[source][k];
  if (source == rb_) time += opening_[k];
  if (level == 0) time = std::max(time, reads * rates_.interconnect[k]);
  if (time > most_) return kNever;
  return kEnergy ? reads * rates_.access[source] : time;
}

/// carry of the run's states, and broken of the tiles at which its tensor can become stationary.
template <class Number, SharedCost kCost>
template <class Arrive>
void SharedTables::Of<Number, kCost>::add_run(const Run& run, std::size_t level,
                                              const Sources& outer, const Table& rest, Table& out,
                                              const Arrive& arrive, const run::Guard& guard) {
  const Lattice& lattice = instance_.lattice;
  const std::size_t width = out.width;
  std::vector<Number> own(rest.width);
  FillCosts fills;
  run::GuardedSteps step(guard, 1U << 16U);
  const auto lower = [width](Number* entry, const Number* other) {
    for (std::size_t k = 0; k < width; ++k) entry[k] = std::min(entry[k], other[k]);
  };
  for (std::size_t i = 0; i < run.tiles.size(); ++i) {
    step(width);
    const TileIndex c = run.tiles[i];
    Number* const entry = out.carry.at((run.first + i) * width);
    std::fill_n(entry, width, kNever);
    if (fits_[level][c] != 0) {
      std::copy_n(rest.broken.at(c * rest.width), rest.width, own.data());
      if (rest.carry.size() > 0) {
        const Number* const carried = rest.carry.at((run.first + i) * rest.width);
        for (std::size_t k = 0; k < rest.width; ++k) own[k] = std::min(own[k], carried[k]);
      }
      for (const Tensor t : kAllTensors) {
        const std::vector<std::size_t>& sources = outer.levels[index(t)];
        const auto reads =
            static_cast<Number>(reads_.reads(t, lattice[c].fills(t, run.stationary, run.outer)));
        for (std::size_t s = 0; s < sources.size(); ++s) {
          fills[index(t)][s] = fill_cost(level, sources[s], t, reads);
        }
      }
      arrive(c, fills, own.data(), entry);
    }
    for (std::uint32_t j = run.covers_at[i]; j < run.covers_at[i + 1]; ++j) {
      lower(entry, out.carry.at((run.first + run.covers[j]) * width));
    }
  }
  Numbers<Number>& broken = broken_[index(run.stationary)];
  const auto relevant = static_cast<DimMask>(kEveryDim & ~irrelevant_mask(run.stationary));
  for (std::size_t i = run.own; i < run.tiles.size(); ++i) {
    Number* const entry = broken.at(run.tiles[i] * width);
    std::copy_n(out.carry.at((run.first + i) * width), width, entry);
    lattice.for_each_cover(lattice[run.tiles[i]], relevant,
                           [&](TileIndex cover) { lower(entry, broken.at(cover * width)); });
  }
}

/// The least cost of each column.
template <class Number, SharedCost kCost>
std::vector<Int128> SharedTables::Of<Number, kCost>::over_arrivals(const Table& table) const {
  const Scale& scale = instance_.scale;
  const Int128 step = !kNarrow ? 1 : kEnergy ? scale.energy_step : scale.cycle_step;
  std::vector<Int128> least(table.width, kInfinity);
  for (std::size_t i = 0; i < instance_.arrivals.size(); ++i) {
    const Arrival arrival = instance_.arrivals[i];
    if (arrival.least.latency > limit_) continue;
    const Number* const broken = table.broken.at(arrival.step.to.tile * table.width);
    const Number* const carried = table.carry.at(arrived_[i] * table.width);
    for (std::size_t k = 0; k < table.width; ++k) {
      const Number rest = std::min(broken[k], carried[k]);
      if (rest >= kNever) continue;
      const Int128 inside = static_cast<Int128>(rest) * step;
      const Int128 cost =
          kEnergy ? arrival.least.energy + inside : std::max(arrival.least.latency, inside);
      least[k] = std::min(least[k], cost);
    }
  }
  return least;
}

SharedTables::SharedTables(const Instance& instance, const PartialStorage& open, SharedCost cost,
                           Int128 limit, const run::Guard& guard)
    : cost_(cost), limit_(limit) {
  const auto make = [&]<class Number>(Number) -> std::unique_ptr<Any> {
    if (cost == SharedCost::energy) {
      return std::make_unique<Of<Number, SharedCost::energy>>(instance, open, limit, guard);
    }
    return std::make_unique<Of<Number, SharedCost::latency>>(instance, open, limit, guard);
  };
  tables_ = instance.scale.fills_fit_64_bits ? make(std::uint64_t{}) : make(UInt128{});
}

SharedTables::~SharedTables() = default;

void SharedTables::narrow(Int128 limit, const run::Guard& guard) {
  limit_ = limit;
  tables_->fill(limit, guard);
}

/// While they are made, all columns of all levels; and two tables of least_by_set.
std::uint64_t SharedTables::bytes(const Instance& instance, const PartialStorage& open) {
  const std::size_t rb = instance.architecture.row_buffer();
  const std::uint64_t states = Runs::count(instance.lattice);
  const std::uint64_t tiles = instance.lattice.size();
  std::uint64_t numbers = 0;
  for (std::size_t m = 0; m <= rb; ++m) {
    const std::uint64_t width = Sources(open, m, rb).size();
    numbers += width * (m == 0 ? tiles : states + (1 + kTensors) * tiles);
  }
  const std::uint64_t number =
      instance.scale.fills_fit_64_bits ? sizeof(std::uint64_t) : sizeof(UInt128);
  numbers += 2 * kTensorSets * (states + tiles);
  return numbers * number + Runs::bytes(states) + instance.arrivals.size() * sizeof(std::size_t);
}

Int128 SharedTables::least() const { return tables_->least(); }

std::vector<Int128> SharedTables::least_by_set(const PartialStorage& storage, std::size_t level,
                                               const run::Guard& guard) {
  return tables_->least_by_set(storage, level, guard);
}

}  // namespace pimbb::dram_pim::mapper
