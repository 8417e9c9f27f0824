// Reading a device, and its formulas, term by term as docs/devices.md has them.
#include "problem.hpp"

#include <algorithm>
#include <set>

#include "../fields.hpp"

namespace pimbb_check::device {
namespace {

const Json& instance_in(const Json& json) {
  instance_object(json, {"format", "instance", "device", "moves"}, {"pad"});
  require(json.at("format") == "pimbb-device-instance/1",
          "instance: the format is not pimbb-device-instance/1");
  return json.at("instance");
}

std::optional<Rational> bandwidth(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return positive(json);
}

/// Children with work of their own, and with a part of tensor t of their own.
struct Fan {
  cpp_int all = 1;
  PerTensor<cpp_int> parts{1, 1, 1};

  explicit Fan(const Factors& factors) {
    for (std::size_t j = 0; j < kDims; ++j) {
      all *= factors[j];
      for (std::size_t t = 0; t < 3; ++t) parts[t] *= relevant(t, j) ? factors[j] : 1;
    }
  }
};

/// Bounds of what a child covers: products of a slice's bounds and factors.
using Covered = std::array<cpp_int, kDims>;

Covered covered_by(const Factors& slice) {
  Covered covered;
  std::copy(slice.begin(), slice.end(), covered.begin());
  return covered;
}

cpp_int elements(const pimbb_check::Problem& p, std::size_t t, const Covered& c) {
  if (t == kWeight) return c[G] * c[K] * c[C] * c[R] * c[S];
  if (t == kOutput) return c[N] * c[G] * c[K] * c[P] * c[Q];
  const cpp_int width = p.stride_w * (c[P] - 1) + p.dilation_w * (c[R] - 1) + 1;
  const cpp_int height = p.stride_h * (c[Q] - 1) + p.dilation_h * (c[S] - 1) + 1;
  return c[N] * c[G] * c[C] * width * height;
}

/// What comes down to the children of one parent.
Rational bytes_down(const pimbb_check::Problem& layer, const Flags& moves, const Level& level,
                    const Fan& fan, const Covered& covered) {
  Rational bytes = 0;
  for (const std::size_t t : {std::size_t{kInput}, std::size_t{kWeight}}) {
    if (!moves[t]) continue;
    bytes += (level.broadcast ? fan.parts[t] : fan.all) * elements(layer, t, covered) *
             layer.moved_bytes(t);
  }
  return bytes;
}

Rational cycles(const Rational& bytes, const std::optional<Rational>& bandwidth) {
  return bandwidth ? Rational(bytes / *bandwidth) : Rational(0);
}

}  // namespace

cpp_int Growth::top(std::int64_t bound) const {
  const Rational top = factor * bound + more;
  return numerator(top) / denominator(top);
}

Problem::Problem(const std::string& canonical_text)
    : json_(parse_normal(canonical_text, "instance")), layer_(instance_in(json_).dump()) {
  read_device(json_.at("device"));
  for (std::size_t t = 0; t < 3; ++t) moves_[t] = boolean(list(json_.at("moves"), 3)[t]);
  if (json_.contains("pad")) read_padding(json_.at("pad"));
}

void Problem::read_device(const Json& json) {
  instance_object(json, {"name", "static_power", "launch", "refresh", "phases", "host", "levels"});
  text(json.at("name"));
  name_ = json.at("name").dump(-1, ' ', true);
  static_power_ = not_negative(json.at("static_power"));
  launch_ = not_negative(json.at("launch"));
  if (!json.at("refresh").is_null()) {
    const Rational interval = positive(list(json.at("refresh"), 2)[0]);
    const Rational duration = not_negative(json.at("refresh")[1]);
    require(duration < interval, "instance: a refresh that leaves no time");
    stretch_ = interval / (interval - duration);
  }
  overlapped_ = one_of(json.at("phases"), std::array{"sequential", "overlapped"}) == 1;
  const Json& host = instance_object(json.at("host"), {"reduce_energy", "reduce_bandwidth"});
  host_energy_ = not_negative(host.at("reduce_energy"));
  host_bandwidth_ = bandwidth(host.at("reduce_bandwidth"));
  require(json.at("levels").is_array(), "instance: a list of levels is wanted");
  for (const Json& level : json.at("levels")) read_level(level);
  std::set<std::string> names;
  cpp_int units = 1;
  for (const Level& level : levels_) {
    require(names.insert(level.name).second, "instance: two levels of one name");
    units *= level.count;
  }
  require(units <= INT64_MAX, "instance: too many units");
}

void Problem::read_level(const Json& json) {
  instance_object(json, {"name", "count", "write_bandwidth", "read_bandwidth", "broadcast",
                         "reduce", "lockstep", "reduce_energy", "energy", "latency", "dims"});
  Level level;
  text(json.at("name"));
  level.name = json.at("name").dump(-1, ' ', true);
  level.count = integer(json.at("count"), 1, INT64_MAX);
  level.write_bandwidth = bandwidth(json.at("write_bandwidth"));
  level.read_bandwidth = bandwidth(json.at("read_bandwidth"));
  level.broadcast = boolean(json.at("broadcast"));
  level.reduce = boolean(json.at("reduce"));
  level.lockstep = boolean(json.at("lockstep"));
  level.reduce_energy = not_negative(json.at("reduce_energy"));
  level.energy = not_negative(json.at("energy"));
  level.latency = not_negative(json.at("latency"));
  for (std::size_t j = 0; j < kDims; ++j) {
    level.dims[j] = boolean(list(json.at("dims"), kDims)[j]);
  }
  levels_.push_back(std::move(level));
}

/// An integer is added, a text is a factor above 1.
void Problem::read_padding(const Json& json) {
  instance_object(json, {"growth", "single_group"});
  bool any = false;
  for (std::size_t j = 0; j < kDims; ++j) {
    const Json& growth = list(json.at("growth"), kDims)[j];
    if (growth.is_string()) {
      growth_[j].factor = parse_rational(text(growth));
      require(growth_[j].factor > 1, "instance: a padding that lets nothing grow");
    } else {
      growth_[j].more = integer(growth, 0, INT64_MAX);
    }
    any = any || growth.is_string() || growth_[j].more > 0;
  }
  require(any, "instance: a padding that lets nothing grow");
  single_group_ = boolean(json.at("single_group"));
  require(!single_group_ || growth_[G].more > 0 || growth_[G].factor > 1,
          "instance: a padding of groups that lets nothing grow");
}

std::string Problem::slice_instance(const Factors& bounds) const {
  Json instance = json_.at("instance");
  Json& numbers = instance.at("workload").at("bounds");
  numbers = Json::array();
  for (std::size_t j = 0; j < kDims - (bounds[G] == 1 ? 1 : 0); ++j) numbers.push_back(bounds[j]);
  Json& objective = instance.at("objective");
  const Json model = objective.at("row_model");
  objective = {{"goals", {"latency"}}, {"alpha", "0"}, {"beta", "0"}, {"row_model", model}};
  return instance.dump();
}

std::string Problem::description() const {
  std::string text = layer_.description() + "; device " + name_ + ":";
  for (std::size_t d = levels_.size(); d-- > 0;) {
    text += " " + std::to_string(levels_[d].count) + " " + levels_[d].name + (d > 0 ? " x" : "");
  }
  if (levels_.empty()) text += " 1 unit";
  text += "; moves";
  bool any = false;
  for (std::size_t t = 0; t < 3; ++t) {
    if (moves_[t]) text += std::string(any ? ", " : " ") + kTensorNames[t];
    any = any || moves_[t];
  }
  if (!any) text += " nothing";
  if (json_.contains("pad")) text += "; bounds of slices may grow by " + json_.at("pad").dump();
  return text;
}

bool Problem::may_split(std::size_t level, std::size_t j) const {
  // Where the output does not move, nobody adds partial sums.
  return levels_[level].dims[j] && (moves_[kOutput] || relevant(kOutput, j));
}

cpp_int Problem::top(std::size_t j, std::int64_t bound) const {
  if (j == G && single_group_ && bound == 1) return 1;
  return growth_[j].top(bound);
}

bool Problem::overflows_dram(const Factors& slice) const {
  const auto& capacity = layer_.levels[layer_.dram()].capacity;
  cpp_int bytes = 0;
  for (std::size_t t = 0; t < 3; ++t) {
    const cpp_int units = elements(layer_, t, covered_by(slice)) * layer_.element_units[t];
    bytes += (units + layer_.byte_units - 1) / layer_.byte_units;
  }
  return capacity && bytes > *capacity;
}

Offer Problem::nothing() const {
  Offer offer;
  if (!overlapped_) offer.time = launch_;
  for (const Level& level : levels_) offer.units *= level.lockstep ? level.count : 1;
  return offer;
}

Offer Problem::price(const Split& split, const Factors& slice) const {
  Covered covered = covered_by(slice);
  std::vector<Fan> fans;
  for (const Factors& factors : split) fans.emplace_back(factors);
  Offer offer;
  Rational slowest_in = 0;
  Rational slowest_out = 0;
  Rational way = 0;
  cpp_int sums = 1;  // of one output, that a child sends up
  for (std::size_t d = 0; d < split.size(); ++d) {
    const Level& level = levels_[d];
    const Fan& fan = fans[d];
    cpp_int links = 1;
    for (std::size_t e = d + 1; e < split.size(); ++e) links *= fans[e].all;
    const Rational down = bytes_down(layer_, moves_, level, fan, covered);
    Rational up = 0;
    if (moves_[kOutput]) {
      up = fan.all * sums * elements(layer_, kOutput, covered) * layer_.moved_bytes(kOutput);
    }
    slowest_in = std::max(slowest_in, cycles(down, level.write_bandwidth));
    slowest_out = std::max(slowest_out, cycles(up, level.read_bandwidth));
    way += level.latency;
    offer.energy += links * (down + up) * level.energy;
    offer.units *= level.lockstep ? cpp_int(level.count) : fan.all;

    for (std::size_t j = 0; j < kDims; ++j) covered[j] *= split[d][j];
    const cpp_int copies = sums * (fan.all / fan.parts[kOutput]);
    sums = level.reduce ? cpp_int(1) : copies;
    if (level.reduce && moves_[kOutput]) {
      offer.energy +=
          links * (copies - 1) * elements(layer_, kOutput, covered) * level.reduce_energy;
    }
  }
  Rational in = 0;
  Rational out = 0;
  if (moves_[kInput] || moves_[kWeight]) in = slowest_in + way;
  if (moves_[kOutput]) {
    const cpp_int adds = (sums - 1) * elements(layer_, kOutput, covered);
    out = slowest_out + way;
    if (host_bandwidth_) out += adds / *host_bandwidth_;
    offer.energy += adds * host_energy_;
  }
  offer.time = overlapped_ ? std::max(in, out) : Rational(launch_ + in + out);
  return offer;
}

Cost Problem::costs(const Offer& offer, const Cost& part) const {
  const Rational run = stretch_ * part.latency;
  Cost costs;
  costs.latency =
      overlapped_ ? Rational(launch_ + std::max(offer.time, run)) : Rational(offer.time + run);
  costs.energy = offer.units * part.energy + offer.energy + costs.latency * static_power_;
  costs.activations = offer.units * part.activations;
  return costs;
}

bool Problem::looks_at(Goal cost) const {
  const auto depends = [&](Goal goal) {
    if (goal == Goal::activations) return cost == Goal::activations;
    if (cost == Goal::energy) return goal != Goal::latency;
    return cost == Goal::latency && (goal != Goal::energy || static_power_ > 0);
  };
  return std::any_of(layer_.goals.begin(), layer_.goals.end(), depends) ||
         std::any_of(layer_.at_most.begin(), layer_.at_most.end(),
                     [&](const auto& limit) { return depends(limit.first); });
}

}  // namespace pimbb_check::device
