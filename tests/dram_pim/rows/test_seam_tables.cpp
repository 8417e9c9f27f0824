// The cache of seam tables: one table for a key, whoever asks for it, and no more than there is
// room for.
#include "dram_pim/trace/seam_tables.hpp"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "support/full_size.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

/// The seams of one weight at a time, along K.
rows::SeamTable table(std::int64_t trips) {
  const Architecture a = testkit::simple_pim();
  Workload w;
  w.bounds[index(Dim::K)] = trips;
  const rows::RowLines lines(a, w, Tensor::weight, Layout::sequential, kOnes, kOnes, {});
  return {lines, {{{Dim::K, trips, 1}}}};
}

using Asked = std::shared_ptr<const rows::SeamTable>;

Asked ask(mapper::SeamTables& tables, std::int64_t trips) {
  const std::vector<std::int64_t> key{7, trips};
  return tables.get(key, [&] { return table(trips); });
}

bool alike(const rows::SeamTable& a, const rows::SeamTable& b) {
  return a.all_rows() == b.all_rows() && a.kept(0, 0, 0) == b.kept(0, 0, 0) &&
         a.stays(0, 0) == b.stays(0, 0) && a.stays(0, 1) == b.stays(0, 1);
}

}  // namespace

TEST_CASE("a seam table is made once, and is what it would be alone") {
  mapper::SeamTables tables(1 << 20);
  std::vector<Asked> first;
  for (std::int64_t trips = 2; trips < 300; ++trips) first.push_back(ask(tables, trips));
  for (std::int64_t trips = 2; trips < 300; ++trips) {
    const Asked again = ask(tables, trips);
    CHECK(again == first[static_cast<std::size_t>(trips) - 2]);
    CHECK(alike(*again, table(trips)));
  }
  CHECK(tables.distinct() == 298);
  CHECK(tables.lookups() == 2 * 298);
}

TEST_CASE("seam tables beyond the room are made anew, and outlive the cache") {
  Asked kept;
  Asked not_kept;
  {
    mapper::SeamTables tables(table(2).bytes() + 2 * sizeof(std::int64_t));
    kept = ask(tables, 2);
    not_kept = ask(tables, 3);
    CHECK(ask(tables, 2) == kept);
    CHECK(ask(tables, 3) != not_kept);
    CHECK(tables.distinct() == 2);
    CHECK(tables.bytes() == table(2).bytes() + 2 * sizeof(std::int64_t));
    kept.reset();  // the cache has it
  }
  CHECK(alike(*not_kept, table(3)));
}

TEST_CASE("threads that ask for the same seam tables get the same ones") {
  mapper::SeamTables tables(1 << 20);
  std::vector<std::vector<Asked>> seen(4);
  std::vector<std::thread> threads;
  for (auto& of_thread : seen) {
    threads.emplace_back([&] {
      for (std::int64_t trips = 2; trips < 200; ++trips) of_thread.push_back(ask(tables, trips));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& of_thread : seen) CHECK(of_thread == seen[0]);
  CHECK(tables.distinct() == 198);
}
