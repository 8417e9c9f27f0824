// Reading files whole.
#include "files/source.hpp"

#include <cassert>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "pimbb/error.hpp"

namespace pimbb::files {
namespace {

/// Texts of pipes that were read in advance.
struct Kept {
  std::mutex mutex;
  std::map<std::string, std::string> texts;
};

/// Those of GivenTexts, of this thread; null: none.
thread_local const std::map<std::string, std::string>* given = nullptr;

const std::string* find_given(const std::string& path) {
  if (given == nullptr) return nullptr;
  const auto found = given->find(path);
  return found == given->end() ? nullptr : &found->second;
}

Kept& kept() {
  static Kept all;
  return all;
}

std::optional<std::string> take_kept(const std::string& path) {
  const std::lock_guard lock(kept().mutex);
  const auto found = kept().texts.find(path);
  if (found == kept().texts.end()) return std::nullopt;
  std::string text = std::move(found->second);
  kept().texts.erase(found);
  return text;
}

}  // namespace

GivenTexts::GivenTexts(std::map<std::string, std::string> by_name) : by_name_(std::move(by_name)) {
  assert(given == nullptr);
  given = &by_name_;
}

GivenTexts::~GivenTexts() { given = nullptr; }

bool path_exists(const std::string& path) {
  if (find_given(path) != nullptr) return true;
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

Source load_file(const std::string& path, std::size_t largest) {
  if (const std::string* text = find_given(path)) return {path, *text};
  if (auto text = take_kept(path)) return {path, std::move(*text)};
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(path + ": found a directory, allowed are files");
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path + ": the file cannot be opened: " + std::strerror(errno));
  std::string text;
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  const auto chunk =
      std::make_unique_for_overwrite<char[]>(kChunk);  // untouched pages cost nothing
  while (stream.read(chunk.get(), kChunk) || stream.gcount() > 0) {
    text.append(chunk.get(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > largest) {
      throw InputError(path + ": found more than " + std::to_string(largest >> 20) +
                       " MiB, allowed are files up to that size");
    }
  }
  if (stream.bad()) throw InputError(path + ": the file cannot be read: " + std::strerror(errno));
  return {path, std::move(text)};
}

Source peek_file(const std::string& path) {
  Source file = load_file(path);
  std::error_code ignored;
  if (find_given(path) == nullptr && !std::filesystem::is_regular_file(path, ignored)) {
    const std::lock_guard lock(kept().mutex);
    kept().texts[path] = file.text;
  }
  return file;
}

}  // namespace pimbb::files
