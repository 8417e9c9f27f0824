// Reading the environment and writing lines. Empty unless the log is compiled in.
#include "run/debug_log.hpp"

#ifdef PIMBB_DEBUG_LOG

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

namespace pimbb::run {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string digits(UInt128 value) {
  std::string text;
  do {
    text.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  std::ranges::reverse(text);
  return text;
}

}  // namespace

bool is_logged(std::string_view room) {
  static const std::string kRooms = "," + environment("PIMBB_LOG") + ",";
  return kRooms == ",all," || kRooms.find("," + std::string(room) + ",") != std::string::npos;
}

void write_log_line(std::string_view room, const std::string& text) {
  const std::string line = "LOG " + std::string(room) + " " + text + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);  // one call: locked by the C library
}

std::uint64_t next_log_number(std::string_view room) {
  static std::mutex mutex;
  static std::map<std::string, std::uint64_t, std::less<>> counts;
  const std::lock_guard lock(mutex);
  return ++counts[std::string(room)];
}

std::string log_text_of(const Wide& value) {
  if (value == Wide::infinity()) return "infinity";
  return value.high == 0 ? digits(value.low) : log_text_of(value.to_double());
}

std::string log_text_of(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

std::string log_text_of(Int128 value) {
  return value < 0 ? "-" + digits(-static_cast<UInt128>(value))
                   : digits(static_cast<UInt128>(value));
}

}  // namespace pimbb::run

#endif
