// Rounding and separators; see format.hpp.
#include "terminal/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pimbb::terminal {
namespace {

/// Fixed decimals without the zeros at the end: ("2.500", ) -> "2.5".
std::string trimmed(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string thousands(std::string_view digits) {
  const std::size_t sign = !digits.empty() && (digits.front() == '-') ? 1 : 0;
  const std::size_t end = std::min(digits.find_first_not_of("0123456789", sign), digits.size());
  std::string out(digits.substr(0, sign));
  for (std::size_t i = sign; i < end; ++i) {
    if (i > sign && (end - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out += digits.substr(end);
}

std::string number(const Rational& value) {
  return value.is_integer() ? thousands(value.to_string()) : number(value.to_double());
}

std::string number(double value) {
  const double magnitude = std::abs(value);
  if (!std::isfinite(value) || magnitude >= 1e18) return fmt::format("{:.4g}", value);
  if (magnitude >= 1000) return thousands(trimmed(fmt::format("{:.1f}", value)));
  if (magnitude >= 1) return trimmed(fmt::format("{:.3f}", value));
  return fmt::format("{:.4g}", value);
}

std::string number(std::int64_t value) { return thousands(std::to_string(value)); }

std::string percent(const Rational& share) {
  if (share.sign() == 0) return "0 %";
  const double value = 100 * share.to_double();
  if (value < 0.1) return "< 0.1 %";
  if (share == Rational(1)) return "100 %";
  if (share < Rational(1)) return fmt::format("{:.1f} %", std::min(value, 99.9));
  return fmt::format("{:.1f} %", value);
}

std::string signed_percent(const Rational& share) {
  if (share.sign() == 0) return "0";
  const double change = 100 * share.to_double();
  return fmt::format("{}{:.3g} %", change > 0 ? "+" : "-", std::abs(change));
}

std::string gap(const Rational& gap) {
  if (gap.sign() == 0) return "gap 0";
  const double value = 100 * gap.to_double();
  if (value < 0.01) return "gap < 0.01 %";
  if (value > 99.9 && gap < Rational(1)) return "gap > 99.9 %";
  return fmt::format(
      "gap {} %", trimmed(value < 1 ? fmt::format("{:.2f}", value) : fmt::format("{:.1f}", value)));
}

std::string bytes(std::int64_t value) {
  for (const auto& [size, name] :
       {std::pair{std::int64_t{1} << 30, "GiB"}, std::pair{std::int64_t{1} << 20, "MiB"},
        std::pair{std::int64_t{1} << 10, "KiB"}}) {
    if (value >= size && value % size == 0) return number(value / size) + " " + name;
  }
  return number(value) + " B";
}

std::string duration(double seconds) {
  if (seconds < 1) return fmt::format("{:.3f} s", seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", number(whole / 3600), whole % 3600 / 60);
}

std::string shape(const Workload& w) {
  std::string out;
  for (const Dim d : kAllDims) {
    if (w.bound(d) > 1) out += fmt::format("{}{}{}", out.empty() ? "" : " ", name(d), w.bound(d));
  }
  if (out.empty()) out = "1";
  const auto pair = [&](const char* mark, std::int64_t x, std::int64_t y) {
    if (x == 1 && y == 1) return;
    out += x == y ? fmt::format(" {}{}", mark, x) : fmt::format(" {}{}x{}", mark, x, y);
  };
  pair("/", w.stride_w, w.stride_h);
  pair("dilated ", w.dilation_w, w.dilation_h);
  return out;
}

std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return out;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size() - 1);
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
      ++count;
    }
  }
  return count;
}

std::string pad_right(std::string text, std::size_t width) {
  const std::size_t used = columns(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string pad_left(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}

}  // namespace pimbb::terminal
