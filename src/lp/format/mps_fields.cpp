// Cutting a line of MPS into its fields.
#include "lp/format/mps_fields.hpp"

#include <algorithm>
#include <array>

namespace pimbb::lp {
namespace {

constexpr std::string_view kBlank = " \t\r\f\v";

}  // namespace

bool is_mps_blank(char c) { return kBlank.find(c) != std::string_view::npos; }

MpsFields mps_free_fields(std::string_view line) {
  MpsFields fields;
  for (std::size_t at = line.find_first_not_of(kBlank); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlank, end);
  }
  return fields;
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
