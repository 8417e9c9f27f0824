// Reading a mapping, its feasibility, its traffic, time and energy.
#include "incumbent.hpp"

#include <algorithm>

#include "json.hpp"
#include "row_counter.hpp"
#include "rows.hpp"

namespace pimbb_check {
namespace {

struct Loop {
  std::size_t dim;
  std::int64_t factor;
};

const Json& mapping_object(const Json& json, std::initializer_list<std::string_view> keys) {
  return with_keys(json, {keys.begin(), keys.size()}, "mapping");
}

std::int64_t factor_of(const Json& json) {
  require(json.is_number_integer() && json.get<std::int64_t>() >= 1, "mapping: a factor below 1");
  return json.get<std::int64_t>();
}

std::size_t dim_of(const std::string& letter) {
  const std::size_t j = letter.size() == 1 ? kDimLetters.find(letter) : std::string::npos;
  require(j != std::string::npos, "mapping: an unknown dimension");
  return j;
}

class Mapping {
 public:
  Mapping(const Problem& p, const std::string& text) : p_(p), channels_last_(p.nhwc) {
    const Json json = parse_normal(text, "mapping");
    require(json.is_object() && json.contains("layout"), "mapping: wrong keys in an object");
    read_layouts(json.at("layout"));
    if (aligned_[kInput]) {
      mapping_object(json, {"spatial", "temporal", "stores", "layout", "input_block"});
      const Json& block = mapping_object(json.at("input_block"), {"h", "w"});
      block_h_ = factor_of(block.at("h"));
      block_w_ = factor_of(block.at("w"));
    } else if (p.free_input_order) {
      mapping_object(json, {"spatial", "temporal", "stores", "layout", "input_order"});
      const Json& order = json.at("input_order");
      require(order == "nchw" || order == "nhwc", "mapping: an unknown order of the input");
      channels_last_ = order == "nhwc";
    } else {
      mapping_object(json, {"spatial", "temporal", "stores", "layout"});
    }
    read_spatial(json.at("spatial"));
    read_levels(json.at("temporal"), json.at("stores"));
  }

  void check_feasible() const {
    for (std::size_t j = 0; j < kDims; ++j) {
      std::int64_t rest = p_.bounds[j];
      const auto take = [&](std::int64_t factor) {
        require(rest % factor == 0, "mapping: factors do not multiply to the bound");
        rest /= factor;
      };
      int directions = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        take(spatial_[d][j]);
        if (spatial_[d][j] == 1) continue;
        ++directions;
        require(p_.may_unroll(d, j), "mapping: a dimension unrolls where its unit cannot");
      }
      require(directions <= 1, "mapping: a dimension unrolls in two directions");
      for (const auto& nest : loops_) {
        for (const Loop& loop : nest) {
          if (loop.dim == j) take(loop.factor);
        }
      }
      require(rest == 1, "mapping: factors do not multiply to the bound");
    }
    for (std::size_t d = 0; d < 3; ++d) {
      Int128 used = 1;
      for (const std::int64_t f : spatial_[d]) used = times<Int128>(used, f);
      require(used <= p_.extent[d], "mapping: the PE array is too small");
    }
    check_storage();
    check_layouts();
    if (p_.constraints.any()) check_constraints();
  }

  [[nodiscard]] Cost cost() const {
    Rational temporal = 1;
    for (const auto& nest : loops_) {
      for (const Loop& loop : nest) temporal *= loop.factor;
    }
    Cost cost;
    cost.latency = temporal;
    for (const Dim j : {R, S, C}) {
      if (spatial_[2][j] > 1) cost.latency = temporal + p_.reduction_latency;
    }
    cost.energy = p_.mac_energy * p_.macs();
    std::vector<Rational> busy(p_.levels.size());
    Rational interconnect = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      add_traffic(t, temporal, busy, interconnect, cost);
    }
    cost.latency = std::max(cost.latency, interconnect);
    for (std::size_t m = 0; m <= p_.row_buffer(); ++m) {
      cost.latency = std::max(cost.latency, busy[m]);
    }
    return cost;
  }

