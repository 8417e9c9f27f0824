// pimbb-check: is a proof of optimality right? Accepts or refuses; trusts nothing of the solver.
//
// The kernel enforces both limits: an allocation beyond the memory limit fails, and an alarm ends
// the process at the time limit. The checker writes no files, so it may end anywhere.
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "check.hpp"

namespace {

constexpr const char* kUsage =
    "Usage: pimbb-check PROOF [--instance FILE] [--time-limit SECONDS] [--memory-limit BYTES]\n"
    "Checks a proof that 'pimbb map --proof PROOF' has written; '-' is standard input.\n"
    "With --instance, the proof must be about the canonical instance in FILE.\n"
    "BYTES may end with K, M or G; the default is 4G.\n"
    "Exit codes: 0 accepted, 1 refused, 2 bad usage, or a limit was reached before either.\n";
constexpr const char* kOutOfTime = "pimbb-check: not checked: the time limit is reached\n";

extern "C" void out_of_time(int /*signal*/) {
  const auto written = write(STDERR_FILENO, kOutOfTime, std::strlen(kOutOfTime));
  _exit(written < 0 ? 3 : 2);
}

void limit_time(double seconds) {
  std::signal(SIGALRM, out_of_time);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(std::fmod(seconds, 1.0) * 1e6) + 1;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PIMBB_CHECK_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PIMBB_CHECK_SANITIZED
#endif
#endif

/// Sanitizers reserve more than any limit before the program begins.
void limit_memory([[maybe_unused]] std::uint64_t bytes) {
#ifndef PIMBB_CHECK_SANITIZED
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_DATA, &limit);
#endif
}

/// A number above 0 with one of the `units`, or nothing.
std::optional<double> number(const char* text, const char* units) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || !(value > 0) || value > 1e15) return std::nullopt;
  if (*end == '\0') return value;
  const char* const unit = std::strchr(units, *end);
  if (unit == nullptr || end[1] != '\0') return std::nullopt;
  return value * std::pow(1024, unit - units + 1);
}

int print(const pimbb_check::Report& report, double seconds) {
  if (report.out_of_memory) {
    std::fprintf(stderr, "pimbb-check: not checked: %s\n", report.reason.c_str());
    return 2;
  }
  if (!report.accepted) {
    std::printf("refused: %s\n", report.reason.c_str());
    return 1;
  }
  std::string optimum;
  for (const auto& [goal, value] : report.optimum) {
    optimum += (optimum.empty() ? "" : ", ") + goal + " " + value;
  }
  const auto leaves = report.leaves();
  std::printf("proof accepted: optimum = %s\n",
              optimum.empty() ? "none, infeasible" : optimum.c_str());
  std::printf(
      "%ju leaves: %ju by bound, %ju by an earlier goal, %ju evaluated, %ju overflows, 0 assumed\n",
      static_cast<std::uintmax_t>(leaves), static_cast<std::uintmax_t>(report.by_bound),
      static_cast<std::uintmax_t>(report.by_cap), static_cast<std::uintmax_t>(report.evaluated),
      static_cast<std::uintmax_t>(report.overflows));
  std::printf("%ju inner nodes, %.1f bytes a leaf, %.6f s\n",
              static_cast<std::uintmax_t>(report.inner_nodes),
              static_cast<double>(report.bytes) / static_cast<double>(leaves), seconds);
  return 0;
}

int bad_usage(const std::string& why) {
  std::fprintf(stderr, "pimbb-check: %s\n%s", why.c_str(), kUsage);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<std::string> path;
  std::optional<std::string> instance;
  double time_limit = 0;
  double memory_limit = 4.0 * 1024 * 1024 * 1024;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help") return std::fputs(kUsage, stdout) < 0 ? 2 : 0;
    if (word == "--instance") {
      if (++i == argc) return bad_usage("--instance: a file is wanted");
      std::ifstream file(argv[i], std::ios::binary);
      instance.emplace(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
      if (!file) return bad_usage(std::string("--instance: cannot read '") + argv[i] + "'");
      if (instance->ends_with('\n')) instance->pop_back();
    } else if (word == "--time-limit" || word == "--memory-limit") {
      const bool time = word == "--time-limit";
      const auto limit = ++i < argc ? number(argv[i], time ? "" : "KMG") : std::nullopt;
      if (!limit) {
        return bad_usage(word + ": found '" + (i < argc ? argv[i] : "") + "', allowed are " +
                         (time ? "seconds above 0" : "bytes above 0, such as 512M"));
      }
      (time ? time_limit : memory_limit) = *limit;
    } else if (path || (word.size() > 1 && word[0] == '-')) {
      return bad_usage("found '" + word +
                       "', allowed are one proof, --instance, --time-limit and --memory-limit");
    } else {
      path = word;
    }
  }
  if (!path) return bad_usage("a proof is wanted");
  limit_memory(static_cast<std::uint64_t>(memory_limit));
  if (time_limit > 0) limit_time(time_limit);
  const auto begin = std::chrono::steady_clock::now();
  std::ifstream file;
  if (*path != "-") {
    file.open(*path, std::ios::binary);
    if (!file) return bad_usage("cannot read '" + *path + "'");
  }
  const auto report = pimbb_check::check(*path == "-" ? std::cin : file, instance);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return print(report, seconds.count());
}
