// The printer: a container goes on one line if it fits there, else one line per entry.
#include "files/json_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace pimbb::files {
namespace {

constexpr std::size_t kLineLength = 100;
constexpr std::size_t kIndent = 2;

std::string quote(const std::string& text) {
  // Names come from files that were checked to be UTF-8, or from a program that embeds us.
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string scalar(const Json& value) {
  if (value.is_string()) return quote(value.get_ref<const std::string&>());
  if (!value.is_number_float()) return value.dump();
  const double number = value.get<double>();
  return std::isfinite(number) ? fmt::format("{}", number) : "null";  // JSON knows no infinity
}

/// Appends `value` on one line, unless `text` becomes longer than `most`: then false, and `text`
/// has only part of it.
bool append_line(const Json& value, std::size_t most, std::string& text) {
  if (!value.is_structured()) {
    text += scalar(value);
    return text.size() <= most;
  }
  text += value.is_array() ? '[' : '{';
  const char* separator = "";
  for (auto item = value.begin(); item != value.end(); ++item) {
    text += separator;
    if (value.is_object()) text += quote(item.key()) + ": ";
    if (!append_line(*item, most, text)) return false;
    separator = ", ";
  }
  text += value.is_array() ? ']' : '}';
  return text.size() <= most;
}

/// Appends `value`; the line it starts on already has `column` characters, and one more follows.
void print(const Json& value, std::size_t depth, std::size_t column, std::string& out) {
  if (!value.is_structured() || value.empty()) {
    append_line(value, std::string::npos, out);
    return;
  }
  std::string line;
  if (depth > 0 && column < kLineLength && append_line(value, kLineLength - column - 1, line)) {
    out += line;
    return;
  }
  const std::string indent((depth + 1) * kIndent, ' ');
  out += value.is_array() ? '[' : '{';
  const char* separator = "\n";
  for (auto item = value.begin(); item != value.end(); ++item) {
    const std::string key = value.is_object() ? quote(item.key()) + ": " : "";
    out += separator + indent + key;
    print(*item, depth + 1, indent.size() + key.size(), out);
    separator = ",\n";
  }
  out += '\n' + std::string(depth * kIndent, ' ') + (value.is_array() ? ']' : '}');
}

}  // namespace

std::string to_text(const Json& document) {
  std::string text;
  print(document, 0, 0, text);
  return text + '\n';
}

Json exact_number(const Rational& value) {
  const double nearest = value.to_double();
  if (std::isfinite(nearest) && Rational::parse(fmt::format("{}", nearest)) == value) {
    return nearest;
  }
  std::string fraction = value.to_string();
  return fraction.find('/') == std::string::npos ? fraction + "/1" : fraction;
}

}  // namespace pimbb::files
