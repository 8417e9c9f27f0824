// Cutting a line of MPS into its fields.
#include "lp/format/mps_fields.hpp"

#include <array>

namespace pimbb::lp {
namespace {

constexpr std::string_view kBlank = " \t\r\f\v";
constexpr std::size_t kUsual = 6;  // fields

struct Span {
  std::size_t begin;
  std::size_t size;
};
constexpr std::array<Span, 6> kSpans{{{1, 2}, {4, 8}, {14, 8}, {24, 12}, {39, 8}, {49, 12}}};

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

std::string_view mps_beside_fixed_fields(std::string_view line) {
  for (std::size_t k = 0; k < kSpans.size(); ++k) {
    const std::size_t begin = kSpans[k].begin + kSpans[k].size;
    if (begin >= line.size()) break;
    const std::size_t size = k + 1 < kSpans.size() ? kSpans[k + 1].begin - begin : 1;
    const std::size_t first = line.substr(begin, size).find_first_not_of(kBlank);
    if (first == std::string_view::npos) continue;
    const std::string_view rest = line.substr(begin + first);
    return rest.substr(0, rest.find_first_of(kBlank));
  }
  return {};
}

}  // namespace pimbb::lp