 private:
  void read_layouts(const Json& layouts) {
    mapping_object(layouts, {"input", "weight", "output"});
    for (std::size_t t = 0; t < 3; ++t) {
      const Json& layout = layouts.at(kTensorNames[t]);
      require(layout == "row_aligned" || layout == "sequential", "mapping: an unknown layout");
      aligned_[t] = layout == "row_aligned";
    }
  }

  void read_spatial(const Json& spatial) {
    mapping_object(spatial, {"H", "W", "internal"});
    spatial_.fill(kOnes);
    for (std::size_t d = 0; d < 3; ++d) {
      const Json& factors = spatial.at(kDirectionNames[d]);
      require(factors.is_object(), "mapping: spatial factors are an object");
      for (const auto& [key, value] : factors.items()) {
        spatial_[d][dim_of(key)] = factor_of(value);
      }
    }
  }

  void read_levels(const Json& temporal, const Json& stores) {
    require(temporal.is_array() && stores.is_object() && temporal.size() == p_.levels.size() &&
                stores.size() == p_.levels.size(),
            "mapping: another number of levels");
    for (std::size_t m = 0; m < p_.levels.size(); ++m) {
      const Json& nest = mapping_object(temporal.at(m), {"level", "loops"});
      require(nest.at("level") == p_.levels[m].name, "mapping: an unknown level");
      require(nest.at("loops").is_array(), "mapping: loops are a list");
      require(stores.contains(p_.levels[m].name) && stores.at(p_.levels[m].name).is_array(),
              "mapping: a level without its tensors");
      loops_.emplace_back();
      for (const Json& loop : nest.at("loops")) {
        require(loop.is_array() && loop.size() == 2 && loop.at(0).is_string(), "mapping: a loop");
        const Loop read{dim_of(loop.at(0).get<std::string>()), factor_of(loop.at(1))};
        for (const Loop& other : loops_[m]) {
          require(other.dim != read.dim, "mapping: a dimension loops twice at one level");
        }
        loops_[m].push_back(read);
      }
      Flags flags{};
      for (const Json& tensor : stores.at(p_.levels[m].name)) {
        const auto found = std::find(kTensorNames.begin(), kTensorNames.end(), tensor);
        require(found != kTensorNames.end(), "mapping: an unknown tensor");
        bool& stored = flags[static_cast<std::size_t>(found - kTensorNames.begin())];
        require(!stored, "mapping: a tensor twice at one level");
        stored = true;
      }
      stores_.push_back(flags);
    }
  }

  /// Cumulative factors at level m; with `one_pe`, what one PE holds of them at level 0.
  [[nodiscard]] Factors tile(std::size_t m, bool one_pe = false) const {
    Factors c = spatial_[2];
    for (std::size_t j = 0; j < kDims && !one_pe; ++j) c[j] *= spatial_[0][j] * spatial_[1][j];
    for (std::size_t i = 0; i <= m; ++i) {
      for (const Loop& loop : loops_[i]) c[loop.dim] *= loop.factor;
    }
    return c;
  }

  void check_storage() const {
    for (std::size_t m = 0; m < p_.levels.size(); ++m) {
      const Level& level = p_.levels[m];
      const Factors c = tile(m, m == 0);
      Int128 total = 0;
      for (std::size_t t = 0; t < 3; ++t) {
        require(stores_[m][t] ? level.stores[t] : !level.stores[t] || level.bypass_free,
                "mapping: a level stores other tensors than it must");
        if (!stores_[m][t]) continue;
        const Int128 bytes = p_.bytes(t, c);
        total = m == p_.row_buffer() ? std::max(total, bytes) : plus(total, bytes);
      }
      require(!level.capacity || total <= *level.capacity, "mapping: a level overflows");
    }
  }

  void check_layouts() const {
    const Factors c = tile(p_.row_buffer());
    for (const std::size_t t : {kWeight, kOutput}) {
      require(!aligned_[t] || p_.units(t, c) <= p_.row_units, "mapping: a tile exceeds its row");
    }
    if (!aligned_[kInput]) return;
    require(p_.height(p_.bounds[Q], p_.bounds[S]) % block_h_ == 0 &&
                p_.width(p_.bounds[P], p_.bounds[R]) % block_w_ == 0 &&
                block_h_ >= p_.height(c[Q], c[S]) && block_w_ >= p_.width(c[P], c[R]) &&
                times(times<Int128>(block_h_, block_w_),
                      times(times(times<Int128>(c[C], c[N]), Int128{c[G]}),
                            Int128{p_.element_units[0]})) <= p_.row_units,
            "mapping: a block of the input is not allowed");
  }

