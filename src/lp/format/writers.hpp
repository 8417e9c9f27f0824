// The writers of the two formats (program_file.hpp), and what they share.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "lp/format/mixed_integer_program.hpp"

namespace pimbb::lp {

std::string free_mps(const MixedIntegerProgram& program);
std::string cplex_lp(const MixedIntegerProgram& program);

using TextBuffer = fmt::memory_buffer;

template <class... Args>
void print(TextBuffer& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// The remarks of a program, each as a comment line that begins with `mark`.
void print_remarks(TextBuffer& out, const MixedIntegerProgram& program, std::string_view mark);

/// The decimal text of a number, which a reader turns into the same number. Throws
/// std::invalid_argument if there is none.
std::string decimal_text(const Rational& value);
/// The same for a finite bound, which also must not be so large that it is read as infinite.
std::string bound_text(const Rational& value);

/// Throws std::invalid_argument if a name occurs twice or is not `valid`.
void check_names(std::vector<std::string_view> names, bool (*valid)(std::string_view));

}  // namespace pimbb::lp
