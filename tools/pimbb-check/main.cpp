// pimbb-check: is a proof of optimality right? Accepts or refuses; trusts nothing of the solver.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "check.hpp"

namespace {

constexpr const char* kUsage =
    "Usage: pimbb-check PROOF [--instance FILE]\n"
    "Checks a proof that 'pimbb map --proof PROOF' has written; '-' is standard input.\n"
    "With --instance, the proof must be about the canonical instance in FILE.\n"
    "Exit codes: 0 accepted, 1 refused, 2 bad usage or a file that cannot be read.\n";

int print(const pimbb_check::Report& report, double seconds) {
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
  std::printf("%s\n", report.problem.c_str());
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

int bad_usage(const std::string& why) {
  std::fprintf(stderr, "pimbb-check: %s\n%s", why.c_str(), kUsage);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<std::string> path;
  std::optional<std::string> instance;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help") return std::fputs(kUsage, stdout) < 0 ? 2 : 0;
    if (word == "--instance") {
      if (++i == argc) return bad_usage("--instance: a file is wanted");
      instance = contents(argv[i]);
      if (!instance) return bad_usage(std::string("--instance: cannot read '") + argv[i] + "'");
      if (instance->ends_with('\n')) instance->pop_back();
    } else if (path || (word.size() > 1 && word[0] == '-')) {
      return bad_usage("found '" + word + "', allowed are one proof and --instance FILE");
    } else {
      path = word;
    }
  }
  if (!path) return bad_usage("a proof is wanted");
  const auto begin = std::chrono::steady_clock::now();
  std::ifstream file;
  if (*path != "-") {
    file.open(*path, std::ios::binary);
    if (!file) return bad_usage("cannot read '" + *path + "'");
  }
  std::istream& proof = *path == "-" ? std::cin : file;
  const auto report = pimbb_check::check(proof, instance);
  if (proof.bad()) return bad_usage("cannot read '" + *path + "'");  // a directory, a broken disk
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return print(report, seconds.count());
}
