// Reading the instance: every key is required, no other is allowed, every value has its range.
#include "problem.hpp"

#include <set>

#include "divisors.hpp"
#include "fields.hpp"

namespace pimbb_check {
namespace {

Level read_level(const Json& json) {
  instance_object(json, {"name", "capacity", "access_cost", "read_bandwidth", "write_bandwidth",
                         "shared_ports", "stores", "bypass_free"});
  Level level;
  level.name = text(json.at("name"));
  if (!json.at("capacity").is_null()) level.capacity = integer(json.at("capacity"), 0, INT64_MAX);
  level.access_cost = not_negative(json.at("access_cost"));
  const Rational read = positive(json.at("read_bandwidth"));
  level.bandwidth = {read, read, positive(json.at("write_bandwidth"))};
  level.shared_ports = boolean(json.at("shared_ports"));
  for (std::size_t t = 0; t < 3; ++t) level.stores[t] = boolean(list(json.at("stores"), 3)[t]);
  level.bypass_free = boolean(json.at("bypass_free"));
  return level;
}

void read_architecture(const Json& json, Problem& p) {
  instance_object(
      json,
      {"name", "pe_array", "levels", "row_bytes", "activation_cycles", "activation_energy",
       "interconnect_bandwidth", "bits", "psum_rereads", "input_order"},
      {"packing", "dram_streams", "banks"});
  text(json.at("name"));
  p.architecture_name = json.at("name").dump(-1, ' ', true);
  const Json& pe =
      instance_object(json.at("pe_array"), {"height", "width", "unit_type", "num_macs",
                                            "internal_dim", "mac_energy", "reduction_latency"});
  p.extent = {integer(pe.at("height"), 1, kMost), integer(pe.at("width"), 1, kMost),
              integer(pe.at("num_macs"), 1, kMost)};
  constexpr std::array units{"scalar", "simd", "reduction_tree", "tensor_core", "systolic"};
  p.unit_type = units[one_of(pe.at("unit_type"), units)];
  constexpr std::array dims{"R", "S", "P", "Q", "C", "K", "N", "G"};
  if (!pe.at("internal_dim").is_null()) p.internal_dim = one_of(pe.at("internal_dim"), dims);
  p.mac_energy = not_negative(pe.at("mac_energy"));
  p.reduction_latency = not_negative(pe.at("reduction_latency"));

  require(json.at("levels").is_array() && json.at("levels").size() >= 4 &&
              json.at("levels").size() <= 12,
          "instance: 4 to 12 memory levels are wanted");
  std::set<std::string> names;
  for (const Json& level : json.at("levels")) {
    p.levels.push_back(read_level(level));
    require(names.insert(p.levels.back().name).second, "instance: two levels of one name");
  }
  for (const std::size_t m : {p.row_buffer(), p.dram()}) {
    require(p.levels[m].stores == Flags{true, true, true} && !p.levels[m].bypass_free,
            "instance: row buffer and DRAM store every tensor");
  }
  const bool packed = json.contains("packing");  // of bytes, what nobody mentions
  require(!packed || text(json.at("packing")) == "bit", "instance: an unknown packing");
  p.byte_units = packed ? 8 : 1;
  p.row_units = integer(json.at("row_bytes"), 1, (1 << 24) / p.byte_units) * p.byte_units;
  p.activation_cycles = not_negative(json.at("activation_cycles"));
  p.activation_energy = not_negative(json.at("activation_energy"));
  if (!json.at("interconnect_bandwidth").is_null()) {
    p.interconnect_bandwidth = positive(json.at("interconnect_bandwidth"));
  }
  for (std::size_t t = 0; t < 3; ++t) {
    const std::int64_t bits = integer(list(json.at("bits"), 3)[t], 1, packed ? 128 : 1024);
    p.element_units[t] = packed ? bits : (bits + 7) / 8;
  }
  p.psum_rereads = boolean(json.at("psum_rereads"));
  p.shared_streams = json.contains("dram_streams");  // separate ones are not mentioned
  require(!p.shared_streams || text(json.at("dram_streams")) == "shared",
          "instance: unknown streams of the DRAM");
  // Three banks and more are not mentioned, nor are any if the row model is not `trace`.
  if (json.contains("banks")) p.banks = static_cast<std::size_t>(integer(json.at("banks"), 1, 2));
  const std::size_t order = one_of(json.at("input_order"), std::array{"nchw", "nhwc", "free"});
  p.nhwc = order == 1;
  p.free_input_order = order == 2;
}

void read_workload(const Json& json, Problem& p) {
  instance_object(json, {"name", "bounds", "stride", "dilation"});
  text(json.at("name"));
  p.layer_name = json.at("name").dump(-1, ' ', true);
  Int128 macs = 1;
  p.bounds = kOnes;
  const Json& bounds = json.at("bounds");
  const bool grouped = bounds.is_array() && bounds.size() == kDims;
  for (std::size_t j = 0; j < kDims - (grouped ? 0 : 1); ++j) {
    p.bounds[j] = integer(list(bounds, grouped ? kDims : kDims - 1)[j], j == G ? 2 : 1, kMost);
    macs = times<Int128>(macs, p.bounds[j]);
  }
  p.stride_w = integer(list(json.at("stride"), 2)[0], 1, kLongest);
  p.stride_h = integer(json.at("stride")[1], 1, kLongest);
  p.dilation_w = integer(list(json.at("dilation"), 2)[0], 1, kLongest);
  p.dilation_h = integer(json.at("dilation")[1], 1, kLongest);
  const auto extent = [](Int128 stride, std::int64_t outputs, Int128 dilation, std::int64_t taps) {
    return stride * (outputs - 1) + dilation * (taps - 1) + 1;
  };
  auto input = times(extent(p.stride_w, p.bounds[P], p.dilation_w, p.bounds[R]),
                     extent(p.stride_h, p.bounds[Q], p.dilation_h, p.bounds[S]));
  for (const Dim j : {C, N, G}) input = times<Int128>(input, p.bounds[j]);
  require(macs < kMost && input < kMost, "instance: the layer is too large");
  p.plane_heights = divisors(p.height(p.bounds[Q], p.bounds[S]));
  p.plane_widths = divisors(p.width(p.bounds[P], p.bounds[R]));
}

void read_objective(const Json& json, Problem& p) {
  if (json.is_object() && json.contains("at_most")) {
    instance_object(json, {"goals", "alpha", "beta", "row_model", "at_most"});
    require(json.at("at_most").is_array() && !json.at("at_most").empty() &&
                json.at("at_most").size() <= 5,
            "instance: one to five limits are wanted");
    for (const Json& limit : json.at("at_most")) {
      const Json& pair = list(limit, 2);
      p.at_most.emplace_back(static_cast<Goal>(one_of(pair[0], kGoalNames)), not_negative(pair[1]));
      for (std::size_t k = 0; k + 1 < p.at_most.size(); ++k) {
        require(p.at_most[k].first != p.at_most.back().first, "instance: a goal has two limits");
      }
    }
  } else {
    instance_object(json, {"goals", "alpha", "beta", "row_model"});
  }
  require(json.at("goals").is_array() && !json.at("goals").empty() && json.at("goals").size() <= 5,
          "instance: one to five goals are wanted");
  for (const Json& goal : json.at("goals")) {
    p.goals.push_back(static_cast<Goal>(one_of(goal, kGoalNames)));
    for (std::size_t g = 0; g + 1 < p.goals.size(); ++g) {
      require(p.goals[g] != p.goals.back(), "instance: a goal stands twice");
    }
  }
  p.alpha = not_negative(json.at("alpha"));
  p.beta = not_negative(json.at("beta"));
  const std::size_t model =
      one_of(json.at("row_model"), std::array{"analytic", "hybrid", "trace", "none"});
  p.hybrid = model == 1;
  p.trace = model == 2;
  require(p.trace || p.banks == 3, "instance: the row model does not know banks");
  p.free_rows = model == 3;
}

Range read_range(const Json& json) {
  Range range;
  range.least = integer(list(json, 2)[0], 1, INT64_MAX);
  if (!json[1].is_null()) range.most = integer(json[1], range.least, Range::kAny - 1);
  return range;
}

Ranges read_ranges(const Json& json) {
  Ranges ranges;
  for (std::size_t j = 0; j < kDims; ++j) ranges[j] = read_range(list(json, kDims)[j]);
  return ranges;
}

/// A strict partial order: for each loop those that must be inside it.
std::array<DimSet, kDims> read_inside(const Json& json, bool fixed) {
  std::array<DimSet, kDims> inside{};
  for (std::size_t j = 0; j < kDims; ++j) {
    inside[j] = static_cast<DimSet>(integer(list(json, kDims)[j], 0, fixed ? 0 : 255));
  }
  for (std::size_t j = 0; j < kDims; ++j) {
    for (std::size_t k = 0; k < kDims; ++k) {
      require(!contains(inside[j], k) || (k != j && (inside[k] & ~inside[j]) == 0),
              "instance: an order of loops is no partial order");
    }
  }
  return inside;
}

void read_constraints(const Json& json, Problem& p) {
  instance_object(json, {"spatial", "temporal", "stores", "inside", "layout", "input_block"});
  const std::size_t levels = p.levels.size();
  Constraints& c = p.constraints;
  const Constraints none = c;
  bool any = false;
  for (std::size_t d = 0; d < 3; ++d) {
    c.spatial[d] = read_ranges(list(json.at("spatial"), 3)[d]);
    any = any || c.spatial[d] != Ranges{};
  }
  for (std::size_t m = 0; m < levels; ++m) {
    c.temporal.push_back(read_ranges(list(json.at("temporal"), levels)[m]));
    c.stores.emplace_back();
    for (std::size_t t = 0; t < 3; ++t) {
      const Json& bit = list(list(json.at("stores"), levels)[m], 3)[t];
      if (!bit.is_null()) c.stores[m][t] = boolean(bit);
      any = any || c.stores[m][t];
    }
    c.inside.push_back(read_inside(list(json.at("inside"), levels)[m], m == 0));
    any = any || c.temporal[m] != Ranges{} || c.inside[m] != std::array<DimSet, kDims>{};
  }
  for (std::size_t t = 0; t < 3; ++t) {
    const Json& layout = list(list(json.at("layout"), 3)[t], 2);
    c.layout[t] = {boolean(layout[0]), boolean(layout[1])};
  }
  for (std::size_t k = 0; k < 2; ++k) c.block[k] = read_range(list(json.at("input_block"), 2)[k]);
  require(any || c.layout != none.layout || c.block != none.block,
          "instance: constraints that constrain nothing");
  c.find_reached(p.bounds, [&](std::size_t d, std::size_t j, std::int64_t factor) {
    return p.may_unroll(d, j) && factor <= p.extent[d];
  });
}

}  // namespace

Problem::Problem(const std::string& canonical_text) {
  const Json json = parse_normal(canonical_text, "instance");
  instance_object(json, {"format", "architecture", "workload", "objective"}, {"constraints"});
  require(json.at("format") == "pimbb-instance/1", "instance: the format is not pimbb-instance/1");
  read_architecture(json.at("architecture"), *this);
  read_workload(json.at("workload"), *this);
  read_objective(json.at("objective"), *this);
  if (json.contains("constraints")) read_constraints(json.at("constraints"), *this);
}

std::string Problem::limits() const {
  std::string text;
  for (const auto& [goal, most] : at_most) {
    text +=
        std::string("; ") + kGoalNames[static_cast<std::size_t>(goal)] + " at most " + most.str();
  }
  return text;
}

std::string Problem::description() const {
  std::string text = "layer " + layer_name + ":";
  for (std::size_t j = 0; j < kDims; ++j) {
    if (j == G && bounds[G] == 1) continue;
    text += std::string(" ") + kDimLetters[j] + " " + std::to_string(bounds[j]);
  }
  const auto pair = [&](const char* name, std::int64_t width, std::int64_t height) {
    if (width == 1 && height == 1) return;
    text += std::string(", ") + name + " " + std::to_string(width) + " x " + std::to_string(height);
  };
  pair("stride", stride_w, stride_h);
  pair("dilation", dilation_w, dilation_h);
  std::vector<std::string> names;
  for (const Level& level : levels) names.push_back(Json(level.name).dump(-1, ' ', true));
  return text + "; architecture " + architecture_name + "; row model " +
         (trace       ? "trace"
          : hybrid    ? "hybrid"
          : free_rows ? "none"
                      : "analytic") +
         limits() + constraints.text(names);
}

std::int64_t Problem::elements(std::size_t t, const Factors& c) const {
  if (t == kWeight) return c[G] * c[K] * c[C] * c[R] * c[S];
  if (t == kOutput) return c[N] * c[G] * c[K] * c[P] * c[Q];
  return c[N] * c[G] * c[C] * width(c[P], c[R]) * height(c[Q], c[S]);
}

std::int64_t Problem::macs() const {
  std::int64_t product = 1;
  for (const std::int64_t b : bounds) product *= b;
  return product;
}

bool Problem::may_unroll(std::size_t direction, std::size_t j) const {
  const bool internal = direction == 2;
  const bool reduces = !relevant(kOutput, j);
  if (unit_type == "scalar") return !internal;
  if (unit_type == "simd") return !internal || !reduces;
  if (unit_type == "reduction_tree") return !internal || reduces;
  if (unit_type == "systolic") return (direction == 0 && j == K) || (direction == 1 && j == C);
  return internal ? reduces && internal_dim.value_or(j) == j : !reduces;  // tensor_core
}

}  // namespace pimbb_check
