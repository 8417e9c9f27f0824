// Tops of bounds, and paddings as texts of options.
#include "pimbb/padding.hpp"

#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "exact/rational_impl.hpp"
#include "files/name_list.hpp"
#include "layers/read_padding.hpp"
#include "pimbb/error.hpp"

namespace pimbb {
namespace {

constexpr std::string_view kGrowths = "integers >= 0 and per cents such as 12.5%";

[[noreturn]] void refuse(std::string_view what, std::string_view found, std::string_view allowed) {
  throw InputError(std::string(what) + ": found '" + std::string(found) + "', allowed are " +
                   std::string(allowed));
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma - begin));
    if (comma == std::string_view::npos) return parts;
    begin = comma + 1;
  }
}

Growth parsed(std::string_view text, std::string_view what) {
  const auto growth = layers::parse_growth(text);
  if (!growth) refuse(what, text, kGrowths);
  return *growth;
}

}  // namespace

std::int64_t Growth::top(std::int64_t bound) const {
  using boost::multiprecision::cpp_int;
  const Rational more = relative ? amount * Rational(bound) / 100 : amount;
  const auto value = more.impl().value;
  const cpp_int top = bound + numerator(value) / denominator(value);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return top > kMost ? kMost : top.convert_to<std::int64_t>();
}

Padding Padding::all(const Growth& growth) {
  Padding padding;
  padding.growth.fill(growth);
  padding.single_group = true;
  return padding;
}

Padding Padding::parse(std::string_view text, std::string_view what) {
  if (text.find('=') == std::string_view::npos && text.find(',') == std::string_view::npos) {
    return all(parsed(text, what));
  }
  Padding padding;
  std::set<std::size_t> named;
  for (const std::string_view part : parts_of(text)) {
    const std::size_t equal = part.find('=');
    if (equal == std::string_view::npos) {
      refuse(what, part, "one growth for all dimensions, or DIM=GROWTH,... such as P=2,K=12.5%");
    }
    const std::size_t j = files::parse_names(what, part.substr(0, equal), kDimNames).front();
    if (!named.insert(j).second) {
      refuse(what, text, "each dimension once; " + std::string(kDimNames[j]) + " is there twice");
    }
    padding.growth[j] = parsed(part.substr(equal + 1), what);
  }
  return padding;
}

Factors Padding::tops(const Factors& bounds) const {
  Factors tops = bounds;
  for (const Dim d : kAllDims) tops[index(d)] = top(d, bounds[index(d)]);
  return tops;
}

namespace layers {

std::optional<Growth> parse_growth(std::string_view text) {
  Growth growth;
  if (text.ends_with('%')) {
    growth.relative = true;
    text.remove_suffix(1);
  }
  if (text.find('/') != std::string_view::npos) return std::nullopt;
  try {
    growth.amount = Rational::parse(text);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  if (growth.amount.sign() < 0 || (!growth.relative && !growth.amount.is_integer())) {
    return std::nullopt;
  }
  return growth;
}

Padding read_padding(const files::Value& value) {
  const auto growth_of = [](const files::Value& entry) {
    const auto growth = parse_growth(entry.text(kGrowths));
    if (!growth) entry.fail(entry.found(), kGrowths);
    return *growth;
  };
  if (!value.is_map()) return Padding::all(growth_of(value));
  const files::Object object = value.object(kDimNames);
  Padding padding;
  for (const Dim d : kAllDims) {
    if (const auto entry = object.find(name(d))) padding.growth[index(d)] = growth_of(*entry);
  }
  return padding;
}

}  // namespace layers
}  // namespace pimbb
