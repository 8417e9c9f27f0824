// Runs: the gap of a progress report, guards, accounts of memory, its parts and tables, chunks of
// loops.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "pimbb/run_limits.hpp"
#include "run/guard.hpp"
#include "run/kept_memory.hpp"
#include "run/parallel_for.hpp"
#include "run/parts.hpp"
#include "run/passed_memory.hpp"
#include "run/remembered.hpp"
#include "run/sanitizers.hpp"
#include "run/table_allocator.hpp"

using namespace pimbb;

TEST_CASE("the gap of a report is a part of the best value, and nothing without one") {
  const auto gap = [](std::optional<double> incumbent, double bound) {
    Progress progress;
    progress.incumbent = incumbent;
    progress.bound = bound;
    return progress.gap();
  };
  CHECK(gap({}, 5) == 0);
  CHECK(gap(0.0, -1) == 0);
  CHECK(gap(-1.0, -2) == 0);
  CHECK(gap(0.5, 0.25) == 0.5);
  CHECK(gap(1.0, 0) == 1);
  CHECK(gap(8.0, 6) == 0.25);
  CHECK(gap(8.0, 8) == 0);
  CHECK(gap(8.0, 9) == 0);  // rounded: no gap
}

TEST_CASE("a guard is asked once in so many steps") {
  int asked = 0;
  run::Guard guard;
  guard.stop = [&] { return ++asked == 3; };
  run::GuardedSteps step(guard, 4);
  for (int k = 0; k < 3; ++k) step();
  CHECK(asked == 0);
  step();
  CHECK(asked == 1);
  step(3);
  CHECK(asked == 1);
  step(1);
  CHECK(asked == 2);
  CHECK_THROWS_AS(step(4), run::Stopped);
  CHECK(asked == 3);
}

TEST_CASE("a guard gives all its room and no more, and tells what would be needed") {
  std::uint64_t noted = 0;
  const run::Guard guard{.room = 100, .used = 7, .note = [&](std::uint64_t n) { noted = n; }};
  guard.need(100);
  CHECK(noted == 100);
  try {
    guard.need(101);
    FAIL("there was room");
  } catch (const run::TooLarge& tables) {
    CHECK(tables.needed == 108);
  }
  CHECK(noted == 100);
}

TEST_CASE("an account knows what is in use, its peak, and whether there is room for more") {
  run::Account account(100);
  {
    const auto first = account.hold(49);
    CHECK(account.roomy());
    const auto second = account.hold(1);
    CHECK(!account.roomy());
    account.note(20);
    CHECK(account.used() == 50);
    CHECK(account.room() == 50);
    CHECK_THROWS_AS(static_cast<void>(account.hold(51)), run::TooLarge);
    const auto third = account.hold(50);
    CHECK(account.room() == 0);
  }
  CHECK(account.used() == 0);
  CHECK(account.peak() == 100);
  account.note(130);
  CHECK(account.peak() == 130);
}

TEST_CASE("memory counted in one account moves over to another") {
  run::Account account(100);
  const auto first = account.hold(30);
  account.note(60);
  run::Account beside(50);
  {
    auto second = beside.hold(40);
    CHECK_THROWS_AS(static_cast<void>(beside.hold(11)), run::TooLarge);
    CHECK(account.used() == 30);
    second.move_to(account);
    second.move_to(account);  // where it is already
    CHECK(beside.used() == 0);
    CHECK(account.used() == 70);
  }
  CHECK(beside.peak() == 40);
  CHECK(account.used() == 30);
  CHECK(account.peak() == 90);
}

