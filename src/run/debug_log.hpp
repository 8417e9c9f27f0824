// A log for debugging: what an algorithm does, step by step. Compiled out unless asked for.
//
//     PIMBB_LOG("lp", "dual iteration ", count, ": variable ", v, " leaves");
//     ->  LOG lp dual iteration 12: variable 7 leaves                              (on stderr)
//
// `meson configure BUILD -Ddebug_log=true` compiles it in. Otherwise the statement is discarded: it
// takes no time, its arguments are not evaluated, its texts are not in the binary; but it is still
// type-checked, so that it cannot become outdated. (The idea is CaDiCaL's LOG.)
//
// Compiled in, the environment says what is printed, by default nothing:
//
//     PIMBB_LOG=lp,search     the rooms to be followed, or "all"
//     PIMBB_LOG_NODE=17       one node of every branch and bound and its ancestors
//     (search/node_log.hpp); PIMBB_LOG_NODE=2:17     of the second one only
//
// A line is written as a whole, so that lines of several threads do not mix. Arguments are texts,
// integers (of 128 and 256 bits, too), doubles, and what has a member `debug_text()`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "exact/int128.hpp"

namespace pimbb::run {

#ifdef PIMBB_DEBUG_LOG
inline constexpr bool kDebugLog = true;
#else
inline constexpr bool kDebugLog = false;
#endif

/// Whether the environment asks for the lines of a room.
bool is_logged(std::string_view room);
void write_log_line(std::string_view room, const std::string& text);

/// Counts the objects of a room that appear in the log: 1, 2, 3, ... in the order of construction.
std::uint64_t next_log_number(std::string_view room);

/// The same, or 0 where the log is compiled out.
inline std::uint64_t log_number([[maybe_unused]] std::string_view room) {
  if constexpr (kDebugLog) {
    return next_log_number(room);
  } else {
    return 0;
  }
}

std::string log_text_of(const Wide& value);
std::string log_text_of(double value);
std::string log_text_of(Int128 value);

template <class Value>
void append_log_text(std::string& line, const Value& value) {
  if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
    line += std::string_view(value);
  } else if constexpr (requires { value.debug_text(); }) {
    line += value.debug_text();
  } else if constexpr (std::is_floating_point_v<Value> || std::is_same_v<Value, Wide>) {
    line += log_text_of(value);
  } else {
    line += log_text_of(Int128{value});
  }
}

template <class... Parts>
std::string log_text(const Parts&... parts) {
  std::string line;
  (append_log_text(line, parts), ...);
  return line;
}

}  // namespace pimbb::run

#define PIMBB_LOG(room, ...)                                                     \
  do {                                                                           \
    if constexpr (::pimbb::run::kDebugLog) {                                     \
      if (::pimbb::run::is_logged(room)) {                                       \
        ::pimbb::run::write_log_line(room, ::pimbb::run::log_text(__VA_ARGS__)); \
      }                                                                          \
    }                                                                            \
  } while (false)
