// Edit distance with neighbour swaps (optimal string alignment), by three rows of its table.
#include "files/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace pimbb::files {
namespace {

/// Longer words are not compared: no known name has this length.
constexpr std::size_t kLongestWord = 64;
constexpr std::size_t kShortestPart = 3;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

/// The first known word that begins with a part of it, or nothing.
std::string_view beginning_with(std::string_view part, std::span<const std::string_view> known) {
  if (part.size() < kShortestPart) return {};
  for (const std::string_view candidate : known) {
    if (candidate.starts_with(part)) return candidate;
  }
  return {};
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  if (word.size() > kLongestWord) return best;
  std::size_t least = kLongestWord;
  for (const std::string_view candidate : known) {
    // Up to a third of the letters, and in a word of one letter only its case, can be wrong.
    const std::size_t length = std::max(word.size(), candidate.size());
    const std::size_t limit = candidate.size() < 2 ? 0 : std::max<std::size_t>(1, length / 3);
    const std::size_t distance = edits(word, candidate);
    if (distance > limit || distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best.empty() ? beginning_with(word, known) : best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view meant = nearest(word, known);
  return meant.empty() ? std::string() : " (did you mean '" + std::string(meant) + "'?)";
}

std::string join(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

}  // namespace pimbb::files
