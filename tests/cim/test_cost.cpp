// Every figure of the evaluator, against naive evaluation and against what it is defined by.
#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "cim/cost/max_plus.hpp"
#include "cim/cost/price.hpp"
#include "cim/naive.hpp"
#include "cim/random_instance.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;

namespace {

constexpr std::array kSemanticsAll{Semantics::recursion, Semantics::table3, Semantics::simulator};
constexpr std::array kContentionAll{Contention::none, Contention::ports, Contention::bus};

std::int64_t product(const Factors& factors) {
  std::int64_t all = 1;
  for (const std::int64_t f : factors) all *= f;
  return all;
}

/// Calls `visit` with one in 997 of the mappings of tiny random problems.
template <class Visit>
void for_some_mappings(std::size_t problems, bool grow, const Visit& visit) {
  const std::uint64_t first = testkit::first_seed(1);
  std::size_t visited = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(problems); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, grow ? 6 : 12);
    std::size_t each = 0;
    naive::for_each_mapping(
        i.architecture, i.layer,
        [&](const Mapping& m) {
          if (each++ % 997 != seed % 997) return;
          ++visited;
          visit(i.architecture, grow ? naive::grown(i.layer, m) : i.layer, i.layer, m);
        },
        grow);
  }
  CHECK(visited > 0);
}

/// Sums and products of a mapping's own numbers.
void check_sums(const Architecture& a, const Mapping& m, const Metrics& x) {
  std::int64_t products = 1;
  for (const Loop& loop : m.loops) products *= loop.factor;
  CHECK(x.products == products);
  CHECK(x.activation_energy ==
        a.macro.activation_energy * Rational(products * product(m.spatial[0])));
  Rational dynamic = x.activation_energy;
  for (const PerTensor<LevelEnergy>& level : x.levels) {
    for (const LevelEnergy& energy : level) dynamic += energy.total();
  }
  CHECK(x.dynamic_energy == dynamic);
  CHECK(x.leakage_energy == a.leakage * x.latency);
  CHECK(x.energy == dynamic + x.leakage_energy);
  CHECK(x.edp() == x.latency * x.energy);
  REQUIRE(x.utilization.size() == a.axes.size());
  for (std::size_t u = 0; u < a.axes.size(); ++u) {
    CHECK(x.utilization[u] == Rational(product(m.spatial[u]), a.axes[u].size));
  }
}

/// Cycles of all transfers of a tensor out of a level, and back.
Rational cycles_of(const Metrics& x, std::size_t level, Tensor t) {
  Rational cycles = 0;
  for (const Transfer& transfer : x.transfers) {
    if (transfer.from != level || transfer.tensor != t) continue;
    cycles += transfer.cycles * Rational(transfer.fires);
  }
  return t == Tensor::output ? cycles + cycles : cycles;
}

/// Transfers keep the ports busy, and so does the way past a DRAM that no loop of a tensor is at.
void check_ports(const Architecture& a, const Mapping& m, const Metrics& x) {
  for (std::size_t level = 0; level < a.levels.size(); ++level) {
    for (const Tensor t : kAllTensors) {
      const bool at_dram = !m.loops.empty() && m.loops[0].level[index(t)] == a.dram();
      const Rational cycles = cycles_of(x, level, t);
      CHECK(x.busy[level][index(t)] >= cycles);
      CHECK((x.busy[level][index(t)] == cycles) == (level != a.dram() || at_dram));
    }
  }
}

/// Every used level but the stationary one of weights has a transfer to the next one inside.
void check_transfers(const Architecture& a, const Mapping& m, const Metrics& x) {
  std::size_t transfer = 0;
  std::optional<std::size_t> inside;
  for (std::size_t k = 0; k < x.used.size(); ++k) {
    const UsedLevel& used = x.used[k];
    if (k > 0 && x.used[k - 1].tensor != used.tensor) inside.reset();
    CHECK((!inside || *inside < used.level));
    CHECK(used.tile <= used.data);
    const std::optional<std::size_t> to = std::exchange(inside, used.level);
    if (used.tensor == Tensor::weight && used.level == a.innermost(Tensor::weight)) continue;
    REQUIRE(transfer < x.transfers.size());
    const Transfer& of = x.transfers[transfer++];
    CHECK(of.from == used.level);
    CHECK(of.to == to);
    CHECK(of.tile == used.tile);
    CHECK(of.bits == used.bits);
    CHECK(m.loops[of.loop].level[index(of.tensor)] == of.from);
    CHECK(of.hidden == (to && m.doubled[*to][index(of.tensor)]));
  }
  CHECK(transfer == x.transfers.size());
}

