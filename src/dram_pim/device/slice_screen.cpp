// The sums of each goal, and their rounding.
#include "dram_pim/device/slice_screen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exact/rational_impl.hpp"

namespace pimbb::dram_pim::device {
namespace {

constexpr int kWeightBits = 48;
/// Of a part; five parts of such a size times weights fit 128 bits.
constexpr Int128 kLargest = Int128{1} << 74;
constexpr Int128 kMost = std::numeric_limits<Int128>::max();

/// Rounded down.
boost::multiprecision::cpp_int shifted(const Rational& value, int bits) {
  using boost::multiprecision::cpp_int;
  const auto& exact = value.impl().value;
  cpp_int above = numerator(exact);
  cpp_int below = denominator(exact);
  (bits >= 0 ? above : below) <<= std::abs(bits);
  return above / below;
}

}  // namespace

SliceScreen::Sum& SliceScreen::Sum::add(const Sum& other, const Rational& times) {
  constant += other.constant * times;
  for (std::size_t k = 0; k < kParts; ++k) weights[k] += other.weights[k] * times;
  return *this;
}

SliceScreen::SliceScreen(const Setting& setting, const Objective& objective, Goal goal,
                         const Rational& known)
    : s_(setting) {
  switch (goal) {
    case Goal::latency: limit_latency(known); break;
    case Goal::energy: add_limit(energy_sum(), known); break;
    case Goal::edp:  // one factor, if the other one is at its least
      if (s_.whole.energy.sign() > 0) limit_latency(known / s_.whole.energy);
      if (s_.whole.latency.sign() > 0) add_limit(energy_sum(), known / s_.whole.latency);
      break;
    case Goal::blended:
      for (const Sum& time : latencies()) {
        add_limit(Sum{}.add(time, objective.alpha).add(energy_sum(), objective.beta), known);
      }
      break;
    case Goal::activations: break;
  }
}

/// Sums of which the latency is none of less: one if phases follow each other, else three.
std::vector<SliceScreen::Sum> SliceScreen::latencies() const {
  Sum in{s_.transfers.way(), {}};
  Sum out = in;
  Sum run;
  run.weights[latency] = s_.device.stretch() * s_.scale.latency(1);
  const bool linked = !s_.device.levels.empty();
  for (const auto& [t, part] :
       {std::pair(Tensor::input, input), std::pair(Tensor::weight, weight)}) {
    if (s_.moves[index(t)]) in.weights[part] = bytes(t) * s_.transfers.write_time();
  }
  out.weights[output] = bytes(Tensor::output) * s_.transfers.read_time();
  if (!linked || (!s_.moves[index(Tensor::input)] && !s_.moves[index(Tensor::weight)])) in = {};
  if (!linked || !s_.moves[index(Tensor::output)]) out = {};
  Sum launch{s_.device.launch, {}};
  if (s_.device.phases == Phases::sequential) return {launch.add(in, 1).add(run, 1).add(out, 1)};
  return {Sum(launch).add(run, 1), Sum(launch).add(in, 1), Sum(launch).add(out, 1)};
}

/// The weight and the output are moved as a whole, if they are.
SliceScreen::Sum SliceScreen::energy_sum() const {
  Sum sum;
  sum.weights[energy] = s_.scale.energy(1);
  if (s_.moves[index(Tensor::input)]) {
    sum.weights[input] = bytes(Tensor::input) * s_.transfers.energy();
  }
  for (const Tensor t : {Tensor::weight, Tensor::output}) {
    if (!s_.moves[index(t)]) continue;
    const Rational elements = s_.layer.tile_elements(t, s_.layer.bounds);
    sum.constant += elements * bytes(t) * s_.transfers.energy();
  }
  return sum.add(latencies().front(), s_.device.static_power);
}

void SliceScreen::limit_latency(const Rational& most) {
  for (const Sum& time : latencies()) add_limit(time, most);
}

void SliceScreen::add_limit(const Sum& sum, const Rational& most) {
  const Rational largest = *std::ranges::max_element(sum.weights);
  if (!std::isnormal(largest.to_double())) return;
  const int bits = kWeightBits - 1 - std::ilogb(largest.to_double());
  Limit limit;
  for (std::size_t k = 0; k < kParts; ++k) {
    limit.weights[k] = shifted(sum.weights[k], bits).convert_to<Int128>();
  }
  const Rational rest = most - sum.constant;
  if (rest.sign() < 0) {
    limit.most = -1;
  } else {
    const boost::multiprecision::cpp_int all = shifted(rest, bits) + 1;
    limit.most = msb(all) < 126 ? all.convert_to<Int128>() : kMost;
  }
  limits_.push_back(limit);
}

bool SliceScreen::passes(const Factors& bounds, std::int64_t units,
                         const mapper::Costs& least) const {
  if (limits_.empty()) return true;
  std::array<Int128, kParts> parts{least.latency, least.energy};
  for (const auto& [t, part] : {std::pair(Tensor::input, input), std::pair(Tensor::weight, weight),
                                std::pair(Tensor::output, output)}) {
    parts[part] = s_.layer.tile_elements(t, bounds);
  }
  if (parts[energy] > kLargest / units) return true;
  parts[energy] *= units;
  if (std::ranges::any_of(parts, [](Int128 part) { return part > kLargest; })) return true;
  return std::ranges::all_of(limits_, [&](const Limit& limit) {
    Int128 sum = 0;
    for (std::size_t k = 0; k < kParts; ++k) sum += limit.weights[k] * parts[k];
    return sum <= limit.most;
  });
}

Int128 SliceScreen::most_latency() const {
  Int128 most = kMost;
  for (const Limit& limit : limits_) {
    if (limit.weights[latency] == 0) continue;
    most = std::min(most, limit.most < 0 ? Int128{0} : limit.most / limit.weights[latency]);
  }
  return most;
}

}  // namespace pimbb::dram_pim::device
