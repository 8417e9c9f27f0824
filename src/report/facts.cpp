#include "report/facts.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace pimbb::report {
namespace {

constexpr std::array<std::string_view, 8> kBounds{"R", "S", "P", "Q", "C", "K", "N", "G"};

std::string unit_of(std::string_view goal) {
  if (goal == "latency") return "cycles";
  if (goal == "energy") return "nJ";
  if (goal == "edp") return "nJ*cycles";
  return "";
}

}  // namespace

Fact status_fact(const std::string& status) {
  const bool proven = status == "optimal" || status == "complete" || status == "infeasible";
  return {"status", proven ? status + ", proven" : status, "", "", proven ? "proven" : "open"};
}

void add_goal(std::vector<Fact>& facts, const Value& goal, const std::string& name) {
  if (!goal.has("value")) return;
  Fact value{name, goal.at("value").json(), unit_of(name)};
  if (goal.has("exact") && goal.at("exact").has("value")) {
    value.exact = goal.at("exact").at("value").json().dump();
  }
  facts.push_back(std::move(value));
  if (goal.has("gap") && goal.at("gap").is_number() && goal.at("gap").number() > 0) {
    facts.push_back({name + ", proven bound", goal.at("bound").json(), unit_of(name)});
    facts.push_back({name + ", gap", goal.at("gap").number() * 100, "%"});
  }
}

void add_objective(std::vector<Fact>& facts, const Value& objective) {
  if (!objective.is_object()) {
    for (const Value& goal : objective.elements()) add_goal(facts, goal, goal.at("name").text());
    return;
  }
  add_goal(facts, objective, objective.at("name").text());
  if (!objective.has("then")) return;
  for (const Value& goal : objective.at("then").elements()) {
    add_goal(facts, goal, goal.at("name").text());
  }
}

std::string shape_of(const Value& workload) {
  std::string text;
  for (const std::string_view bound : kBounds) {
    if (!workload.has(bound)) continue;
    const double n = workload.at(bound).number();
    const bool usual = n == 1 && (bound == "N" || bound == "G");
    if (!usual) text += fmt::format("{}{}{:.0f}", text.empty() ? "" : " ", bound, n);
  }
  return text;
}

double macs_of(const Value& workload) {
  double macs = 1;
  for (const std::string_view bound : kBounds) {
    if (workload.has(bound)) macs *= workload.at(bound).number();
  }
  return macs;
}

void add_nested(Part& bars, const Value& numbers, const std::string& alone) {
  for (const auto& [group, inner] : numbers.members()) {
    if (inner.is_number()) {
      bars.rows.push_back({group, alone, inner.json()});
      continue;
    }
    if (!inner.is_object()) continue;
    for (const auto& [part, value] : inner.members()) {
      if (value.is_number()) bars.rows.push_back({group, part, value.json()});
    }
  }
}

std::int64_t unrolled(const Value& factors, std::int64_t size) {
  std::int64_t product = 1;
  for (const auto& [dim, factor] : factors.members()) {
    const std::int64_t n = factor.integer(1, size);
    if (product > size / n) factors.refuse(fmt::format("a product of at most {}", size));
    product *= n;
  }
  return product;
}

void add_bands(Part& blocks, const std::string& panel, const Value& factors, std::int64_t used) {
  constexpr std::int64_t kMostBands = 4096;
  std::int64_t inner = used;  // units that share an index of the loops outside
  for (const auto& [dim, factor] : factors.members()) {
    const std::int64_t n = factor.integer(1, used);
    inner /= n;
    if (used / inner > kMostBands) return;
    for (std::int64_t from = 0; from < used; from += inner) {
      const std::int64_t i = from / inner % n;
      blocks.rows.push_back(
          {panel, dim, from, from + inner, fmt::format("{}", i), fmt::format("{}{}", dim, i)});
    }
  }
}

}  // namespace pimbb::report
