// Sizes and times that follow from the figures, and the ranges of these.
#include "pimbb/crossbar/architecture.hpp"

#include <cassert>

#include "crossbar/chip/fields.hpp"
#include "exact/int128.hpp"
#include "pimbb/error.hpp"

namespace pimbb::crossbar {
namespace {

[[noreturn]] void refuse_figure(const std::string& key, const std::string& found,
                                const std::string& allowed) {
  throw InputError(key + ": found " + found + ", allowed are " + allowed);
}

/// Bandwidths as fractions of small integers: times of transfers are exact in 64 bits.
constexpr std::int64_t kMostAbove = 1'000'000'000;
constexpr std::int64_t kMostBelow = 1'000'000;

bool is_rate(const Rational& bandwidth) {
  const auto below = bandwidth.denominator();
  if (!below || *below > kMostBelow) return false;
  const auto above = bandwidth.in_units(*below);
  return above && *above <= kMostAbove;
}

}  // namespace

std::int64_t Architecture::bytes(std::int64_t elements) const {
  return static_cast<std::int64_t>((Int128{elements} * bits.activation + 7) / 8);
}

std::int64_t Architecture::vector_pass(std::int64_t bytes) const {
  return (bytes + core.vector_bytes - 1) / core.vector_bytes * core.vector_time;
}

std::int64_t transfer_time(std::int64_t bytes, const Rational& bandwidth) {
  assert(bytes >= 0 && bandwidth.sign() > 0);
  const std::int64_t below = bandwidth.denominator().value();
  const std::int64_t above = bandwidth.in_units(below).value();
  return static_cast<std::int64_t>((Int128{bytes} * below + above - 1) / above);
}

std::vector<std::string> warnings(const Architecture& a) {
  const std::int64_t bits = a.core.slices * a.core.cell_bits;
  if (a.core.slices == 1 || bits == a.bits.weight) return {};
  return {"core.slices: found " + std::to_string(a.core.slices) + " cells of " +
          std::to_string(a.core.cell_bits) + " bits for weights of " +
          std::to_string(a.bits.weight) +
          " bits, expected 1 (logical crossbars) or bits.weight / core.cell_bits"};
}

void validate(const Architecture& architecture) {
  Architecture a = architecture;
  for (const chip::IntegerField& field : chip::kIntegerFields) {
    const std::int64_t value = field.member(a);
    if (value >= field.least && value <= field.most) continue;
    refuse_figure(chip::full_key(field.group, field.key), std::to_string(value),
                  "integers " + std::to_string(field.least) + " .. " + std::to_string(field.most));
  }
  for (const chip::RationalField& field : chip::kRationalFields) {
    const Rational& value = field.member(a);
    const std::string key = chip::full_key(field.group, field.key);
    if (value.sign() < 0 || (value.sign() == 0 && field.positive)) {
      refuse_figure(key, value.to_string(), field.positive ? "numbers > 0" : "numbers >= 0");
    }
    if (field.group == "bandwidth" && !is_rate(value)) {
      refuse_figure(key, value.to_string(), "fractions of at most 1000000000 over 1000000");
    }
  }
  if (a.power.leak > Rational(1)) {
    refuse_figure("power.leak", a.power.leak.to_string(), "fractions 0 .. 1");
  }
  if (a.core.slices > a.core.columns) {
    refuse_figure("core.slices", std::to_string(a.core.slices),
                  "at most the columns of a crossbar, " + std::to_string(a.core.columns));
  }
  if (a.all_cores() > kMaxCount) {
    refuse_figure("cores", std::to_string(a.all_cores()) + " on all chips",
                  "at most " + std::to_string(kMaxCount));
  }
}

}  // namespace pimbb::crossbar
