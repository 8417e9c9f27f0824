// Names and products of sizes.
#include "layers/sizes.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <vector>

#include "files/nearest.hpp"
#include "pimbb/error.hpp"

namespace pimbb::layers {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(' ');
  if (from == std::string::npos) return "";
  return text.substr(from, text.find_last_not_of(' ') - from + 1);
}

}  // namespace

Sizes::Sizes(const files::Value& dims, const NetworkOptions& options) {
  const std::vector<std::string_view> names = dims.keys("maps of names to sizes");
  const files::Object object = dims.object(names);
  for (const std::string_view name : names) {
    const files::Value value = object[name];
    if (!is_name(name)) value.fail("this name", "letters, digits and '_', a letter in front");
    const auto given = options.dims.find(std::string(name));
    const std::int64_t otherwise = value.integer(1);
    values_.emplace(name, given == options.dims.end() ? otherwise : given->second);
  }
}

std::int64_t Sizes::read(const files::Value& value) const {
  if (values_.empty()) return value.integer(1);
  const std::string text = value.text("integers >= 1, names of dims, and products of them");
  if (text.find('*') == std::string::npos && !is_letter(text.front())) return value.integer(1);
  std::int64_t product = 1;
  std::istringstream factors(text);
  for (std::string each; std::getline(factors, each, '*');) {
    if (__builtin_mul_overflow(product, factor(value, trimmed(each)), &product)) {
      value.fail("'" + text + "', which is too large", "products below 2^63");
    }
  }
  return product;
}

std::int64_t Sizes::factor(const files::Value& value, const std::string& text) const {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 1) return number;
  const auto known = values_.find(text);
  if (known != values_.end()) return known->second;
  std::vector<std::string_view> names;
  for (const auto& [name, size] : values_) names.emplace_back(name);
  value.fail("the factor '" + text + "'" + files::did_you_mean(text, names),
             "integers >= 1 and the names of dims: " + files::join(names));
}

void Sizes::check_names(const NetworkOptions& options, const std::string& source) const {
  for (const auto& [name, size] : options.dims) {
    if (values_.contains(name)) continue;
    std::vector<std::string_view> names;
    for (const auto& [known, otherwise] : values_) names.emplace_back(known);
    throw InputError(source + ": --dim: found " + name + "=" + std::to_string(size) +
                     files::did_you_mean(name, names) + ", allowed are " +
                     (names.empty() ? "names of dims, of which this network has none"
                                    : "the names of dims: " + files::join(names)));
  }
}

}  // namespace pimbb::layers
