// Explorations of toy wings against exhaustion: every point, the front, pruning, threads, journals
// that end anywhere, several processes.
#include <doctest/doctest.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "answers/journal.hpp"
#include "answers/rank_solvers.hpp"
#include "answers/toy_space.hpp"
#include "exact/splitmix64.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/folder.hpp"

using namespace pimbb;
using toy::ToyWing;

namespace {

constexpr const char* kToyObjectives[] = {"edp", "latency", "energy,latency"};

ExploreOptions threads(int count) {
  ExploreOptions options;
  options.limits.threads = count;
  return options;
}

std::string text_of(const Space& space, const Exploration& exploration) {
  return exploration_json(space, exploration, true) + exploration_csv(space, exploration);
}

std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Number and whether it is on the front, by exhaustion.
bool is_dominated(const std::vector<ExploredPoint>& points,
                  const std::vector<std::optional<Rational>>& optima, std::size_t k) {
  for (std::size_t q = 0; q < points.size(); ++q) {
    if (!optima[q] || q == k) continue;
    const bool no_worse = *points[q].cost <= *points[k].cost && *optima[q] <= *optima[k];
    if (no_worse && (*points[q].cost < *points[k].cost || *optima[q] < *optima[k])) return true;
  }
  return false;
}

std::vector<std::optional<Rational>> optima_of(const ToyWing& wing, const std::string& objective,
                                               const std::vector<ExploredPoint>& points) {
  std::vector<std::optional<Rational>> optima;
  for (const ExploredPoint& point : points) {
    optima.push_back(wing.optimum(point.values, objective));
  }
  return optima;
}

/// Keys of a journal's lines but the first.
std::vector<std::string> keys_of(const std::string& path) {
  std::istringstream lines(file_text(path));
  std::vector<std::string> keys;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) keys.push_back(line.substr(0, line.find(' ')));
  return keys;
}

/// Processes of tests: threads with queues of messages.
class ToyRanks final : public Ranks {
 public:
  struct Post {
    std::mutex mutex;
    std::vector<std::deque<Message>> boxes;
  };
  ToyRanks(Post& post, int rank) : post_(post), rank_(rank) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return static_cast<int>(post_.boxes.size()); }
  void send(int to, int tag, const std::string& text) override {
    const std::lock_guard lock(post_.mutex);
    post_.boxes[static_cast<std::size_t>(to)].push_back({rank_, tag, text});
  }
  std::optional<Message> receive(int) override {
    const std::lock_guard lock(post_.mutex);
    std::deque<Message>& box = post_.boxes[static_cast<std::size_t>(rank_)];
    if (box.empty()) return std::nullopt;
    Message message = std::move(box.front());
    box.pop_front();
    return message;
  }

 private:
  Post& post_;
  int rank_;
};

/// An exploration of `count` processes; the wing of the last is `last`.
Exploration explore_on(int count, const Space& space, const ToyWing& wing, const ToyWing& last,
                       const ExploreOptions& options) {
  ToyRanks::Post post;
  post.boxes.resize(static_cast<std::size_t>(count));
  Exploration result;
  std::exception_ptr fault;
  {
    std::vector<std::jthread> processes;
    for (int rank = 0; rank < count; ++rank) {
      processes.emplace_back([&, rank] {
        ToyRanks ranks(post, rank);
        try {
          answers::on_all_ranks(ranks, [&] {
            ExploreOptions own = options;
            own.ranks = &ranks;
            const ToyWing& mine = rank == count - 1 ? last : wing;
            Exploration found = answers::explore(space, mine, own, {});
            if (rank == 0) result = std::move(found);
          });
        } catch (...) {
          fault = std::current_exception();
        }
      });
    }
  }
  if (fault) std::rethrow_exception(fault);
  return result;
}

}  // namespace

TEST_CASE("every point has its optimum, and the front is that of all points") {
  std::size_t infeasible = 0;
  for (std::size_t i = 0; i < testkit::cases(120); ++i) {
    const ToyWing wing(testkit::first_seed(1) + i, 1 + i % 2);
    const std::string objective = kToyObjectives[i % 3];
    const Space space = toy::toy_space(objective);
    const Exploration found =
        answers::explore(space, wing, threads(1 + static_cast<int>(i % 3)), {});
    REQUIRE(found.points.size() == 36);
    const auto optima = optima_of(wing, objective, found.points);
    const ExploredPoint* best = nullptr;
    for (std::size_t k = 0; k < found.points.size(); ++k) {
      const ExploredPoint& point = found.points[k];
      CAPTURE(i);
      CAPTURE(k);
      REQUIRE(point.has_value() == optima[k].has_value());
      CHECK(point.status == (optima[k] ? Status::optimal : Status::infeasible));
      if (!optima[k]) {
        ++infeasible;
        CHECK_FALSE(point.on_front);
        continue;
      }
      CHECK(point.value == *optima[k]);
      CHECK(point.bound == *optima[k]);
      CHECK(point.on_front == !is_dominated(found.points, optima, k));
      if (point.best) best = &point;
    }
    for (std::size_t k = 0; best != nullptr && k < optima.size(); ++k) {
      if (optima[k]) CHECK(best->value <= *optima[k]);
    }
  }
  CHECK(infeasible > 0);
}