  void check_constraints() const {
    const Constraints& c = p_.constraints;
    bool good = true;
    for (std::size_t d = 0; d < 3; ++d) good = good && c.unrolls(d, spatial_[d]);
    for (std::size_t m = 0; m < p_.levels.size(); ++m) {
      Factors loops = kOnes;
      DimSet outside = 0;
      for (const Loop& loop : loops_[m]) {
        loops[loop.dim] = loop.factor;
        if (loop.factor == 1) continue;
        good = good && (c.inside[m][loop.dim] & outside) == 0;
        outside |= 1U << loop.dim;
      }
      good = good && c.nests(m, kOnes, loops) && c.keeps(m, stores_[m]);
    }
    for (std::size_t t = 0; t < 3; ++t) good = good && c.may_be(t, aligned_[t]);
    const bool fits = c.block[0].admits(block_h_) && c.block[1].admits(block_w_);
    require(good && (!aligned_[kInput] || fits), "mapping: a constraint is not satisfied");
  }

  /// Elements that level m hands inwards, of which every loop from the innermost relevant one
  /// outwards repeats the tile of level `inner`; without one, the PEs are fed at every step.
  [[nodiscard]] Rational reads(std::size_t t, std::optional<std::size_t> inner, std::size_t m,
                               const Rational& temporal) const {
    Rational count = 1;
    if (!inner) {
      count = temporal;
      if (t == kInput && m == p_.row_buffer()) {  // the box that the PEs cover
        Factors box = spatial_[0];
        for (std::size_t j = 0; j < kDims; ++j) box[j] *= spatial_[1][j] * spatial_[2][j];
        return count * p_.elements(t, box);
      }
      for (std::size_t j = 0; j < kDims; ++j) {
        if (!relevant(t, j)) continue;
        count *= spatial_[2][j];
        if (m > 0) count *= spatial_[0][j] * spatial_[1][j];
      }
      return count;
    }
    count = p_.elements(t, tile(*inner));
    bool counting = false;
    for (std::size_t i = *inner + 1; i < loops_.size(); ++i) {
      for (auto loop = loops_[i].rbegin(); loop != loops_[i].rend(); ++loop) {
        counting = counting || (loop->factor > 1 && relevant(t, loop->dim));
        if (counting) count *= loop->factor;
      }
    }
    return count;
  }

  void add_traffic(std::size_t t, const Rational& temporal, std::vector<Rational>& busy,
                   Rational& interconnect, Cost& cost) const {
    std::optional<std::size_t> inner;
    bool crossed = false;
    for (std::size_t m = 0; m < p_.levels.size(); ++m) {
      if (!stores_[m][t]) continue;
      Rational each = reads(t, inner, m, temporal);
      Rational total = each;
      if (m == 0) {
        for (std::size_t j = 0; j < kDims; ++j) total *= spatial_[0][j] * spatial_[1][j];
      }
      if (t == kOutput && p_.psum_rereads) {
        const Rational both = 2 * total - p_.elements(t, p_.bounds);
        each *= both / total;
        total = both;
      }
      cost.energy += total * p_.levels[m].access_cost;
      const Rational bytes = each * p_.moved_bytes(t);
      if (m >= 1 && !crossed && p_.interconnect_bandwidth) {
        interconnect += bytes / *p_.interconnect_bandwidth;
      }
      crossed = crossed || m >= 1;
      const Rational cycles = bytes / p_.levels[m].bandwidth[t];
      if (m < p_.row_buffer()) {
        busy[m] =
            p_.levels[m].shared_ports ? Rational(busy[m] + cycles) : std::max(busy[m], cycles);
      } else if (m == p_.row_buffer()) {
        const Rational rows = row_activations(t);
        cost.activations += rows;
        cost.energy += rows * p_.activation_energy;
        const Rational stream = cycles + rows * p_.activation_cycles;
        busy[m] = p_.shared_streams ? Rational(busy[m] + stream) : std::max(busy[m], stream);
      }
      inner = m;
    }
  }