void check_iterations(const Architecture& a, const Workload& layer, const Mapping& m,
                      const naive::Cost& cost) {
  const std::vector<LoopIteration> all = loop_iterations(a, layer, m);
  REQUIRE(all.size() == cost.loops.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].cycles == cost.loops[i].cycles);
    CHECK(all[i].move == cost.loops[i].move);
    CHECK(all[i].inside == cost.loops[i].inside);
    CHECK(all[i].hidden == cost.loops[i].hidden);
  }
}

}  // namespace

TEST_CASE("figures of a mapping add up, under every semantics and contention") {
  for_some_mappings(
      20, false,
      [](const Architecture& a, const Workload& layer, const Workload&, const Mapping& m) {
        const naive::Cost cost = naive::cost(a, layer, m);
        for (const Semantics semantics : kSemanticsAll) {
          const auto s = static_cast<std::size_t>(semantics);
          for (const Contention contention : kContentionAll) {
            const Metrics x = evaluate(a, layer, m, {semantics, contention, cim::Padding::exact});
            const Rational floor = contention == Contention::none    ? Rational(0)
                                   : contention == Contention::ports ? cost.ports[s]
                                                                     : cost.bus[s];
            REQUIRE(x.latency == max(cost.latency[s], floor));
            check_sums(a, m, x);
            check_ports(a, m, x);
            check_transfers(a, m, x);
          }
        }
        CHECK(recursion_with_cuts(a, layer, m) == cost.with_cuts);
        check_iterations(a, layer, m, cost);
      });
}

// Hidden transfers of several loops: the published program's bounds exceed the recursion.
TEST_CASE("bounds of the recursion, of nests with long loops") {
  std::size_t raised = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    naive::Instance i = naive::random_instance(seed, 8);
    Architecture& a = i.architecture;
    for (std::size_t level = 0; level < a.levels.size(); ++level) {
      a.levels[level].size_bits.reset();
      const bool fast = level == a.innermost(Tensor::input) || level == a.dram();
      a.levels[level].bandwidth = fast ? 64 : 1;
      a.levels[level].double_buffer = level != a.dram();
    }
    a.macro.input_bits_per_cycle = 1;  // products take longer than most transfers
    Mapping m;
    m.spatial.assign(a.axes.size(), kOnes);
    for (std::size_t level = 0; level < a.levels.size(); ++level) {
      TensorFlags doubled{};
      for (const Tensor t : kAllTensors) doubled[index(t)] = a.may_double(level, t);
      m.doubled.push_back(doubled);
    }
    i.layer.bounds = kOnes;
    const auto dram = static_cast<std::uint8_t>(a.dram());
    const std::vector<std::size_t> chain = a.chain(Tensor::input);
    for (std::size_t k = 0; k < 4; ++k) {  // all irrelevant to the output
      const std::size_t inputs = chain[chain.size() - 1 - std::min(chain.size() - 1, k)];
      m.loops.push_back({k == 3 ? Dim::R : Dim::C,
                         2,
                         {static_cast<std::uint8_t>(inputs),
                          static_cast<std::uint8_t>(a.innermost(Tensor::weight)), dram}});
      i.layer.bounds[index(m.loops[k].dim)] *= 2;
    }
    const naive::Cost cost = naive::cost(a, i.layer, m);
    CHECK(recursion_with_cuts(a, i.layer, m) == cost.with_cuts);
    check_iterations(a, i.layer, m, cost);
    raised += cost.with_cuts > cost.latency[0] ? 1 : 0;
  }
  CHECK(raised > 0);
}

