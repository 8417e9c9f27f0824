// Searches by several threads: each question once, what was looked at ahead is used, what is not
// likely any more stops.
#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>

#include "dram_pim/plan/layer_searches.hpp"
#include "pimbb/error.hpp"
#include "run/on_threads.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using network::LayerQuestion;
using network::LayerSearches;
using Terms = LayerSearches::Terms;

namespace {

/// A question that is known by a number.
LayerQuestion asked(std::int64_t number) {
  LayerQuestion question;
  question.at_most = Rational(number);
  return question;
}

std::vector<LayerQuestion> all(const std::vector<std::int64_t>& numbers) {
  std::vector<LayerQuestion> questions;
  for (const std::int64_t number : numbers) questions.push_back(asked(number));
  return questions;
}

/// What a test does on as many threads.
void on_threads(int threads, const std::function<void(const RunLimits&)>& body) {
  RunLimits limits;
  limits.threads = threads;
  run::on_threads(threads, [&] { body(limits); });
}

/// A solution that tells for which question it is.
Solution answer(const LayerQuestion& question) {
  Solution solution;
  solution.reason = question.at_most->to_string();
  return solution;
}

/// Tells these questions, and then that there is no telling.
LayerSearches::LookAhead once(const std::vector<LayerQuestion>& questions) {
  return [questions, looked = false]() mutable -> std::optional<std::vector<LayerQuestion>> {
    if (std::exchange(looked, true)) return std::nullopt;
    return questions;
  };
}

/// How often each question was searched for.
class Counted {
 public:
  Solution operator()(const LayerQuestion& question) {
    const std::lock_guard lock(mutex_);
    ++counts_[question.at_most->to_string()];
    return answer(question);
  }
  [[nodiscard]] int count(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    return counts_[std::to_string(number)];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> counts_;
};

/// Some of twelve questions.
std::vector<std::int64_t> some(std::mt19937_64& random) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 0; number < 12; ++number) {
    if (random() % 3 == 0) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

TEST_CASE("answers are those of the questions, whatever was looked at ahead") {
  for (const int threads : {1, 2, 4}) {
    CAPTURE(threads);
    std::mt19937_64 random(5);
    on_threads(threads, [&](const RunLimits& limits) {
      LayerSearches searches(limits,
                             [](const LayerQuestion& q, const Terms&) { return answer(q); });
      for (std::size_t round = 0; round < testkit::cases(200); ++round) {
        const std::vector<std::int64_t> numbers = some(random);
        const std::vector<std::int64_t> ahead = some(random);
        const std::vector<std::int64_t> kept = some(random);
        std::atomic<int> looks{0};
        const std::vector<Solution> solutions =
            searches.solutions(all(numbers), [&]() -> std::optional<std::vector<LayerQuestion>> {
              if (++looks > 2) return std::nullopt;
              return all(ahead);
            });
        REQUIRE(solutions.size() == numbers.size());
        for (std::size_t k = 0; k < numbers.size(); ++k) {
          REQUIRE(solutions[k].reason == std::to_string(numbers[k]));
        }
        if (random() % 2 == 0) searches.forget(all(kept));
      }
    });
  }
}

TEST_CASE("what was looked at ahead is searched for once, and while others are searched for") {
  on_threads(2, [](const RunLimits& limits) {
    Counted counted;
    std::atomic<bool> began{false};
    LayerSearches searches(limits, [&](const LayerQuestion& q, const Terms& terms) {
      if (q.at_most == Rational(2)) {
        CHECK(terms.share == LayerSearches::Share::one_thread);
        began = true;
      }
      // The first one ends only once the other thread has begun with the second.
      while (q.at_most == Rational(1) && !began) std::this_thread::yield();
      return counted(q);
    });
    static_cast<void>(searches.solutions(all({1}), once(all({2}))));
    CHECK(searches.solutions(all({2}))[0].reason == "2");
    CHECK(counted.count(1) == 1);
    CHECK(counted.count(2) == 1);
  });
}

TEST_CASE("a search has one thread if the last one of its layer was brief") {
  on_threads(2, [](const RunLimits& limits) {
    std::vector<LayerSearches::Share> shares;
    LayerSearches searches(limits, [&](const LayerQuestion& q, const Terms& terms) {
      shares.push_back(terms.share);
      Solution solution = answer(q);
      solution.seconds = q.at_most == Rational(2) ? LayerSearches::kBrief : 0;
      return solution;
    });
    for (const std::int64_t number : {1, 2, 3, 4}) {
      static_cast<void>(searches.solutions(all({number})));
    }
    using enum LayerSearches::Share;
    CHECK(shares == std::vector{part, one_thread, part, one_thread});
  });
}

TEST_CASE("what is not likely any more stops, and begins anew if it is asked for after all") {
  on_threads(2, [](const RunLimits& limits) {
    const auto asking = std::this_thread::get_id();
    Counted counted;
    std::atomic<bool> began{false};
    {
      LayerSearches searches(limits, [&](const LayerQuestion& q, const Terms& terms) {
        if (terms.share == LayerSearches::Share::one_thread) {
          began = true;
          // Unless this is the thread that will say so.
          while (!terms.stop.stop_requested() && std::this_thread::get_id() != asking) {
            std::this_thread::yield();
          }
          if (terms.stop.stop_requested()) CHECK(terms.unwanted.stop_requested());
        }
        while (q.at_most == Rational(1) && !began) std::this_thread::yield();
        return counted(q);
      });
      static_cast<void>(searches.solutions(all({1}), once(all({2}))));
      searches.forget();
      CHECK(searches.solutions(all({2}))[0].reason == "2");
    }  // the one that was stopped has ended
    CHECK(counted.count(1) == 1);
    CHECK(counted.count(2) == 2);
  });
}

TEST_CASE("a search that its part of the memory is too small for has all of it, alone") {
  for (const int threads : {1, 3}) {
    on_threads(threads, [](const RunLimits& limits) {
      std::atomic<int> running{0};
      std::atomic<int> alone{0};
      LayerSearches searches(limits, [&](const LayerQuestion& q, const Terms& terms) {
        const int beside = running++;
        if (terms.share == LayerSearches::Share::all) {
          CHECK(beside == 0);
          ++alone;
        }
        --running;
        if (q.at_most == Rational(2) && terms.share != LayerSearches::Share::all) {
          throw LimitError("too large");
        }
        return answer(q);
      });
      const auto solutions = searches.solutions(all({1, 2, 3}));
      CHECK(solutions[1].reason == "2");
      CHECK(alone == 1);
    });
  }
}

TEST_CASE("what a search throws is thrown on, unless nobody asked for it") {
  for (const int threads : {1, 2}) {
    on_threads(threads, [](const RunLimits& limits) {
      LayerSearches searches(limits, [](const LayerQuestion& q, const Terms&) {
        if (q.at_most == Rational(2)) throw std::runtime_error("two");
        return answer(q);
      });
      bool looked = false;
      const auto solutions =
          searches.solutions(all({1}), [&]() -> std::optional<std::vector<LayerQuestion>> {
            if (std::exchange(looked, true)) throw std::runtime_error("ahead");
            return all({2});
          });
      CHECK(solutions[0].reason == "1");
      CHECK_THROWS_WITH(static_cast<void>(searches.solutions(all({2, 3}))), "two");
    });
  }
}

TEST_CASE("an interruption reaches every search") {
  on_threads(2, [](RunLimits limits) {
    std::stop_source interrupt;
    limits.stop = interrupt.get_token();
    LayerSearches searches(limits, [&](const LayerQuestion& q, const Terms& terms) {
      interrupt.request_stop();
      while (!terms.stop.stop_requested()) std::this_thread::yield();
      CHECK(!terms.unwanted.stop_requested());  // the answer is wanted still
      return answer(q);
    });
    CHECK(searches.solutions(all({1, 2, 3})).size() == 3);
  });
}
