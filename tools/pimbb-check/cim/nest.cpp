// Reading a mapping, its feasibility, and its transfers.
#include "nest.hpp"

#include <algorithm>

#include "../json.hpp"
#include "scheme.hpp"

namespace pimbb_check::cim {
namespace {

constexpr std::size_t kMostLoops = 63;

std::int64_t factor_of(const Json& json) {
  require(json.is_number_unsigned() && json.get<std::uint64_t>() >= 2 &&
              json.get<std::uint64_t>() <= std::uint64_t{1} << 53,
          "mapping: a factor below 2, or too large");
  return json.get<std::int64_t>();
}

/// The position of a name after `from`; names stand in order.
template <class Names>
std::size_t position(const std::string& name, const Names& names, std::size_t from) {
  std::size_t k = from;
  while (k < names.size() && name != names[k]) ++k;
  require(k < names.size(), "mapping: an unknown name, or names in another order");
  return k;
}

std::string text_of(const Json& json) {
  require(json.is_string(), "mapping: a name is wanted");
  return json.get<std::string>();
}

}  // namespace

Nest::Nest(const Problem& p, const std::string& text)
    : p_(p), spatial_(p.axes.size(), kOnes), doubled_(p.levels.size()) {
  const Json json = parse_normal(text, "mapping");
  const std::array<std::string_view, 3> keys{"spatial", "loops", "double"};
  with_keys(json, keys, "mapping");
  std::vector<std::string> axes, levels, dims;
  for (const Axis& axis : p.axes) axes.push_back(axis.name);
  for (const Level& level : p.levels) levels.push_back(level.name);
  for (const char letter : kDimLetters) dims.emplace_back(1, letter);

  const Json& spatial = json.at("spatial");
  require(spatial.is_object(), "mapping: spatial factors are wanted");
  std::size_t u = 0;
  for (const auto& [axis, factors] : spatial.items()) {
    u = position(axis, axes, u);
    require(factors.is_object() && !factors.empty(), "mapping: spatial factors are wanted");
    std::size_t j = 0;
    for (const auto& [dim, factor] : factors.items()) {
      j = position(dim, dims, j);
      spatial_[u][j++] = factor_of(factor);
    }
    ++u;
  }
  const Json& loops = json.at("loops");
  require(loops.is_array() && loops.size() <= kMostLoops, "mapping: a list of loops is wanted");
  for (const Json& row : loops) {
    require(row.is_array() && row.size() == 5, "mapping: a loop has five parts");
    Loop loop;
    loop.dim = position(text_of(row[0]), dims, 0);
    loop.factor = factor_of(row[1]);
    for (std::size_t t = 0; t < 3; ++t) {
      loop.level[t] = position(text_of(row[2 + t]), levels, 0);
    }
    loops_.push_back(loop);
  }
  const Json& doubled = json.at("double");
  require(doubled.is_object(), "mapping: doubled tiles are wanted");
  std::size_t m = 0;
  for (const auto& [level, tensors] : doubled.items()) {
    m = position(level, levels, m);
    require(tensors.is_array() && !tensors.empty(), "mapping: doubled tiles are wanted");
    std::size_t t = 0;
    for (const Json& tensor : tensors) {
      t = position(text_of(tensor), kTensorNames, t);
      doubled_[m][t++] = true;
    }
    ++m;
  }
}

Factors Nest::unrolled() const {
  Factors all = kOnes;
  for (const Factors& factors : spatial_) {
    for (std::size_t j = 0; j < kDims; ++j) all[j] = times(all[j], factors[j]);
  }
  return all;
}

std::int64_t Nest::products() const {
  std::int64_t product = 1;
  for (const Loop& loop : loops_) product *= loop.factor;
  return product;
}

std::int64_t Nest::cores() const {
  std::int64_t product = 1;
  for (const std::int64_t factor : spatial_[0]) product *= factor;
  return product;
}

void Nest::check_feasible() const {
  check_factors();
  check_levels();
  check_doubling();
  check_capacity();
}

void Nest::check_factors() const {
  for (std::size_t u = 0; u < p_.axes.size(); ++u) {
    std::int64_t lanes = 1;
    for (std::size_t j = 0; j < kDims; ++j) {
      require(spatial_[u][j] == 1 || p_.axes[u].dims[j], "mapping: a dimension that an axis lacks");
      lanes = times(lanes, spatial_[u][j]);
    }
    require(lanes <= p_.axes[u].size, "mapping: an axis is too short");
  }
  const Factors all = unrolled();
  for (std::size_t j = 0; j < kDims; ++j)
    require(all[j] <= p_.bounds[j], "mapping: a large factor");
  const Factors bounds = p_.grown(all);
  for (std::size_t j = 0; j < kDims; ++j) {
    std::int64_t left = bounds[j];
    const auto take = [&](std::int64_t factor) {
      require(left % factor == 0, "mapping: factors do not multiply to the bound");
      left /= factor;
    };
    take(all[j]);
    std::vector<std::int64_t> factors;
    const std::int64_t extent = left;
    for (const Loop& loop : loops_) {
      if (loop.dim != j) continue;
      take(loop.factor);
      factors.push_back(loop.factor);
      require(p_.factors != FactorRule::prime || is_prime(loop.factor),
              "mapping: a factor that is no prime");
    }
    require(left == 1, "mapping: factors do not multiply to the bound");
    std::ranges::sort(factors);
    require(p_.factors != FactorRule::flex || factors == flexible(extent),
            "mapping: factors that are not those of the list");
  }
}

void Nest::check_levels() const {
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    for (std::size_t t = 0; t < 3; ++t) {
      const std::size_t m = loops_[i].level[t];
      require(p_.levels[m].stores[t], "mapping: a level that does not store a tensor");
      require(i == 0 || m <= loops_[i - 1].level[t],
              "mapping: a level outside that of a loop around");
      require(loops_[i].dim != G || m != p_.innermost(t), "mapping: a loop over G innermost");
    }
    const bool moves_weights = kIrrelevantTo[loops_[i].dim] == kWeight;
    require(!p_.stationary || !moves_weights || loops_[i].level[kWeight] == p_.innermost(kWeight),
            "mapping: weights that do not stay in place");
  }
}