TEST_CASE("searches price a mapping as the evaluator does, padded layers too") {
  for_some_mappings(
      30, true,
      [](const Architecture& a, const Workload& grown, const Workload& layer, const Mapping& m) {
        for (const Semantics semantics : kSemanticsAll) {
          for (const Contention contention : kContentionAll) {
            const Pricing pricing{semantics, contention, cim::Padding::ceil};
            const cost::Pricer price(a, layer, pricing);
            const Metrics whole = evaluate(a, layer, m, pricing);
            CHECK(price.units().cycles(price(m).latency) == whole.latency);
            CHECK(price.units().nanojoule(price(m).dynamic) == whole.dynamic_energy);
            const Metrics exact =
                evaluate(a, grown, m, {semantics, contention, cim::Padding::exact});
            CHECK(exact.latency == whole.latency);
            CHECK(exact.energy == whole.energy);
          }
        }
        CHECK(naive::cost(a, grown, m).dynamic ==
              evaluate(a, layer, m, {.padding = cim::Padding::ceil}).dynamic_energy);
      });
}

TEST_CASE("searches price even bounds for odd ones") {
  naive::Instance i = naive::random_instance(3, 4);
  i.layer.bounds = kOnes;
  i.layer.bounds[index(Dim::K)] = 13;
  Mapping m;
  m.spatial.assign(i.architecture.axes.size(), kOnes);
  m.doubled.assign(i.architecture.levels.size(), TensorFlags{});
  const auto dram = static_cast<std::uint8_t>(i.architecture.dram());
  m.loops = {{Dim::K, 14, {dram, dram, dram}}};
  const Pricing pricing{.padding = cim::Padding::even};
  const cost::Pricer price(i.architecture, i.layer, pricing);
  const Metrics x = evaluate(i.architecture, i.layer, m, pricing);
  CHECK(x.products == 14);
  CHECK(price.units().cycles(price(m).latency) == x.latency);
  CHECK(price.units().nanojoule(price(m).dynamic) == x.dynamic_energy);
}

// A bound of b may grow to 2 b - 1, and then has half of the range.
TEST_CASE("the range of exact numbers is that of the largest padded layer") {
  naive::Instance i = naive::random_instance(3, 4);
  const auto refused = [&](std::int64_t bound, cim::Padding padding) {
    i.layer.bounds = kOnes;
    i.layer.bounds[index(Dim::N)] = bound;
    try {
      const cost::Pricer price(i.architecture, i.layer, {.padding = padding});
      return false;
    } catch (const InputError&) {
      return true;
    }
  };
  std::int64_t fits = 1;
  while (!refused(2 * fits, cim::Padding::exact)) fits *= 2;
  for (std::int64_t step = fits / 2; step > 0; step /= 2) {
    if (!refused(fits + step, cim::Padding::exact)) fits += step;
  }
  CHECK(!refused(fits, cim::Padding::exact));
  CHECK(refused(fits + 1, cim::Padding::exact));
  const std::int64_t half = (fits + 1) / 2;  // 2 half - 1 <= fits < 2 (half + 1) - 1
  CHECK(!refused(half, cim::Padding::ceil));
  CHECK(refused(half + 1, cim::Padding::ceil));
}

TEST_CASE("a power over (max, +) is the function applied so often") {
  std::uint64_t state = 7;
  const auto draw = [&](std::uint64_t n) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>((state >> 33) % n);
  };
  for (int round = 0; round < 20; ++round) {
    const std::size_t size = 1 + draw(4);
    cost::MaxPlus step(size);
    for (int k = 0; k < 6; ++k) {
      step.add(draw(size), static_cast<cost::Time>(draw(9)));
      step.raise(draw(size), draw(size));
      if (k % 3 == 0) step.copy(draw(size), draw(size));
    }
    cost::MaxPlus often(size);
    for (int times = 0; times < 12; ++times) {
      const cost::MaxPlus power = step.power(times);
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) CHECK(power.at(i, j) == often.at(i, j));
      }
      often.then(step);
    }
  }
}
