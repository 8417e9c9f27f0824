#include "report/value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "pimbb/error.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::report {

std::string Value::place(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void Value::refuse(std::string_view expected) const {
  throw InputError(fmt::format("{}: key '{}': found {}, expected {}", *file_,
                               path_.empty() ? "(the document)" : path_, json_->type_name(),
                               expected));
}

Value Value::at(std::string_view key) const {
  if (!json_->is_object()) refuse("an object");
  const auto found = json_->find(std::string(key));
  if (found == json_->end()) {
    throw InputError(fmt::format(
        "{}: key '{}' is missing; results of this version of pimbb have it", *file_, place(key)));
  }
  return {*found, *file_, place(key)};
}

Value Value::at(std::size_t i) const {
  if (!json_->is_array() || i >= json_->size()) refuse(fmt::format("a list of {} or more", i + 1));
  return {(*json_)[i], *file_, fmt::format("{}[{}]", path_, i)};
}

std::vector<std::pair<std::string, Value>> Value::members() const {
  if (!json_->is_object()) refuse("an object");
  std::vector<std::pair<std::string, Value>> all;
  for (const auto& [key, json] : json_->items()) {
    all.emplace_back(key, Value(json, *file_, place(key)));
  }
  return all;
}

std::vector<Value> Value::elements() const {
  if (!json_->is_array()) refuse("a list");
  std::vector<Value> all;
  for (std::size_t i = 0; i < json_->size(); ++i) all.push_back(at(i));
  return all;
}

bool Value::has(std::string_view key) const {
  if (!json_->is_object()) return false;
  const auto found = json_->find(std::string(key));
  return found != json_->end() && !found->is_null();
}

std::string Value::text_or(std::string_view key, const std::string& otherwise) const {
  return has(key) ? at(key).text() : otherwise;
}

std::string Value::text() const {
  if (!json_->is_string()) refuse("a text");
  return json_->get<std::string>();
}

double Value::number() const {
  if (!json_->is_number()) refuse("a number");
  return json_->get<double>();
}

double Value::number_or_fraction() const {
  if (json_->is_number()) return number();
  try {
    return Rational::parse(text()).to_double();
  } catch (const std::invalid_argument&) {
  } catch (const std::domain_error&) {  // a denominator of 0
  }
  refuse("a number or a fraction");
}

std::int64_t Value::integer(std::int64_t least, std::int64_t most) const {
  const double value = number();
  const bool in_range = value >= static_cast<double>(least) && value <= static_cast<double>(most);
  if (!in_range || value != std::floor(value)) {
    refuse(fmt::format("an integer {} .. {}", least, most));
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace pimbb::report
