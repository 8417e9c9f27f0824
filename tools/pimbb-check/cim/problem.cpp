// Reading the instance, and what it says about tensors.
#include "problem.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "../fields.hpp"

namespace pimbb_check::cim {
namespace {

constexpr std::int64_t kAnySize = INT64_MAX / 4;

Flags flags_of(const Json& json) {
  Flags flags{};
  for (std::size_t t = 0; t < 3; ++t) flags[t] = boolean(list(json, 3)[t]);
  return flags;
}

Level read_memory(const Json& json) {
  instance_object(json, {"name", "size_bits", "bandwidth", "read_energy", "write_energy", "stores",
                         "double_buffer", "always_charged"});
  Level level;
  level.name = text(json.at("name"));
  if (!json.at("size_bits").is_null()) level.size = integer(json.at("size_bits"), 0, kAnySize);
  level.bandwidth = integer(json.at("bandwidth"), 1, kAnySize);
  level.read = not_negative(json.at("read_energy"));
  level.write = not_negative(json.at("write_energy"));
  level.stores = flags_of(json.at("stores"));
  level.may_double = flags_of(json.at("double_buffer"));
  level.always_charged = boolean(json.at("always_charged"));
  for (std::size_t t = 0; t < 3; ++t) {
    require(level.stores[t] || !level.may_double[t], "instance: a tensor is doubled, not stored");
  }
  return level;
}

Axis read_axis(const Json& json, const Problem& p) {
  instance_object(json, {"name", "size", "dims", "fan_out"});
  Axis axis;
  axis.name = text(json.at("name"));
  axis.size = integer(json.at("size"), 1, kAnySize);
  const std::string dims = text(json.at("dims"));
  std::string all;
  for (std::size_t j = 0; j < kDims; ++j) {
    axis.dims[j] = dims.find(kDimLetters[j]) != std::string::npos;
    if (axis.dims[j]) all += kDimLetters[j];
  }
  require(all == dims, "instance: dimensions in another order");
  for (std::size_t t = 0; t < 3; ++t) {
    axis.fan_out[t] = static_cast<std::size_t>(
        integer(list(json.at("fan_out"), 3)[t], 0, static_cast<std::int64_t>(p.dram())));
    require(p.levels[axis.fan_out[t]].stores[t], "instance: a fan-out level that does not store");
  }
  return axis;
}

void read_machine(const Json& json, Problem& p) {
  instance_object(json, {"name", "bits", "input_bits_per_cycle", "activation_energy", "leakage",
                         "spatial_axes", "memory_hierarchy"});
  text(json.at("name"));
  p.architecture_name = json.at("name").dump(-1, ' ', true);
  constexpr std::int64_t kMostBits = 1024;
  const Json& bits = list(json.at("bits"), 4);
  for (std::size_t t = 0; t < 3; ++t) p.bits[t] = integer(bits[t], 1, kMostBits);
  p.psum_bits = integer(bits[3], 1, kMostBits);
  p.input_bits_per_cycle = integer(json.at("input_bits_per_cycle"), 1, kAnySize);
  p.activation_energy = not_negative(json.at("activation_energy"));
  p.leakage = not_negative(json.at("leakage"));
  const Json& levels = json.at("memory_hierarchy");
  require(levels.is_array() && !levels.empty() && levels.size() <= kMostLevels,
          "instance: 1 to 16 memory levels are wanted");
  std::set<std::string> names;
  for (const Json& level : levels) {
    p.levels.push_back(read_memory(level));
    require(names.insert(p.levels.back().name).second, "instance: two levels of one name");
  }
  require(
      p.levels.back().stores == Flags{true, true, true} && p.levels.back().may_double == Flags{},
      "instance: the DRAM stores every tensor, once");
  const Json& axes = json.at("spatial_axes");
  require(axes.is_array() && !axes.empty() && axes.size() <= 8, "instance: 1 to 8 axes are wanted");
  names.clear();
  for (const Json& axis : axes) {
    p.axes.push_back(read_axis(axis, p));
    require(names.insert(p.axes.back().name).second, "instance: two axes of one name");
  }
}

void make_even(std::int64_t& size) {
  if (size > 15 && size % 2 == 1) ++size;
}

void read_layer(const Json& json, Problem& p) {
  instance_object(json, {"name", "bounds", "stride", "dilation", "input"});
  text(json.at("name"));
  p.layer_name = json.at("name").dump(-1, ' ', true);
  Int128 macs = 1;
  for (std::size_t j = 0; j < kDims; ++j) {
    p.bounds[j] = integer(list(json.at("bounds"), kDims)[j], 1, kMost);
    macs = times<Int128>(macs, p.bounds[j]);
    require(macs < kMost, "instance: the layer is too large");
  }
  p.stride_w = integer(list(json.at("stride"), 2)[0], 1, kLongest);
  p.stride_h = integer(json.at("stride")[1], 1, kLongest);
  p.dilation_w = integer(list(json.at("dilation"), 2)[0], 1, kLongest);
  p.dilation_h = integer(json.at("dilation")[1], 1, kLongest);
  if (!json.at("input").is_null()) {
    const Json& plane = list(json.at("input"), 2);
    p.plane = {integer(plane[0], 1, kMost), integer(plane[1], 1, kMost)};
  }
}

template <class Names>
std::size_t option(const Json& json, const char* key, const Names& names) {
  return one_of(json.at(key), names);
}

void read_limits(const Json& json, Problem& p) {
  require(json.is_array() && !json.empty() && json.size() <= kGoalNames.size(),
          "instance: one to four limits are wanted");
  for (const Json& limit : json) {
    const Json& pair = list(limit, 2);
    const auto goal = static_cast<Goal>(one_of(pair[0], kGoalNames));
    for (const auto& earlier : p.at_most) {
      require(earlier.first != goal, "instance: a goal has two limits");
    }
    p.at_most.emplace_back(goal, not_negative(pair[1]));
  }
}

void read_question(const Json& json, Problem& p) {
  instance_object(json,
                  {"goals", "alpha", "beta", "semantics", "contention", "pad", "factors", "schemes",
                   "double", "method"},
                  {"at_most"});
  const Json& goals = json.at("goals");
  require(goals.is_array() && !goals.empty() && goals.size() <= kGoalNames.size(),
          "instance: one to four goals are wanted");
  for (const Json& goal : goals) {
    p.goals.push_back(static_cast<Goal>(one_of(goal, kGoalNames)));
    for (std::size_t g = 0; g + 1 < p.goals.size(); ++g) {
      require(p.goals[g] != p.goals.back(), "instance: a goal stands twice");
    }
  }
  if (json.contains("at_most")) read_limits(json.at("at_most"), p);
  p.alpha = not_negative(json.at("alpha"));
  p.beta = not_negative(json.at("beta"));
  p.semantics = static_cast<Semantics>(option(json, "semantics", kSemanticsNames));
  p.contention = static_cast<Contention>(option(json, "contention", kContentionNames));
  p.padding = static_cast<Padding>(option(json, "pad", kPaddingNames));
  p.factors = static_cast<FactorRule>(option(json, "factors", kFactorRuleNames));
  p.doubling = static_cast<Doubling>(option(json, "double", kDoublingNames));
  p.stationary = option(json, "method", kMethodNames) == 1;
  p.full = option(json, "schemes", kSchemeRuleNames) == 1 || p.stationary;
  if (p.padding != Padding::even) return;
  make_even(p.bounds[P]);
  make_even(p.bounds[Q]);
  if (p.plane) {
    make_even((*p.plane)[0]);
    make_even((*p.plane)[1]);
  }
}

/// Positions i * stride + j * dilation with i < p and j < r, each counted once: pairs (i, j) and
/// (i + d, j - s) are the same one, if s and d are stride and dilation without common divisors.
std::int64_t positions(std::int64_t p, std::int64_t r, std::int64_t stride, std::int64_t dilation) {
  const std::int64_t g = std::gcd(stride, dilation);
  const std::int64_t counted_again =
      std::max<std::int64_t>(0, p - dilation / g) * std::max<std::int64_t>(0, r - stride / g);
  return p * r - counted_again;
}

}  // namespace

Problem::Problem(const std::string& canonical_text) {
  const Json json = parse_normal(canonical_text, "instance");
  instance_object(json, {"format", "architecture", "workload", "question"});
  require(json.at("format") == "pimbb-cim-instance/1",
          "instance: the format is not pimbb-cim-instance/1");
  read_machine(json.at("architecture"), *this);
  read_layer(json.at("workload"), *this);
  read_question(json.at("question"), *this);
}

std::size_t Problem::innermost(std::size_t t) const {
  std::size_t m = 0;
  while (!levels[m].stores[t]) ++m;  // the DRAM stores everything
  return m;
}

std::int64_t Problem::elements(std::size_t t, const Factors& x) const {
  if (t == kWeight) return x[R] * x[S] * x[C] * x[K] * x[G];
  if (t == kOutput) return x[P] * x[Q] * x[K] * x[N] * x[G];
  std::int64_t width = positions(x[P], x[R], stride_w, dilation_w);
  std::int64_t height = positions(x[Q], x[S], stride_h, dilation_h);
  if (plane) {
    width = std::min(width, (*plane)[0]);
    height = std::min(height, (*plane)[1]);
  }
  return width * height * x[C] * x[N] * x[G];
}

Factors Problem::grown(const Factors& unrolled) const {
  Factors grown = bounds;
  if (padding != Padding::ceil) return grown;
  for (std::size_t j = 0; j < kDims; ++j) {
    grown[j] = (bounds[j] + unrolled[j] - 1) / unrolled[j] * unrolled[j];
  }
  return grown;
}

std::string Problem::description() const {
  std::string text = "layer " + layer_name + ":";
  for (std::size_t j = 0; j < kDims; ++j) {
    if (j == G && bounds[G] == 1) continue;
    text += std::string(" ") + kDimLetters[j] + " " + std::to_string(bounds[j]);
  }
  const auto pair = [&](const char* name, std::int64_t width, std::int64_t height) {
    text += std::string(", ") + name + " " + std::to_string(width) + " x " + std::to_string(height);
  };
  if (stride_w != 1 || stride_h != 1) pair("stride", stride_w, stride_h);
  if (dilation_w != 1 || dilation_h != 1) pair("dilation", dilation_w, dilation_h);
  if (plane) pair("input", (*plane)[0], (*plane)[1]);
  text += "; architecture " + architecture_name + "; semantics " +
          kSemanticsNames[static_cast<std::size_t>(semantics)];
  const auto other = [&](const char* key, const auto& names, std::size_t value) {
    if (value != 0) text += std::string(", ") + key + " " + names[value];
  };
  other("contention", kContentionNames, static_cast<std::size_t>(contention));
  other("pad", kPaddingNames, static_cast<std::size_t>(padding));
  other("factors", kFactorRuleNames, static_cast<std::size_t>(factors));
  other("schemes", kSchemeRuleNames, full && !stationary ? 1 : 0);
  other("double", kDoublingNames, static_cast<std::size_t>(doubling));
  other("method", kMethodNames, stationary ? 1 : 0);
  for (const auto& [goal, most] : at_most) {
    text +=
        std::string("; ") + kGoalNames[static_cast<std::size_t>(goal)] + " at most " + most.str();
  }
  return text;
}

}  // namespace pimbb_check::cim
