// Classes and runs.
#include "dram_pim/milp/orders.hpp"

#include <map>

namespace pimbb::dram_pim::milp {
namespace {

/// Dimensions with a bound above 1 that do, or do not, index t.
std::vector<Dim> dims(const Problem& problem, Tensor t, bool indexing) {
  std::vector<Dim> result;
  for (const Dim j : kAllDims) {
    if (problem.workload.bound(j) > 1 && relevant(t, j) == indexing) result.push_back(j);
  }
  return result;
}

PerTensor<Sum> decide_class(Problem& problem, const Tiling& tiling, std::size_t m) {
  PerTensor<Sum> of_class;
  Sum all;
  for (const Tensor t : kAllTensors) {
    of_class[index(t)] = {{problem.program.binary(label("class", m, t)), 1}};
    add(all, of_class[index(t)]);
  }
  if (problem.workload.bound(Dim::G) > 1) {
    const Sum none{{problem.program.binary(label("class", m, "none")), 1}};
    add(all, none);
    Sum terms = none;  // none  <=  loop of G
    add(terms, complement(tiling.idle(m, Dim::G)), -1);
    problem.program.row(label("class", m, "none"), terms, Sense::at_most, 0);
  }
  problem.program.row(label("class", m), all, Sense::equal, 1);
  for (const Tensor t : kAllTensors) {
    // class t  <=  irrelevant loops  +  [no loop of j], for every j that indexes t
    Sum excess = of_class[index(t)];
    for (const Dim j : dims(problem, t, false)) add(excess, complement(tiling.idle(m, j)), -1);
    for (const Dim j : dims(problem, t, true)) {
      Sum terms = excess;
      add(terms, tiling.idle(m, j), -1);
      problem.program.row(label("class", m, t), terms, Sense::at_most, 0);
    }
  }
  return of_class;
}

/// Key {sweeps} if the run of t ends at level e.
Choice sweeps_beyond(Problem& problem, const Tiling& tiling, std::size_t e, Tensor t) {
  std::vector<Choice> parts;
  for (const Dim j : dims(problem, t, false)) {
    parts.push_back(rekeyed(tiling.tile[e][index(j)], [&, j](const Key& key) {
      return Key{problem.workload.bound(j) / key[0]};
    }));
  }
  if (parts.empty()) return certain({1});
  return product(problem.program, label("sweeps_beyond", e, t), parts);
}

/// Decides where the run of t from level i ends: 1 for one of the levels i .. DRAM.
std::vector<Sum> decide_run(Problem& problem, const Tiling& tiling, const Orders& orders,
                            std::size_t i, Tensor t) {
  const std::size_t dram = problem.architecture.dram();
  std::vector<Sum> ends(dram + 1);
  Sum all;
  for (std::size_t e = i; e <= dram; ++e) {
    ends[e] = {{problem.program.binary(label("run", i, t, e)), 1}};
    add(all, ends[e]);
    if (e == i) continue;
    Sum terms = ends[e];
    add(terms, orders.of_class[e][index(t)], -1);
    problem.program.row(label("run", i, t), terms, Sense::at_most, 0);
  }
  problem.program.row(label("run", i, t), all, Sense::equal, 1);
  Sum beyond;  // the run ends beyond level m, so it passes m
  for (std::size_t m = dram - 1; m > i; --m) {
    add(beyond, ends[m + 1]);
    for (const Dim j : dims(problem, t, true)) {
      Sum terms = beyond;
      add(terms, tiling.idle(m, j), -1);
      problem.program.row(label("run", i, t), terms, Sense::at_most, 0);
    }
  }
  return ends;
}

/// Key {sweeps}: those beyond level e for the level e where the run ends.
Choice choose_sweeps(Problem& problem, const std::vector<Sum>& ends,
                     const std::vector<Choice>& beyond, std::size_t i, Tensor t) {
  std::map<Key, Sum> merged;
  for (std::size_t e = i; e < ends.size(); ++e) {
    const Choice part = split(problem.program, label("sweeps", i, t, e), beyond[e], {ends[e]})[0];
    for (const Option& option : part) add(merged[option.key], option.when);
  }
  Choice choice;
  for (const auto& [key, when] : merged) choice.push_back({key, when});
  return choice;
}

}  // namespace

Orders decide_orders(Problem& problem, const Tiling& tiling) {
  Orders orders;
  const std::size_t rb = problem.architecture.row_buffer();
  orders.of_class.resize(problem.levels());
  orders.sweeps.resize(rb + 1);
  for (std::size_t m = 1; m < problem.levels(); ++m) {
    orders.of_class[m] = decide_class(problem, tiling, m);
  }
  for (const Tensor t : kAllTensors) {
    const bool swept = !dims(problem, t, false).empty();
    std::vector<Choice> beyond;
    for (std::size_t e = 0; swept && e < problem.levels(); ++e) {
      beyond.push_back(sweeps_beyond(problem, tiling, e, t));
    }
    for (std::size_t i = 0; i <= rb; ++i) {
      Choice& sweeps = orders.sweeps[i][index(t)];
      sweeps = certain({1});
      if (!swept || !problem.may_store(i, t)) continue;
      sweeps = choose_sweeps(problem, decide_run(problem, tiling, orders, i, t), beyond, i, t);
    }
  }
  return orders;
}

}  // namespace pimbb::dram_pim::milp