void Nest::check_doubling() const {
  for (std::size_t m = 0; m < p_.levels.size(); ++m) {
    for (std::size_t t = 0; t < 3; ++t) {
      const bool may = p_.levels[m].may_double[t] && used(m, t) && p_.doubling != Doubling::off;
      require(may || !doubled_[m][t], "mapping: a tile that must not be doubled");
      require(!may || doubled_[m][t] || p_.doubling != Doubling::on,
              "mapping: a tile that must be doubled");
    }
  }
}

void Nest::check_capacity() const {
  for (std::size_t m = 0; m < p_.levels.size(); ++m) {
    Rational need = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      if (used(m, t)) need += data_bits(m, t) * (doubled_[m][t] ? 2 : 1);
    }
    require(!p_.levels[m].size || need <= *p_.levels[m].size, "mapping: a level overflows");
  }
}

bool Nest::used(std::size_t m, std::size_t t) const {
  return std::ranges::any_of(loops_, [&](const Loop& loop) { return loop.level[t] == m; });
}

std::size_t Nest::next(std::size_t m, std::size_t t) const {
  for (std::size_t x = m; x-- > 0;) {
    if (used(x, t)) return x;
  }
  return kMac;
}

bool Nest::psum(std::size_t m) const {
  return std::ranges::any_of(
      loops_, [&](const Loop& loop) { return reduces(loop.dim) && loop.level[kOutput] >= m; });
}

std::int64_t Nest::elements(std::size_t m, std::size_t t, bool with_level) const {
  Factors extents = kOnes;
  for (std::size_t u = 0; u < p_.axes.size(); ++u) {
    if (m < p_.axes[u].fan_out[t]) continue;
    for (std::size_t j = 0; j < kDims; ++j) extents[j] *= spatial_[u][j];
  }
  for (const Loop& loop : loops_) {
    if (loop.level[t] < m || (with_level && loop.level[t] == m)) extents[loop.dim] *= loop.factor;
  }
  return p_.elements(t, extents);
}

std::int64_t Nest::instances(std::size_t m, std::size_t t) const {
  std::int64_t count = 1;
  for (std::size_t u = 0; u < p_.axes.size(); ++u) {
    if (m >= p_.axes[u].fan_out[t]) continue;
    for (const std::int64_t factor : spatial_[u]) count *= factor;
  }
  return count;
}

Rational Nest::whole_bits(std::size_t t) const {
  return Rational(p_.elements(t, p_.grown(unrolled()))) * p_.bits[t];
}

bool Nest::transfers(std::size_t i, std::size_t t) const {
  const std::size_t m = loops_[i].level[t];
  if (t == kWeight && m == p_.innermost(t)) return false;
  // The loops of the block inside this one must all be irrelevant; so must this one, unless it is
  // relevant itself, and then it is the outermost of the block.
  for (std::size_t k = i + 1; k < loops_.size() && loops_[k].level[t] == m; ++k) {
    if (relevant(t, loops_[k].dim)) return false;
  }
  return relevant(t, loops_[i].dim) || i == 0 || loops_[i - 1].level[t] != m;
}

Rational Nest::time(std::size_t i, std::size_t t) const {
  if (!transfers(i, t)) return 0;
  const std::size_t m = loops_[i].level[t];
  const Rational raw = tile_bits(m, t) / p_.levels[m].bandwidth;
  const bool serial = m == innermost(t) && m != p_.innermost(t);
  switch (p_.semantics) {
    case Semantics::table3: return raw;
    case Semantics::recursion: return std::max(Rational(1), raw) + (serial ? 1 : 0);
    default: {
      const cpp_int ceiling = (numerator(raw) + denominator(raw) - 1) / denominator(raw);
      return Rational(ceiling) + (serial ? 1 : 0);
    }
  }
}

std::int64_t Nest::fires(std::size_t i) const {
  std::int64_t product = 1;
  for (std::size_t k = 0; k <= i; ++k) product *= loops_[k].factor;
  return product;
}

bool Nest::hidden(std::size_t i, std::size_t t) const {
  const std::size_t x = next(loops_[i].level[t], t);
  return x != kMac && doubled_[x][t];
}

Rational Nest::boot(std::size_t t) const {
  if (outermost(t) == p_.dram()) return 0;
  return whole_bits(t) / p_.levels[p_.dram()].bandwidth;
}

}  // namespace pimbb_check::cim
