// The search for loop orders under the row model `trace`, against plain recursion over all orders
// and the oracle's walk over every access of the stream.
//
// A case is a chain of tiles with a class of loops at each level and random storage. The search may
// visit orders in one sequence only, so that the k-th question that it asks is about the k-th
// beginning of an order; what it says of a beginning must hold for every order that begins so, and
// must not become weaker from one loop to the next.
#include <doctest/doctest.h>

#include "pimbb-check/ordering.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "support/cases.hpp"
#include "support/enumeration.hpp"
#include "support/instances.hpp"
#include "support/oracle_rows.hpp"

namespace check = pimbb_check;
using check::LoopOrders;
using check::OrderSearch;
using pimbb::dram_pim::Mapping;
using pimbb::dram_pim::RowModel;
using testkit::Choices;

namespace {

using Rows = OrderSearch::Rows;
using Cost = check::Int128;
constexpr std::size_t kMostOrders = 150;

struct Visit {
  LoopOrders orders;
  Rows rows{};
  bool operator==(const Visit&) const = default;
};

/// A chain of tiles of a random layer.
struct Chain {
  testkit::Instance instance;
  check::Problem p;
  check::Space space;
  check::Units units;
  check::Prices<Cost> prices;
  std::vector<check::Flags> stores;
  check::Storage<Cost> storage;
  check::Ordering<Cost> ordering;
  check::Factors spatial{};
  check::Nest nest;

  explicit Chain(Choices& choices) : Chain(unbounded_instance(choices), choices) {}

 private:
  /// Orders do not ask what fits.
  static testkit::Instance unbounded_instance(Choices& choices) {
    testkit::Instance i = random_instance(choices, {.macs = 32});
    i.architecture.levels[i.architecture.row_buffer()].capacity.reset();
    return i;
  }
  Chain(testkit::Instance i, Choices& choices)
      : instance(std::move(i)),
        p(pimbb::dram_pim::canonical_instance(instance.architecture, instance.workload,
                                              instance.objective, RowModel::trace)),
        space(p),
        units(p),
        prices(p, units),
        stores(random_stores(p, choices)),
        storage(p, prices, stores),
        ordering(p, prices, storage) {
    nest.tile.resize(p.levels.size());
    nest.s.resize(p.levels.size() + 1);
    nest.tile[p.dram()] = &space.whole();
    for (std::size_t m = p.dram(); m-- > 0;) {
      nest.tile[m] = &inside(*nest.tile[m + 1], choices);
      nest.s[m + 1] = class_of(m + 1, choices);
    }
    spatial = inside(*nest.tile[0], choices).c;
    ordering.add_feeds(nest, spatial);
  }

  static std::vector<check::Flags> random_stores(const check::Problem& p, Choices& choices) {
    const bool all = choices.once_in(2);  // then the orders of two levels are open
    std::vector<check::Flags> stores;
    for (const check::Level& level : p.levels) {
      check::Flags flags = level.stores;
      for (bool& flag : flags) flag = all || (flag && !(level.bypass_free && choices.once_in(2)));
      stores.push_back(flags);
    }
    stores[p.row_buffer()] = stores[p.dram()] = {true, true, true};
    return stores;
  }
  const check::Tile& inside(const check::Tile& tile, Choices& choices) const {
    const auto all = space.divisors(tile);
    return space[all[choices.pick(all.size())]];
  }
  [[nodiscard]] std::size_t class_of(std::size_t level, Choices& choices) const {
    std::vector<std::size_t> classes;
    for (std::size_t j = 0; j < check::kDims; ++j) {
      if (trips(level, j) > 1) classes.push_back(check::kIrrelevantTo[j]);
    }
    return classes.empty() ? 0 : classes[choices.pick(classes.size())];
  }

 public:
  [[nodiscard]] std::int64_t trips(std::size_t level, std::size_t j) const {
    return nest.tile[level]->c[j] / (level == 0 ? spatial : nest.tile[level - 1]->c)[j];
  }

  /// The same chain as a mapping, its loops at the levels from `first` on in these orders.
  [[nodiscard]] Mapping mapping(const LoopOrders& orders) const {
    Mapping m;
    m.spatial[0] = spatial;
    m.levels.resize(p.levels.size());
    for (std::size_t level = 0; level < m.levels.size(); ++level) {
      m.levels[level].stores = stores[level];
      std::vector<std::size_t> dims = orders[level];  // innermost first
      if (level < nest.first) {
        for (std::size_t j = 0; j < check::kDims; ++j) {
          if (trips(level, j) > 1) dims.push_back(j);
        }
      }
      for (auto j = dims.rbegin(); j != dims.rend(); ++j) {
        m.levels[level].loops.push_back({pimbb::kAllDims[*j], trips(level, *j)});
      }
    }
    return m;
  }

  /// Row activations of each tensor under its best layout, by walking.
  [[nodiscard]] Rows walked(const LoopOrders& orders) const {
    Mapping m = mapping(orders);
    Rows fewest{};
    for (const pimbb::Tensor t : pimbb::kAllTensors) {
      std::optional<oracle::Fraction> least;
      for (const auto& choice :
           oracle::layout_choices(instance.architecture, instance.workload, m, t)) {
        set_layout(m, t, choice);
        const auto rows = oracle::row_activations(instance.architecture, instance.workload, m, t,
                                                  RowModel::trace);
        if (!least || rows < *least) least = rows;
      }
      fewest[pimbb::index(t)] = std::stoll(least->to_string());
    }
    return fewest;
  }
};

/// All orders of a chain, and all their beginnings, in the sequence of the search.
struct AllOrders {
  struct Beginning {
    std::size_t shorter;  // its place
    Rows least;           // of all orders that begin so
  };
  static constexpr std::size_t kComplete = SIZE_MAX;