TEST_CASE("equal searches are done once") {
  for (std::size_t i = 0; i < testkit::cases(20); ++i) {
    const ToyWing wing(testkit::first_seed(1) + i, 2);
    const Space space = toy::toy_space("edp");
    const Exploration found = answers::explore(space, wing, threads(3), {});
    CHECK(found.searches == wing.solves);
    CHECK(found.searched == wing.solves);
    // 24 different machines (1 x 2 is 2 x 1) of 36, and the third part of a network is the first.
    std::size_t least = 0;
    std::set<std::string> parts;
    for (std::size_t n = 0; n < 2; ++n) {
      for (const auto& part : wing.parts(n)) parts.insert(part.text);
    }
    least = 24 * 2 * parts.size();
    CHECK(wing.solves >= least);
    const ToyWing again(testkit::first_seed(1) + i, 2);
    const Exploration alone = answers::explore(toy::toy_space("latency"), again, threads(1), {});
    CHECK(alone.searches == 24 * parts.size());
  }
}

TEST_CASE("pruning removes no point of the front, and does not depend on threads") {
  std::size_t skipped = 0;
  for (std::size_t i = 0; i < testkit::cases(120); ++i) {
    const ToyWing wing(testkit::first_seed(1) + i, 1 + i % 2);
    const std::string objective = kToyObjectives[i % 3];
    const Space space = toy::toy_space(objective);
    ExploreOptions options = threads(1);
    const Exploration all = answers::explore(space, wing, options, {});
    options.prune = true;
    const Exploration pruned = answers::explore(space, wing, options, {});
    options.limits.threads = 4;
    const Exploration again = answers::explore(space, wing, options, {});
    CHECK(text_of(space, pruned) == text_of(space, again));
    const auto optima = optima_of(wing, objective, all.points);
    for (std::size_t k = 0; k < all.points.size(); ++k) {
      const ExploredPoint& point = pruned.points[k];
      CHECK(point.on_front == all.points[k].on_front);
      CHECK(point.best == all.points[k].best);
      if (!point.skipped) {
        CHECK(point.value == all.points[k].value);
        continue;
      }
      ++skipped;
      if (optima[k]) CHECK(point.bound <= *optima[k]);
    }
  }
  CHECK(skipped > 0);
}

TEST_CASE("a journal that ends anywhere is gone on with") {
  const texts::Folder folder;
  for (std::size_t i = 0; i < testkit::cases(20); ++i) {
    const ToyWing wing(testkit::first_seed(1) + i, 2);
    const Space space = toy::toy_space(i % 2 == 0 ? "edp" : "latency");
    ExploreOptions options = threads(2);
    const std::string whole = text_of(space, answers::explore(space, wing, options, {}));
    options.journal = folder.path("journal" + std::to_string(i));
    CHECK(text_of(space, answers::explore(space, wing, options, {})) == whole);
    const std::string journal = file_text(options.journal);
    const std::size_t lines = keys_of(options.journal).size();
    SplitMix64 random(testkit::first_seed(1) + i);
    options.resume = true;
    for (int cut = 0; cut < 10; ++cut) {
      const std::size_t bytes = cut == 0 ? journal.size() : random.below(journal.size());
      std::string text = journal.substr(0, bytes);
      if (cut % 3 == 1) text += std::string(random.below(40), '\0');  // not written yet
      if (cut % 3 == 2 && bytes > 0) text[bytes - 1] ^= 1;
      std::ofstream(options.journal, std::ios::binary) << text;
      const ToyWing again(testkit::first_seed(1) + i, 2);
      if (text.find('\n') == std::string::npos && journal.find(text) != 0) {
        CHECK_THROWS_AS(answers::explore(space, again, options, {}), InputError);
        continue;
      }
      const Exploration found = answers::explore(space, again, options, {});
      CHECK(text_of(space, found) == whole);
      const std::vector<std::string> keys = keys_of(options.journal);
      CHECK(keys.size() == lines);
      CHECK(std::set<std::string>(keys.begin(), keys.end()).size() == lines);
      CHECK(again.solves <= lines);
      if (cut == 0) CHECK(again.solves == 0);
    }
  }
}

TEST_CASE("a line of a journal is read as it was written, and no other one") {
  const std::string line = "key optimal 12 3008/125 -7 0";
  const auto read = answers::parse_answer_line(line);
  REQUIRE(read);
  CHECK(read->answer.nodes == 12);
  CHECK(read->answer.bound == Rational(3008, 125));
  CHECK(read->answer.costs == std::vector{Rational(-7), Rational(0)});
  CHECK(answers::answer_line(read->key, read->answer) == line);
  for (const char* other :
       {"", "key optimal 12", "key best 12 1", "key optimal -1 1", "key optimal 12 1/0",
        "key optimal 12 1.5", "key optimal 12 6/4", "key optimal 012 1", "key optimal 12 +1",
        "key optimal 12 1 ", "key optimal  12 1", "key optimal 12 1e3"}) {
    CAPTURE(other);
    CHECK(!answers::parse_answer_line(other));
  }
}

