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

#include "check.hpp"

namespace {

constexpr const char* kUsage =
    "Usage: pimbb-check PROOF [--instance FILE] [--time-limit SECONDS] [--memory-limit BYTES]\n"
    "Checks a proof that 'pimbb map --proof PROOF' has written, of a layer on one unit, padded or\n"
    "on a whole device, or of any other accelerator, or the proof of a front that\n"
    "'pimbb pareto --proof PROOF' has written; '-' is standard input.\n"
    "With --instance, the proof must be about the canonical instance in FILE.\n"
    "BYTES may end with K, M or G; the default is 4G.\n"
    "Exit codes: 0 accepted, 1 refused, 2 bad usage, a file that cannot be read, or a limit.\n";
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
  if (optimum.empty()) optimum = "none, infeasible";
  const std::string claim = (report.bound.empty() ? "optimum = " : "mapping = ") + optimum;
  std::printf("proof accepted: %s\n", report.claim.empty() ? claim.c_str() : report.claim.c_str());
  if (!report.bound.empty()) std::printf("no mapping is below %s\n", report.bound.c_str());
  std::printf("%s\n", report.problem.c_str());
  if (!report.details.empty()) {
    for (const std::string& line : report.details) std::printf("%s\n", line.c_str());
    std::printf("%ju bytes, %.6f s\n", static_cast<std::uintmax_t>(report.bytes), seconds);
    return 0;
  }
  const auto leaves = report.leaves();
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

/// The whole file; nothing if it cannot be read.
std::optional<std::string> contents(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::string piece(std::size_t{1} << 16, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    text.append(piece, 0, static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() || file.bad()) return std::nullopt;
  return text;
}

/// What cannot be checked, with the reason; exit code 2.
struct BadUsage {
  std::string why;
};

struct Settings {
  bool help = false;
  std::optional<std::string> path;
  std::optional<std::string> instance;
  double time_limit = 0;  // seconds; 0: none
  double memory_limit = 4.0 * 1024 * 1024 * 1024;
};

double limit(const std::string& option, const char* value) {
  const bool time = option == "--time-limit";
  if (const auto limit = number(value, time ? "" : "KMG")) return *limit;
  throw BadUsage{option + ": found '" + value + "', allowed are " +
                 (time ? "seconds above 0" : "bytes above 0, such as 512M")};
}

std::string instance_in(const char* file) {
  auto instance = contents(file);
  if (!instance) throw BadUsage{std::string("--instance: cannot read '") + file + "'"};
  if (instance->ends_with('\n')) instance->pop_back();
  return *std::move(instance);
}

Settings settings_of(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (++i == argc) throw BadUsage{word + ": a value is required"};
      return argv[i];
    };
    if (word == "--help") {
      settings.help = true;
    } else if (word == "--instance") {
      settings.instance = instance_in(value());
    } else if (word == "--time-limit") {
      settings.time_limit = limit(word, value());
    } else if (word == "--memory-limit") {
      settings.memory_limit = limit(word, value());
    } else if (settings.path || (word.size() > 1 && word[0] == '-')) {
      throw BadUsage{"found '" + word +
                     "', allowed are one proof, --instance, --time-limit and --memory-limit"};
    } else {
      settings.path = word;
    }
  }
  if (!settings.help && !settings.path) throw BadUsage{"a proof is required"};
  return settings;
}

int check(const Settings& settings) {
  limit_memory(static_cast<std::uint64_t>(settings.memory_limit));
  if (settings.time_limit > 0) limit_time(settings.time_limit);
  const auto begin = std::chrono::steady_clock::now();
  const bool piped = *settings.path == "-";
  std::ifstream file;
  if (!piped) file.open(*settings.path, std::ios::binary);
  std::istream& proof = piped ? std::cin : file;
  if (!proof) throw BadUsage{"cannot read '" + *settings.path + "'"};
  const auto report = pimbb_check::check(proof, settings.instance);
  if (proof.bad()) throw BadUsage{"cannot read '" + *settings.path + "'"};  // such as a directory
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return print(report, seconds.count());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Settings settings = settings_of(argc, argv);
    if (settings.help) return std::fputs(kUsage, stdout) < 0 ? 2 : 0;
    return check(settings);
  } catch (const BadUsage& usage) {
    std::fprintf(stderr, "pimbb-check: %s\n%s", usage.why.c_str(), kUsage);
    return 2;
  }
}
