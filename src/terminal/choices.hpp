// What may stand where an option's value goes: words to choose from, files by their extensions.
//
// Completions and reference pages are made of it. The words come from the lists that options are
// checked against, so that nothing is offered that is refused.
#pragma once

#include <string>
#include <vector>

namespace pimbb::terminal {

struct Choices {
  std::vector<std::string> words = {};
  bool list = false;                    ///< several words, separated by commas, are a value as well
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
