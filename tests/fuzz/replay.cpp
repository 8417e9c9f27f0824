// Runs a target on files, without libFuzzer: every finding is a test of every build.
//
//     fuzz_replay CORPUS [TARGET]...
//
// Folders of CORPUS are named after targets; without names, all of them are run.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> sorted(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// Whether there is such a target with a corpus.
bool replay(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const fuzz::Target* target = fuzz::find_target(name);
  if (target == nullptr || !fs::is_directory(folder)) {
    std::fprintf(stderr, "fuzz_replay: there is no target or no corpus '%s'\n", name.c_str());
    return false;
  }
  std::size_t files = 0;
  target->run({});
  for (const fs::path& path : sorted(folder)) {
    std::printf("%s\n", path.c_str());  // the last one is what ended the process
    std::fflush(stdout);
    target->run(contents(path));
    ++files;
  }
  std::printf("%s: %zu files\n", name.c_str(), files);
  return files > 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: fuzz_replay CORPUS [TARGET]...\n");
    return 2;
  }
  const fs::path corpus = argv[1];
  std::vector<fs::path> folders;
  for (int i = 2; i < argc; ++i) folders.push_back(corpus / argv[i]);
  if (folders.empty()) folders = sorted(corpus);
  bool all = true;
  for (const fs::path& folder : folders) all = replay(folder) && all;
  return all ? 0 : 1;
}