  const Chain& chain;
  std::vector<std::size_t> asked;  // per question: a beginning, or kComplete
  std::vector<Beginning> beginnings;
  std::vector<Visit> visits;
  LoopOrders orders;

  explicit AllOrders(const Chain& all_of) : chain(all_of), orders(all_of.p.levels.size()) {
    begin(0);
    extend(chain.nest.first, {}, 0);
  }

 private:
  std::size_t begin(std::size_t shorter) {
    constexpr std::int64_t kMost = INT64_MAX;
    asked.push_back(beginnings.size());
    beginnings.push_back({shorter, {kMost, kMost, kMost}});
    return beginnings.size() - 1;
  }
  void extend(std::size_t level, const std::vector<bool>& used, std::size_t shorter) {
    if (level == chain.p.levels.size()) return complete(shorter);
    bool done = true;
    for (std::size_t j = 0; j < check::kDims; ++j) {
      if (chain.trips(level, j) == 1 || (!used.empty() && used[j])) continue;
      done = false;
      if (used.empty() && check::kIrrelevantTo[j] != chain.nest.s[level]) continue;
      const std::size_t here = begin(shorter);
      std::vector<bool> more = used;
      more.resize(check::kDims);
      more[j] = true;
      orders[level].push_back(j);
      extend(level, more, here);
      orders[level].pop_back();
    }
    if (done) extend(level + 1, {}, shorter);
  }
  void complete(std::size_t last) {
    asked.insert(asked.end(), 3, kComplete);
    if (visits.size() > kMostOrders) return;
    visits.push_back({orders, chain.walked(orders)});
    for (std::size_t k = last;; k = beginnings[k].shorter) {
      for (std::size_t t = 0; t < 3; ++t) {
        beginnings[k].least[t] = std::min(beginnings[k].least[t], visits.back().rows[t]);
      }
      if (k == 0) return;
    }
  }
};

struct Search {
  std::vector<Rows> asked;
  std::vector<Visit> visits;
};

template <class Hopeful>
Search search(const Chain& chain, const Hopeful& is_hopeful) {
  Search found;
  const OrderSearch::Hopeful hopeful = [&](const Rows& rows) {
    found.asked.push_back(rows);
    return is_hopeful(rows);
  };
  const OrderSearch::Visit visit = [&](const LoopOrders& orders, const Rows& rows) {
    found.visits.push_back({orders, rows});
  };
  OrderSearch(chain.p, chain.nest, hopeful, visit).run();
  return found;
}

std::int64_t sum(const Rows& rows) { return rows[0] + rows[1] + rows[2]; }

/// Calls `test(chain, all orders)` on chains with a few orders.
template <class Test>
void on_chains(std::uint64_t usual, std::size_t count, const Test& test) {
  const std::uint64_t first = testkit::first_seed(usual);
  for (std::uint64_t seed = first; seed < first + testkit::cases(count); ++seed) {
    Choices choices(seed);
    const Chain chain(choices);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(chain.instance));
    const AllOrders all(chain);
    if (all.visits.size() <= kMostOrders) test(chain, all, choices);
  }
}

}  // namespace

TEST_CASE("loop orders: every one with its true row activations, and floors that hold") {
  std::size_t floors = 0;  // above 1, and less than what every order has
  on_chains(32'000'000, 1000, [&](const Chain& chain, const AllOrders& all, Choices&) {
    const Search found = search(chain, [](const Rows&) { return true; });
    CHECK(found.visits == all.visits);
    REQUIRE(found.asked.size() == all.asked.size());
    std::vector<Rows> said(all.beginnings.size());
    for (std::size_t k = 0; k < found.asked.size(); ++k) {
      if (all.asked[k] == AllOrders::kComplete) continue;
      const AllOrders::Beginning& beginning = all.beginnings[all.asked[k]];
      said[all.asked[k]] = found.asked[k];
      for (std::size_t t = 0; t < 3; ++t) {
        CHECK(found.asked[k][t] <= beginning.least[t]);
        CHECK(found.asked[k][t] >= said[beginning.shorter][t]);
        if (found.asked[k][t] > 1 && found.asked[k][t] < beginning.least[t]) ++floors;
      }
    }
  });
  CHECK((floors > 100 || testkit::cases(1000) < 1000));
}

TEST_CASE("loop orders: just those that the caller hopes for") {
  std::size_t cut = 0;
  on_chains(33'000'000, 1000, [&](const Chain& chain, const AllOrders& all, Choices& choices) {
    const std::int64_t limit = sum(all.visits[choices.pick(all.visits.size())].rows);
    const Search found = search(chain, [&](const Rows& rows) { return sum(rows) < limit; });
    std::vector<Visit> wanted = all.visits;
    std::erase_if(wanted, [&](const Visit& visit) { return sum(visit.rows) >= limit; });
    CHECK(found.visits == wanted);
    cut += all.asked.size() - found.asked.size();
  });
  CHECK((cut > 1000 || testkit::cases(1000) < 1000));
}
