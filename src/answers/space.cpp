// Reading space files: every key checked, ranges written out as lists.
#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

#include "answers/grid.hpp"
#include "files/source.hpp"
#include "files/value.hpp"
#include "pimbb/error.hpp"
#include "pimbb/explore.hpp"

namespace pimbb {
namespace {

using answers::kMostPoints;
using files::Value;

/// The place without the ": " at its end, and the key.
std::string place_of(const Value& value, const std::string& key) { return value.prefix() + key; }

Rational number_of(const Value& value, std::string_view allowed) {
  try {
    return Rational::parse(value.text(allowed));
  } catch (const std::invalid_argument&) {
    value.fail(value.found(), allowed);
  }
}

/// A number as a YAML text: a decimal, or else a fraction.
std::string yaml_number(const Rational& value) {
  Rational scaled = value;
  std::size_t places = 0;
  for (; !scaled.is_integer() && places < 30; ++places) scaled *= 10;
  if (!scaled.is_integer()) return value.to_string();
  std::string digits = scaled.to_string();
  if (places == 0) return digits;
  const std::string sign = digits.front() == '-' ? "-" : "";
  digits.erase(0, sign.size());
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  return sign + digits.insert(digits.size() - places, ".");
}

/// {from: 64, to: 1024, times: 2} or {from: 64, to: 1024, step: 32}; `to` is included if it is met.
std::vector<std::string> range_values(const Value& value) {
  static constexpr std::array<std::string_view, 4> kKeys{"from", "to", "times", "step"};
  const files::Object object = value.object(kKeys);
  const Rational from = number_of(object["from"], "numbers");
  const Value to_value = object["to"];
  const Rational to = number_of(to_value, "numbers");
  const auto times = object.find("times");
  const auto step = object.find("step");
  if (times.has_value() == step.has_value()) {
    value.fail(times ? "times and step" : "neither times nor step", "one of the two");
  }
  const Rational by = times ? number_of(*times, "numbers > 1") : number_of(*step, "numbers > 0");
  if (times && by <= Rational(1)) times->fail(times->found(), "numbers > 1");
  if (step && by.sign() <= 0) step->fail(step->found(), "numbers > 0");
  if (times && from.sign() <= 0) object["from"].fail(object["from"].found(), "numbers > 0");
  if (to < from) to_value.fail(to_value.found(), "numbers >= from, " + from.to_string());
  const auto too_many = [&] {
    value.fail("more than " + std::to_string(kMostPoints) + " values", "fewer");
  };
  if (step && (to - from) / by >= Rational(std::int64_t{kMostPoints})) too_many();
  std::vector<std::string> values;
  for (Rational next = from; next <= to; next = times ? next * by : next + by) {
    if (values.size() == kMostPoints) too_many();
    values.push_back(yaml_number(next));
  }
  return values;
}

std::vector<std::string> listed_values(const Value& value) {
  static constexpr const char* kAllowed = "lists of values, {from, to, times} and {from, to, step}";
  std::vector<std::string> values;
  for (const Value& item : value.list(kAllowed)) {
    const std::string text = item.text("numbers and words");
    if (std::ranges::count(values, text) > 0) item.fail("a value twice: " + text, "each once");
    values.push_back(text);
  }
  if (values.empty()) value.fail("an empty list", kAllowed);
  return values;
}

std::vector<Space::Axis> read_axes(const Value& value) {
  static constexpr const char* kAllowed = "maps from paths of the architecture file to values";
  const std::vector<std::string_view> keys = value.keys(kAllowed);
  const files::Object object = value.object(keys);
  std::vector<Space::Axis> axes;
  for (const std::string_view key : keys) {
    const Value entry = object[key];
    Space::Axis axis;
    axis.path = key;
    axis.place = place_of(entry, "explore.vary." + axis.path);
    axis.values = entry.is_map() ? range_values(entry) : listed_values(entry);
    axes.push_back(std::move(axis));
  }
  if (axes.empty()) value.fail("an empty map", kAllowed);
  return axes;
}

std::size_t axis_of(const Value& item, const std::vector<Space::Axis>& axes) {
  std::vector<std::string_view> paths;
  for (const Space::Axis& axis : axes) paths.emplace_back(axis.path);
  return item.choice(paths);
}

std::vector<std::vector<std::size_t>> read_ties(const Value& value,
                                                const std::vector<Space::Axis>& axes) {
  std::vector<std::vector<std::size_t>> ties;
  std::vector<bool> tied(axes.size());
  for (const Value& list : value.list("lists of lists of paths in vary")) {
    std::vector<std::size_t> together;
    for (const Value& item : list.list("lists of paths in vary, two at least")) {
      const std::size_t axis = axis_of(item, axes);
      if (tied[axis]) item.fail("a path twice: " + axes[axis].path, "each path once");
      tied[axis] = true;
      const std::size_t length = axes[axis].values.size();
      if (!together.empty() && axes[together.front()].values.size() != length) {
        item.fail(axes[axis].path + " with " + std::to_string(length) + " values",
                  "paths with as many values as the first, " +
                      std::to_string(axes[together.front()].values.size()));
      }
      together.push_back(axis);
    }
    if (together.size() < 2) list.fail("a list of one path", "lists of two at least");
    ties.push_back(std::move(together));
  }
  return ties;
}

std::vector<std::string> read_networks(const Value& value) {
  static constexpr const char* kAllowed = "networks: presets, files (relative to this one)";
  if (!value.is_list()) return {value.text(kAllowed)};
  std::vector<std::string> networks;
  for (const Value& item : value.list(kAllowed)) {
    networks.push_back(item.text(kAllowed));
    if (std::ranges::count(networks, networks.back()) > 1) {
      item.fail("a network twice: " + networks.back(), "each once");
    }
  }
  if (networks.empty()) value.fail("an empty list", kAllowed);
  return networks;
}

Space space_of(const Value& value) {
  static constexpr std::array<std::string_view, 7> kKeys{"arch", "networks", "objective", "vary",
                                                         "tie",  "only",     "cost"};
  const files::Object object = value.object(kKeys);
  Space space;
  space.arch = object["arch"].text("architectures: presets, files (relative to this one)");
  space.arch_place = place_of(object["arch"], "explore.arch");
  space.networks = read_networks(object["networks"]);
  space.networks_place = place_of(object["networks"], "explore.networks");
  space.objective = object["objective"].text("goals");
  space.objective_place = place_of(object["objective"], "explore.objective");
  space.vary = read_axes(object["vary"]);
  if (const auto tie = object.find("tie")) space.tie = read_ties(*tie, space.vary);
  if (const auto only = object.find("only")) {
    space.only = only->text("comparisons");
    space.only_place = place_of(*only, "explore.only");
  }
  if (const auto cost = object.find("cost")) {
    space.cost = cost->text("expressions");
    space.cost_place = place_of(*cost, "explore.cost");
  }
  return space;
}

}  // namespace

Space parse_space(std::string_view text, const std::string& label) {
  const files::Document document(text, label);
  const Value root(document, "space");
  static constexpr std::array<std::string_view, 1> kTop{"explore"};
  Space space = space_of(root.object(kTop)["explore"]);
  space.label = label;
  answers::check_grid(space);
  return space;
}

Space read_space(const std::string& path) {
  const files::Source file = files::peek_file(path);
  Space space = parse_space(file.text, file.label);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const auto beside = [&](std::string& source) {
    const std::string there = (folder / source).string();
    if (files::path_exists(there)) source = there;
  };
  beside(space.arch);
  for (std::string& network : space.networks) beside(network);
  return space;
}

}  // namespace pimbb