TEST_CASE("journals of others are refused") {
  const texts::Folder folder;
  const ToyWing wing(7, 1);
  ExploreOptions options = threads(1);
  options.journal = folder.path("journal");
  const auto error = [&](const Space& space, const ExploreOptions& asked) -> std::string {
    try {
      answers::explore(space, wing, asked, {});
      return "";
    } catch (const InputError& e) {
      return e.what();
    }
  };
  CHECK(error(toy::toy_space("edp"), options).empty());
  CHECK(error(toy::toy_space("edp"), options) ==
        options.journal +
            ": found a file that exists, allowed are new ones; --resume goes on with a journal");
  options.resume = true;
  CHECK(error(toy::toy_space("edp"), options).empty());
  const std::string another =
      options.journal + ": found the journal of another space, allowed is that of this one";
  CHECK(error(toy::toy_space("latency"), options) == another);
  CHECK(error(toy::toy_space("edp", false), options) == another);
  ExploreOptions limited = options;
  limited.limits.node_limit = 5;
  CHECK(error(toy::toy_space("edp"), limited) == another);
  {
    const answers::Journal held(folder.path("held"), false, "x");
    ExploreOptions of_held = options;
    of_held.journal = folder.path("held");
    CHECK(error(toy::toy_space("edp"), of_held) ==
          of_held.journal +
              ": found a journal that another process writes, allowed is one process");
  }
  std::ofstream(options.journal) << "something else\n";
  CHECK(error(toy::toy_space("edp"), options) ==
        options.journal +
            ": found no journal in its first line, allowed are files of pimbb explore");
  options.journal = folder.path("no/such/folder");
  CHECK(
      error(toy::toy_space("edp"), options).starts_with(options.journal + ": the file cannot be"));
}

TEST_CASE("an interrupted exploration says so, and keeps what it has") {
  const ToyWing wing(3, 1);
  std::stop_source stop;
  ExploreOptions options = threads(1);
  options.limits.stop = stop.get_token();
  const Exploration found =
      answers::explore(toy::toy_space("edp"), wing, options, [&](const ExploreProgress& now) {
        if (now.done >= 10) stop.request_stop();
      });
  CHECK(found.stopped);
  CHECK(found.status == Status::feasible);
  const auto solved = std::ranges::count_if(
      found.points, [](const ExploredPoint& point) { return !point.networks.empty(); });
  CHECK(solved >= 10);
  CHECK(solved < 36);
}

TEST_CASE("processes answer as one does") {
  for (std::size_t i = 0; i < testkit::cases(12); ++i) {
    const ToyWing wing(testkit::first_seed(1) + i, 2);
    const Space space = toy::toy_space(kToyObjectives[i % 3]);
    ExploreOptions options = threads(1 + static_cast<int>(i % 2));
    options.prune = i % 4 == 0;
    const std::string alone = text_of(space, answers::explore(space, wing, options, {}));
    const int count = i % 3 == 0 ? 20 : 3;  // with and without searches of number 0
    CHECK(text_of(space, explore_on(count, space, wing, wing, options)) == alone);
  }
}

TEST_CASE("a process that fails ends all of them, and is named") {
  const Space space = toy::toy_space("edp");
  const ToyWing wing(5, 1);
  ToyWing broken(5, 1);
  broken.fails_at = 1;
  CHECK_THROWS_WITH(explore_on(4, space, wing, broken, threads(1)), "rank 3: the toy is broken");
  const ToyWing other(6, 1);  // other files
  CHECK_THROWS_WITH(explore_on(3, space, wing, other, threads(1)),
                    "rank 2: found other files than those of rank 0, allowed are the same");
}

TEST_CASE("what does not go together is refused") {
  const ToyWing wing(5, 1);
  ExploreOptions options;
  options.prune = true;
  CHECK_THROWS_WITH_AS(answers::explore(toy::toy_space("edp", false), wing, options, {}),
                       "--prune: found a space without cost, allowed are spaces with the key cost",
                       InputError);
  ExploreOptions resume;
  resume.resume = true;
  CHECK_THROWS_AS(answers::explore(toy::toy_space("edp"), wing, resume, {}), InputError);
  CHECK_THROWS_WITH_AS(answers::explore(toy::toy_space("latencies"), wing, {}, {}),
                       "toy.yaml:4:14: explore.objective: found latencies (did you mean "
                       "'latency'?), allowed are latency, energy and lists of these, and edp alone",
                       InputError);
  CHECK_THROWS_AS(answers::explore(toy::toy_space("edp,latency"), wing, {}, {}), InputError);
  CHECK_THROWS_AS(answers::explore(toy::toy_space("latency,latency"), wing, {}, {}), InputError);
}
