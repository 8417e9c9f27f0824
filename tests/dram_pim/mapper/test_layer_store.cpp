// What searches of a layer share: made once for each set of bounds and windows, within the room for
// it, and without an influence on answers.
#include <doctest/doctest.h>

#include "dram_pim/mapper/layer_store.hpp"
#include "dram_pim/solver/choice_floors.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::LayerStore;
using testkit::Choices;

TEST_CASE("a lattice is made once for the layers that have the same one") {
  Choices choices(7);
  const testkit::Instance i = testkit::random_instance(choices, {});
  LayerStore store(std::uint64_t{1} << 30);
  const auto first = store.lattice(i.architecture, i.workload, {});
  CHECK(store.bytes() == first->bytes());
  Workload same = i.workload;
  same.name = "another";
  same.weight = 3;
  CHECK(store.lattice(i.architecture, same, {}) == first);
  Workload other = i.workload;
  other.bounds[index(Dim::P)] += 1;
  const auto second = store.lattice(i.architecture, other, {});
  CHECK(second != first);
  CHECK(second->operator[](second->top()).c == other.bounds);
  Workload wider = i.workload;
  wider.stride_w += 1;  // its input tiles are larger
  CHECK(store.lattice(i.architecture, wider, {}) != first);
  CHECK(store.bytes() > first->bytes() + second->bytes());
}

TEST_CASE("lattices without room are not kept") {
  Choices choices(7);
  const testkit::Instance i = testkit::random_instance(choices, {});
  LayerStore store(mapper::row_buffer_lattice(i.architecture, i.workload).bytes() - 1);
  const auto first = store.lattice(i.architecture, i.workload, {});
  CHECK(store.bytes() == 0);
  CHECK(store.lattice(i.architecture, i.workload, {}) != first);
}

TEST_CASE("with what another search made, a search is the same") {
  const std::uint64_t first = testkit::first_seed(0);
  for (std::uint64_t seed = first; seed < first + testkit::cases(60); ++seed) {
    CAPTURE(seed);
    Choices choices(seed);
    Architecture a = read_architecture("simple_pim");
    a.levels[1].capacity = choices.one_of<std::int64_t>({256, 512});
    Workload w;
    for (const Dim j : {Dim::P, Dim::Q, Dim::C, Dim::K}) {
      w.bounds[index(j)] = choices.one_of<std::int64_t>({6, 8, 12});
    }
    // Limits, so that floors of tiles are asked for.
    Question question;
    question.objective.goals = {choices.one_of({Goal::latency, Goal::energy})};
    question.row_model = choices.one_of({RowModel::hybrid, RowModel::trace});
    question.at_most = solve(a, w, question, {.threads = 1}).goals.front().value;
    LayerStore store(std::uint64_t{1} << 30);
    for (int time = 0; time < 2; ++time) {
      LayoutRange& range = question.layouts[index(Tensor::input)];
      range.row_aligned = time == 0;  // another question about the same layer
      const Solution alone = solve(a, w, question, {.threads = 1});
      const Solution shared = mapper::solve_beyond(a, w, question, {.threads = 1}, {}, &store);
      CHECK(shared.status == alone.status);
      CHECK(shared.nodes == alone.nodes);
      CHECK(shared.mapping == alone.mapping);
    }
    CHECK(store.bytes() > store.lattice(a, w, {})->bytes());
  }
}
