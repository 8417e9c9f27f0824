// Lines of letters.
#include "crossbar/cli/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "terminal/bars.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"

namespace pimbb::crossbar::cli {
namespace {

constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr char kUnused = '.';
constexpr std::int64_t kLettersInLine = 64;
constexpr std::size_t kShortPicture = 24;  // lines

/// The node of the first crossbar that a letter stands for.
std::string letters_of(const Architecture& a, const Partition& p, const std::vector<Share>& core) {
  const std::int64_t each = (a.core.crossbars + kLettersInLine - 1) / kLettersInLine;
  std::string line;
  std::int64_t end = 0;  // crossbars that are drawn or skipped
  const auto fill = [&](std::int64_t to, char with) {
    end = to;
    while (static_cast<std::int64_t>(line.size()) * each < end) line += with;
  };
  for (const Share& share : core) {
    fill(end + p.arrays[share.array].width * share.groups, letter(share.array));
  }
  fill(a.core.crossbars, kUnused);
  return line;
}

std::string cores_text(std::size_t first, std::size_t last) {
  return first == last ? fmt::format("core {}", first) : fmt::format("core {}-{}", first, last);
}

}  // namespace

char letter(std::size_t array) { return kLetters[array % kLetters.size()]; }

std::string picture(const Style& style, const Architecture& a, const Partition& p,
                    const Mapping& mapping) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (std::size_t first = 0; first < mapping.cores.size();) {
    std::size_t last = first;
    while (last + 1 < mapping.cores.size() && mapping.cores[last + 1] == mapping.cores[first]) {
      ++last;
    }
    lines.emplace_back(cores_text(first, last), letters_of(a, p, mapping.cores[first]));
    first = last + 1;
  }
  const bool all = style.table_width == Style::kAnyWidth;
  const std::size_t shown = all ? lines.size() : std::min(lines.size(), kShortPicture);
  std::size_t width = 0;
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, lines[i].first.size());
  const std::int64_t each = (a.core.crossbars + kLettersInLine - 1) / kLettersInLine;
  std::string text = section(
      style, "Cores",
      each == 1 ? "a letter for each crossbar" : fmt::format("a letter for {} crossbars", each));
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("  {}  {}\n", pad_right(lines[i].first, width), lines[i].second);
  }
  if (shown < lines.size()) {
    text += style.faint(
                fmt::format("--wide also shows {}",
                            plural(static_cast<std::int64_t>(lines.size() - shown), "more line"))) +
            "\n";
  }
  return text;
}

}  // namespace pimbb::crossbar::cli
