// Cutting a line of MPS into its fields.
#include "lp/format/mps_fields.hpp"

#include <array>

namespace pimbb::lp {
namespace {

constexpr std::string_view kBlank = " \t\r\f\v";
constexpr std::size_t kUsual = 6;  // fields

}  // namespace

bool is_mps_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

MpsFields mps_free_fields(std::string_view line) {
  MpsFields fields;
  fields.reserve(kUsual);
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_mps_blank(line[at])) ++at;
    if (at == line.size()) return fields;
    const std::size_t begin = at;
    while (at < line.size() && !is_mps_blank(line[at])) ++at;
    fields.push_back(line.substr(begin, at - begin));
  }
}

MpsFields mps_fixed_fields(std::string_view line) {
  struct Span {
    std::size_t begin;
    std::size_t size;
  };
  constexpr std::array<Span, 6> kSpans{{{1, 2}, {4, 8}, {14, 8}, {24, 12}, {39, 8}, {49, 12}}};
  MpsFields fields;
  for (const auto& [begin, size] : kSpans) {
    if (begin >= line.size()) break;
    std::string_view field = line.substr(begin, size);
    const std::size_t first = field.find_first_not_of(kBlank);
    if (first == std::string_view::npos) continue;
    field = field.substr(first, field.find_last_not_of(kBlank) - first + 1);
    fields.push_back(field);
  }
  return fields;
}

}  // namespace pimbb::lp
