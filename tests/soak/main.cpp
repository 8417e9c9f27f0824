// tools/soak: random problems until the time is over. One that fails is shrunk and kept as a
// regression test.
//
// Each worker is a process that takes every n-th seed and judges each problem in a child process,
// so that nothing a problem does ends the run. A worker stops at its first failure.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "soak/any_problem.hpp"
#include "soak/apart.hpp"
#include "soak/shrink.hpp"

namespace {

using soak::AnyProblem;
using testkit::Json;
using Clock = std::chrono::steady_clock;

constexpr unsigned kCpuSeconds = 120;          // more than any problem takes, sanitized or not
constexpr std::size_t kMostShrinkings = 3000;  // problems judged to shrink one

struct Settings {
  double seconds = 60;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> count;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  std::filesystem::path into = PIMBB_REGRESSIONS;
  std::vector<std::filesystem::path> files;
};

std::string complaint_apart(const AnyProblem& problem) {
  return soak::apart([&] { return soak::complaint_about(problem); }, kCpuSeconds);
}

AnyProblem shrunk(const AnyProblem& problem) {
  std::size_t left = kMostShrinkings;
  return std::visit(
      [&](const auto& p) -> AnyProblem {
        return soak::shrink(p, [&](const auto& simpler) {
          return left > 0 && (--left, !complaint_apart(simpler).empty());
        });
      },
      problem);
}

/// A failure, shrunk, as a file of tests/regressions; and what to do to see it again.
void keep(const Settings& settings, std::uint64_t seed, const AnyProblem& problem,
          const std::string& wrong) {
  fmt::print("seed {}: {}\n  shrinking ...\n", seed, wrong);
  std::fflush(stdout);
  const AnyProblem simple = shrunk(problem);
  const std::string found = complaint_apart(simple);
  const Json json{{"found", found}, {"seed", seed}, {"problem", soak::write_any(simple)}};
  std::filesystem::create_directories(settings.into);
  const std::filesystem::path file = settings.into / fmt::format("{:016x}.json", seed);
  std::ofstream stream(file);
  stream << json.dump(1) << '\n';
  stream.close();
  fmt::print("  shrunk to: {}\n  {}\n", found, soak::write_any(simple).dump());
  fmt::print("  {} {}\n", stream ? "written to" : "could not write", file.string());
  fmt::print("  again, as drawn: tools/soak --seed {} --count 1\n", seed);
  fmt::print("  again, as kept:  tools/soak {}\n", file.string());
  std::fflush(stdout);
}

struct Tally {
  std::uint64_t problems = 0;
  std::uint64_t failures = 0;
};

Tally run_worker(const Settings& settings, unsigned worker) {
  const auto end = Clock::now() + std::chrono::duration<double>(settings.seconds);
  Tally tally;
  for (std::uint64_t k = worker; tally.failures == 0; k += settings.jobs) {
    if (settings.count ? k >= *settings.count : Clock::now() >= end) break;
    const std::uint64_t seed = *settings.seed + k;
    const AnyProblem problem = soak::any_problem(seed);
    ++tally.problems;
    const std::string wrong = complaint_apart(problem);
    if (wrong.empty()) continue;
    ++tally.failures;
    keep(settings, seed, problem, wrong);
  }
  return tally;
}

/// Forks the workers; each one sends its tally through the pipe, in one piece.
Tally run_workers(const Settings& settings) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  for (unsigned worker = 0; worker < settings.jobs; ++worker) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no process");
    if (child > 0) continue;
    const Tally tally = run_worker(settings, worker);
    _exit(write(ends[1], &tally, sizeof tally) == sizeof tally ? 0 : 1);
  }
  close(ends[1]);
  Tally all;
  unsigned answers = 0;
  for (Tally tally; read(ends[0], &tally, sizeof tally) == sizeof tally; ++answers) {
    all.problems += tally.problems;
    all.failures += tally.failures;
  }
  while (wait(nullptr) > 0) continue;
  if (answers != settings.jobs) throw std::runtime_error("a worker is lost");
  return all;
}

bool judge_files(const Settings& settings) {
  bool all_right = true;
  for (const std::filesystem::path& file : settings.files) {
    std::ifstream stream(file);
    const std::string wrong = complaint_apart(soak::read_any(Json::parse(stream).at("problem")));
    fmt::print("{}: {}\n", file.string(), wrong.empty() ? "nothing wrong" : wrong);
    all_right = all_right && wrong.empty();
  }
  return all_right;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Random problems against brute force and the checker, for as long as you like.");
  app.add_option("--seconds", settings.seconds, "how long (60)");
  app.add_option("--seed", settings.seed,
                 "of the first problem, 64 bits; the next one has the next");
  app.add_option("--count", settings.count, "how many problems, whatever the time");
  app.add_option("--jobs", settings.jobs, "processes (one a core)")->check(CLI::PositiveNumber);
  app.add_option("--into", settings.into, "where failures are kept (tests/regressions)");
  app.add_option("files", settings.files, "judge these kept problems instead");
  CLI11_PARSE(app, argc, argv);
  if (!settings.files.empty()) return judge_files(settings) ? 0 : 1;
  if (!settings.seed) settings.seed = std::uint64_t{std::random_device{}()} << 32;
  fmt::print("seed {}\n", *settings.seed);
  std::fflush(stdout);  // a forked worker would print it again
  const Tally tally = run_workers(settings);
  fmt::print("{} problems, {} failed\n", tally.problems, tally.failures);
  return tally.failures == 0 ? 0 : 1;
}