TEST_CASE("parts are lent to many at the same time, and never more than there are") {
  run::Parts parts(5);
  CHECK(parts.all() == 5);
  std::atomic<int> lent = 0;
  std::atomic<int> most = 0;
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < 8; ++k) {
    threads.emplace_back([&, k] {
      for (std::size_t i = 0; i < 200; ++i) {
        const int count = static_cast<int>(1 + (i + k) % 5);
        const run::Parts::Loan loan(parts, static_cast<std::size_t>(count));
        const int now = lent += count;
        int before = most;
        while (before < now && !most.compare_exchange_weak(before, now)) continue;
        lent -= count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(lent == 0);
  CHECK(most >= 5);  // whoever asked for all of them has got them
  CHECK(most <= 5);
  const run::Parts::Loan all(parts, 5);
}

TEST_CASE("chunks have all numbers once, and are full but for the last") {
  for (const std::size_t count : {0, 1, 2, 63, 64, 65, 1000}) {
    for (const std::size_t size : {1, 2, 64, 2000}) {
      std::vector<int> calls(count);
      std::vector<std::size_t> sizes(run::chunk_count(count, size));
      run::for_each_chunk(count, size, [&](const run::Chunk& chunk) {
        sizes[chunk.number] = chunk.end - chunk.begin;
        for (std::size_t k = chunk.begin; k < chunk.end; ++k) ++calls[k];
      });
      CHECK(std::ranges::all_of(calls, [](int n) { return n == 1; }));
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        CHECK(sizes[k] == (k + 1 < sizes.size() ? size : count - k * size));
      }
    }
  }
}

TEST_CASE("raw tables keep their entries when they grow, and may be written in any order") {
  run::RawTable<std::int64_t> table(3, 5);
  const std::size_t many = std::size_t{1} << 20;
  table.resize(many);
  for (std::size_t k = many; k-- > 3;) table[k] = static_cast<std::int64_t>(k);
  CHECK(std::accumulate(table.begin(), table.begin() + 3, std::int64_t{0}) == 15);
  CHECK(table.back() == static_cast<std::int64_t>(many) - 1);
  const run::RawTable<std::int64_t> copy = table;
  CHECK(copy == table);
}

TEST_CASE("tables hold what vectors do, small and large, and as they grow") {
  run::Table<std::int64_t> table;
  const std::int64_t many = std::int64_t{1} << 20;  // 8 MB
  for (std::int64_t k = 0; k < many; ++k) table.push_back(k);
  run::Table<std::int64_t> copy = table;
  table.assign(100, 7);
  table.shrink_to_fit();
  CHECK(std::accumulate(copy.begin(), copy.end(), std::int64_t{0}) == many * (many - 1) / 2);
  CHECK(std::accumulate(table.begin(), table.end(), std::int64_t{0}) == 700);
  CHECK(reinterpret_cast<std::uintptr_t>(copy.data()) % (std::size_t{1} << 21) == 0);
  copy = {};
  CHECK(copy.empty());
}

TEST_CASE("what is remembered is made once by one thread, and is the same for all of them") {
  run::Remembered<int, std::vector<int>> lists;
  std::atomic<int> made = 0;
  const auto list = [&](int length) -> const std::vector<int>& {
    return lists.get(length, [&] {
      ++made;
      if (length > 0) lists.get(length - 1, [] { return std::vector<int>(3); });  // known below
      return std::vector<int>(static_cast<std::size_t>(length));
    });
  };
  for (int length = 0; length < 50; ++length) CHECK(list(length).size() == std::size_t(length));
  CHECK(made == 50);
  std::vector<std::vector<const std::vector<int>*>> seen(4);
  std::vector<std::thread> threads;
  for (auto& of_thread : seen) {
    threads.emplace_back([&] {
      for (int length = 0; length < 200; ++length) of_thread.push_back(&list(length));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& of_thread : seen) CHECK(of_thread == seen[0]);
  for (std::size_t k = 0; k < 200; ++k) CHECK(seen[0][k]->size() == k);
}

TEST_CASE("what is made once is what the first one made, also after one that failed") {
  run::MadeOnce<std::vector<int>> list;
  const auto fails = []() -> std::vector<int> { throw run::Stopped(); };
  CHECK_THROWS_AS(list.get(fails), run::Stopped);
  std::vector<std::vector<const int*>> seen(4);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < seen.size(); ++k) {
    threads.emplace_back([&, k] {
      for (int times = 0; times < 100; ++times) {
        seen[k].push_back(list.get([] { return std::vector<int>{1, 2, 3}; }).data());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& of_thread : seen) CHECK(of_thread == seen[0]);
  CHECK(list.get(fails) == std::vector<int>{1, 2, 3});
}

TEST_CASE("memory that is passed on is whole where it arrives, and goes back from there") {
  struct Block : run::PassedOn {
    std::array<std::size_t, 54> words{};
  };
  constexpr std::size_t kBlocks = 10000;
  std::vector<std::unique_ptr<Block>> blocks(kBlocks);
  for (std::size_t round = 0; round < 2; ++round) {
    std::thread([&] {
      for (std::size_t k = 0; k < kBlocks; ++k) {
        blocks[k] = std::make_unique<Block>();
        blocks[k]->words.fill(k);
      }
    }).join();
    std::size_t damaged = 0;
    for (std::size_t k = 0; k < kBlocks; ++k) {
      damaged += std::ranges::count(blocks[k]->words, k) != std::ssize(blocks[k]->words) ? 1 : 0;
      blocks[k] = nullptr;
    }
    CHECK(damaged == 0);
  }
}

#if defined(__GLIBC__) && !defined(PIMBB_OWN_ALLOCATOR)
TEST_CASE("memory that is kept is not handed out anew by the system") {
  run::keep_freed_memory();
  const auto faults = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  const auto use = [] {
    std::vector<std::vector<char>> blocks;
    for (int k = 0; k < 8; ++k) blocks.emplace_back(std::size_t{3} << 20, 'x');
  };
  use();
  const long before = faults();
  use();
  CHECK(faults() - before < 100);  // of 6,144 pages
}
#endif