  /// The tile of the next level inside the row buffer that stores t, and the loops outside it; the
  /// PEs' own where there is none.
  [[nodiscard]] Stream stream(std::size_t t) const {
    std::size_t first = p_.row_buffer();
    while (first > 0 && !stores_[first - 1][t]) --first;
    Stream stream;
    stream.again = first == 0;
    stream.tile = stream.again ? spatial_tile() : tile(first - 1);
    Factors inner = stream.tile;
    for (std::size_t m = first; m < loops_.size(); ++m) {
      std::vector<Loop> nest = loops_[m];
      if (m == 0) {  // in the fixed order G R S P Q C K N
        const auto place = [](Loop l) { return (l.dim + 1) % kDims; };  // G first
        std::sort(nest.begin(), nest.end(), [&](Loop a, Loop b) { return place(a) < place(b); });
      }
      for (auto loop = nest.rbegin(); loop != nest.rend(); ++loop) {
        if (loop->factor == 1) continue;
        stream.loops.insert(stream.loops.begin(), {loop->dim, loop->factor, inner[loop->dim]});
        inner[loop->dim] *= loop->factor;
      }
    }
    return stream;
  }
  [[nodiscard]] Factors spatial_tile() const {
    Factors c = spatial_[2];
    for (std::size_t j = 0; j < kDims; ++j) c[j] *= spatial_[0][j] * spatial_[1][j];
    return c;
  }

  [[nodiscard]] Rational row_activations(std::size_t t) const {
    const Factors c = tile(p_.row_buffer());
    if (p_.trace) {
      const Stream moves = stream(t);
      const RowCounter counter = aligned_[t]
                                     ? RowCounter(p_, t, moves.tile, c, {block_h_, block_w_})
                                     : RowCounter(p_, t, moves.tile, channels_last_);
      PerTensor<std::size_t> reaches{};
      for (std::size_t u = 0; u < 3; ++u) reaches[u] = reach(u, stream(u));
      return cpp_int(counter.rows(moves, mates(p_, t, reaches)));
    }
    RowTile facts = row_tile(p_, t, c);
    if (t == kInput && aligned_[t]) facts.cross = crossings(p_, c, block_h_, block_w_);
    if (t == kInput && !aligned_[t] && p_.hybrid) facts.micro = micro_traces(p_, c, channels_last_);
    Reuse reuse;
    const auto split = [&](std::size_t m, Count& inner, Count& outer) {
      bool inside = true;
      for (auto loop = loops_[m].rbegin(); loop != loops_[m].rend(); ++loop) {
        if (loop->factor == 1) continue;
        inside = inside && !relevant(t, loop->dim);
        if (!relevant(t, loop->dim)) (inside ? inner : outer) *= loop->factor;
      }
    };
    split(p_.dram(), reuse.inner3, reuse.outer3);
    split(p_.row_buffer(), reuse.inner2, reuse.outer2);
    return {cpp_int(activations(p_, t, aligned_[t], facts, reuse)), cpp_int(p_.row_units)};
  }

  const Problem& p_;
  std::array<Factors, 3> spatial_{};
  std::vector<std::vector<Loop>> loops_;  // per level, outermost first
  std::vector<Flags> stores_;
  PerTensor<bool> aligned_{};
  bool channels_last_ = false;  // a sequential input
  std::int64_t block_h_ = 1, block_w_ = 1;
};

}  // namespace

Rational Cost::of(Goal goal, const Problem& p) const {
  if (goal == Goal::latency) return latency;
  if (goal == Goal::energy) return energy;
  if (goal == Goal::edp) return latency * energy;
  if (goal == Goal::activations) return activations;
  return p.alpha * latency + p.beta * energy;
}

Cost cost_of_mapping(const Problem& p, const std::string& text) {
  const Mapping mapping(p, text);
  mapping.check_feasible();
  return mapping.cost();
}

}  // namespace pimbb_check
