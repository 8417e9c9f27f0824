// The possible values of an option: words to choose from, files by their extensions.
//
// Completions and reference pages are generated from them. The words come from the lists against
// which option values are checked, so every completion is accepted.
#pragma once

#include <string>
#include <vector>

namespace pimbb::terminal {

struct Choices {
  std::vector<std::string> words = {};
  bool list = false;                    ///< a value may have several words, separated by commas
  std::vector<std::string> files = {};  ///< extensions such as "yaml"; "*" for any file

  [[nodiscard]] bool empty() const { return words.empty() && files.empty(); }
  friend bool operator==(const Choices&, const Choices&) = default;
};

/// One of `names`.
template <class Names>
Choices one_of(const Names& names) {
  return {.words = {names.begin(), names.end()}};
}
/// One or more of `names`, separated by commas.
template <class Names>
Choices list_of(const Names& names) {
  return {.words = {names.begin(), names.end()}, .list = true};
}
inline Choices any_file() { return {.files = {"*"}}; }

}  // namespace pimbb::terminal
