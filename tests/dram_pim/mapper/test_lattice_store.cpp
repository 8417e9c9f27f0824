// Lattices that searches share: one for each set of bounds and windows, within the room for them.
#include <doctest/doctest.h>

#include "dram_pim/mapper/lattice_store.hpp"
#include "dram_pim/solver/choice_floors.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::LatticeStore;
using testkit::Choices;

TEST_CASE("a lattice is made once for the layers that have the same one") {
  Choices choices(7);
  const testkit::Instance i = testkit::random_instance(choices, {});
  LatticeStore store(std::uint64_t{1} << 30);
  const auto first = store.get(i.architecture, i.workload, {});
  CHECK(store.bytes() == first->bytes());
  Workload same = i.workload;
  same.name = "another";
  same.weight = 3;
  CHECK(store.get(i.architecture, same, {}) == first);
  Workload other = i.workload;
  other.bounds[index(Dim::P)] += 1;
  const auto second = store.get(i.architecture, other, {});
  CHECK(second != first);
  CHECK(second->operator[](second->top()).c == other.bounds);
  Workload wider = i.workload;
  wider.stride_w += 1;  // its input tiles are larger
  CHECK(store.get(i.architecture, wider, {}) != first);
  CHECK(store.bytes() > first->bytes() + second->bytes());
}

TEST_CASE("lattices without room are not kept") {
  Choices choices(7);
  const testkit::Instance i = testkit::random_instance(choices, {});
  LatticeStore store(mapper::row_buffer_lattice(i.architecture, i.workload).bytes() - 1);
  const auto first = store.get(i.architecture, i.workload, {});
  CHECK(store.bytes() == 0);
  CHECK(store.get(i.architecture, i.workload, {}) != first);
}

TEST_CASE("with a lattice of another search a solve is the same") {
  const std::uint64_t first = testkit::first_seed(0);
  for (std::uint64_t seed = first; seed < first + testkit::cases(40); ++seed) {
    CAPTURE(seed);
    Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {});
    Question question;
    question.row_model = i.row_model;
    LatticeStore store(std::uint64_t{1} << 30);
    const Solution alone = solve(i.architecture, i.workload, question, {.threads = 1});
    for (int time = 0; time < 2; ++time) {
      const Solution shared =
          mapper::solve_beyond(i.architecture, i.workload, question, {.threads = 1}, {}, &store);
      CHECK(shared.status == alone.status);
      CHECK(shared.nodes == alone.nodes);
      CHECK(shared.mapping == alone.mapping);
    }
  }
}
