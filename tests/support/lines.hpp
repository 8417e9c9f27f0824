// Documents as lists of lines, for tests that change one.
#pragma once

#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace testkit {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The same as one text, each line with its newline.
inline std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Calls `refuses` with the lines after one of them, every `stride`-th, was removed, repeated, cut
/// off with all that follow, exchanged with its mirror image, or replaced by each of the records.
template <class Refuses>
void for_each_forgery(const std::vector<std::string>& lines, std::size_t stride,
                      const std::vector<std::string>& records, const Refuses& refuses) {
  for (std::size_t k = 0; k < lines.size(); k += stride) {
    std::vector<std::string> changed = lines;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(k));
    refuses(changed);
    changed = lines;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(k), lines[k]);
    refuses(changed);
    changed = lines;
    changed.resize(k);
    refuses(changed);
    changed = lines;
    std::swap(changed[k], changed[lines.size() - 1 - k]);
    refuses(changed);
    for (const std::string& record : records) {
      changed = lines;
      changed[k] = record;
      refuses(changed);
    }
  }
}

}  // namespace testkit
