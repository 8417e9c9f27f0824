// Enumeration.
#include "answers/toy_space.hpp"

#include <algorithm>
#include <stdexcept>

#include "exact/splitmix64.hpp"

namespace toy {

using namespace pimbb;
using answers::Ask;
using answers::PartAnswer;

namespace {

struct ToyMachine final : answers::PointMachine {
  std::int64_t h = 1, w = 1, room = 1;
  std::string words;
  [[nodiscard]] const std::string& text() const override { return words; }
};

const ToyMachine& toy_of(const answers::PointMachine& machine) {
  return static_cast<const ToyMachine&>(machine);
}

std::vector<Rational> costs_of(const ToyMachine& m, const ToyMapping& mapping) {
  return {Rational(mapping.time, m.h * m.w), Rational(mapping.energy) + Rational(m.room, 100)};
}

}  // namespace

ToyWing::ToyWing(std::uint64_t seed, std::size_t networks) {
  SplitMix64 random(seed);
  const auto number = [&](std::uint64_t most) {
    return static_cast<std::int64_t>(random.below(most)) + 1;
  };
  for (std::size_t n = 0; n < networks; ++n) {
    networks_.emplace_back();
    parts_.emplace_back();
    const std::size_t parts = 1 + random.below(3);
    for (std::size_t p = 0; p < parts; ++p) {
      ToyPart part;
      part.times = number(3);
      const std::size_t mappings = 1 + random.below(6);
      std::string text;
      for (std::size_t k = 0; k < mappings; ++k) {
        part.mappings.push_back({number(40), number(40), number(4)});
        const ToyMapping& made = part.mappings.back();
        text += std::to_string(made.time) + "/" + std::to_string(made.energy) + "/" +
                std::to_string(made.size) + " ";
      }
      if (p == 2) {  // the first once more
        part.mappings = networks_[n].front().mappings;
        text = parts_[n].front().text;
      }
      parts_[n].push_back({"part", Rational(part.times), text});
      networks_[n].push_back(std::move(part));
    }
  }
}

std::vector<std::string> ToyWing::networks() const {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < networks_.size(); ++n) names.push_back("net" + std::to_string(n));
  return names;
}

std::shared_ptr<const answers::PointMachine> ToyWing::machine(
    const std::vector<std::string>& changes) const {
  auto machine = std::make_shared<ToyMachine>();
  for (const std::string& change : changes) {
    const std::size_t sign = change.find('=');
    const std::int64_t value = std::stoll(change.substr(sign + 1));
    const std::string path = change.substr(0, sign);
    (path == "h" ? machine->h : path == "w" ? machine->w : machine->room) = value;
  }
  // Only the product counts: machines of 1 x 2 and 2 x 1 are equal.
  machine->words = std::to_string(machine->h * machine->w) + " " + std::to_string(machine->room);
  return machine;
}

std::vector<Rational> ToyWing::floor(const answers::PointMachine& machine, std::size_t network,
                                     std::size_t part) const {
  std::vector<Rational> least;
  for (const ToyMapping& mapping : networks_[network][part].mappings) {  // also what does not fit
    const std::vector<Rational> costs = costs_of(toy_of(machine), mapping);
    if (least.empty()) least = costs;
    for (std::size_t g = 0; g < 2; ++g) least[g] = std::min(least[g], costs[g]);
  }
  return least;
}

PartAnswer ToyWing::solve(const answers::PointMachine& machine, std::size_t network,
                          std::size_t part, const Ask& ask, const RunLimits&) const {
  if (++solves >= fails_at) throw std::runtime_error("the toy is broken");
  const ToyMachine& m = toy_of(machine);
  PartAnswer best;
  best.status = Status::infeasible;
  best.nodes = networks_[network][part].mappings.size();
  std::vector<Rational> least;
  for (const ToyMapping& mapping : networks_[network][part].mappings) {
    if (mapping.size > m.room) continue;
    const std::vector<Rational> costs = costs_of(m, mapping);
    std::vector<Rational> value;
    for (const std::size_t goal : ask.order) value.push_back(costs[goal]);
    if (ask.order.empty()) {
      value.push_back(ask.blend.alpha * costs[0] + ask.blend.beta * costs[1]);
    }
    if (!least.empty() && least <= value) continue;
    least = value;
    best.status = Status::optimal;
    best.costs = costs;
    best.bound = value.front();
  }
  return best;
}

std::optional<Rational> ToyWing::optimum(const std::vector<std::string>& values,
                                         const std::string& objective) const {
  ToyMachine m;
  m.h = std::stoll(values[0]);
  m.w = std::stoll(values[1]);
  m.room = std::stoll(values[2]);
  Rational sum;
  for (const std::vector<ToyPart>& network : networks_) {
    std::vector<std::vector<Rational>> totals{{0, 0}};
    for (const ToyPart& part : network) {
      std::vector<std::vector<Rational>> next;
      for (const auto& total : totals) {
        for (const ToyMapping& mapping : part.mappings) {
          if (mapping.size > m.room) continue;
          const std::vector<Rational> costs = costs_of(m, mapping);
          next.push_back({total[0] + Rational(part.times) * costs[0],
                          total[1] + Rational(part.times) * costs[1]});
        }
      }
      totals = std::move(next);
    }
    std::optional<Rational> least;
    for (const auto& total : totals) {
      const Rational value = objective == "edp"       ? total[0] * total[1]
                             : objective == "latency" ? total[0]
                                                      : total[1];
      if (!least || value < *least) least = value;
    }
    if (!least) return std::nullopt;
    sum += *least;
  }
  return sum;
}

Space toy_space(const std::string& objective, bool cost) {
  std::string text = "explore:\n  arch: toy\n  networks: toy\n  objective: '" + objective +
                     "'\n  vary:\n    h: [1, 2, 3]\n    w: [1, 2, 3]\n    room: [1, 2, 3, 4]\n";
  if (cost) text += "  cost: h * w + room / 2\n";
  return parse_space(text, "toy.yaml");
}

}  // namespace toy
