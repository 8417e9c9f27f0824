// Capabilities of the terminal: colour, Unicode, width.
#pragma once

#include <string>
#include <string_view>

namespace pimbb::terminal {

/// Formats text for an output that may or may not support colour and Unicode. Without both, the
/// text remains unchanged, so reports are composed in one way only.
struct Style {
  static constexpr std::size_t kAnyWidth = std::string::npos;

  bool colour = false;
  bool unicode = false;
  std::size_t table_width = kAnyWidth;  ///< columns that a table may take

  [[nodiscard]] std::string heading(std::string_view text) const { return paint("1", text); }
  [[nodiscard]] std::string faint(std::string_view text) const { return paint("2", text); }
  [[nodiscard]] std::string good(std::string_view text) const { return paint("1;32", text); }
  [[nodiscard]] std::string warning(std::string_view text) const { return paint("1;33", text); }
  [[nodiscard]] std::string bad(std::string_view text) const { return paint("1;31", text); }
  [[nodiscard]] std::string accent(std::string_view text) const { return paint("36", text); }

  /// A bar of exactly `width` columns, of which `share` (clamped to 0 .. 1) is filled. Every share
  /// above 0 is visible, and only a share of 1 fills the bar.
  [[nodiscard]] std::string bar(double share, std::size_t width) const;

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const;
};

/// The style of standard output: colour on a terminal unless NO_COLOR is set, Unicode if the locale
/// (LC_ALL, LC_CTYPE or LANG) is UTF-8 and `ascii` is false, tables as wide as the terminal unless
/// `wide`.
Style style_of_stdout(bool ascii, bool wide);

/// Whether standard output goes to a screen.
bool stdout_is_terminal();
/// Whether standard error is a terminal that can rewrite a line in place.
bool stderr_is_terminal();
/// Columns of the terminal at standard output or standard error; 80 if it is none, or unknown.
std::size_t stdout_columns();
std::size_t stderr_columns();

}  // namespace pimbb::terminal
