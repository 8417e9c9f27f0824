// Escape codes, bars, and the questions to ask of the environment.
#include "terminal/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace pimbb::terminal {
namespace {

/// Value of an environment variable, empty if unset.
std::string_view env(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool locale_is_utf8() {
  // The first of the three that is set decides, as in setlocale(3); asking the environment also
  // works where the locale's own files are not installed.
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (env(variable).empty()) continue;
    std::string value(env(variable));
    std::ranges::transform(value, value.begin(), [](unsigned char c) { return std::tolower(c); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

std::size_t columns_of(int file) {
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

bool dumb_terminal() { return env("TERM") == "dumb"; }

}  // namespace

std::string Style::paint(std::string_view code, std::string_view text) const {
  if (!colour || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string Style::bar(double share, std::size_t width) const {
  // Glyphs of a cell from nearly empty to full: eighths in Unicode, halves in ASCII.
  static const std::vector<std::string_view> eighths{"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
  static const std::vector<std::string_view> halves{"-", "#"};
  const auto& glyphs = unicode ? eighths : halves;
  const auto steps = static_cast<double>(width * glyphs.size());
  double filled = 0;
  if (share >= 1) {
    filled = steps;
  } else if (share > 0) {
    filled = std::clamp(std::round(share * steps), 1.0, steps - 1);
  }
  const auto units = static_cast<std::size_t>(filled);
  std::string out;
  for (std::size_t cell = 0; cell < units / glyphs.size(); ++cell) out += glyphs.back();
  const std::size_t rest = units % glyphs.size();
  if (rest > 0) out += glyphs[rest - 1];
  const std::size_t used = units / glyphs.size() + (rest > 0 ? 1 : 0);
  return accent(out) + std::string(width - used, ' ');
}

Style style_of_stdout(bool ascii, bool wide) {
  Style style;
  style.colour = stdout_is_terminal() && env("NO_COLOR").empty() && !dumb_terminal();
  style.unicode = !ascii && locale_is_utf8();
  if (!wide) style.table_width = stdout_columns();
  return style;
}

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

bool stderr_is_terminal() { return isatty(STDERR_FILENO) != 0 && !dumb_terminal(); }

std::size_t stdout_columns() { return columns_of(STDOUT_FILENO); }
std::size_t stderr_columns() { return columns_of(STDERR_FILENO); }

}  // namespace pimbb::terminal
