// The problem of a whole device: a layer, the levels of units that share it, and what moves; read
// from the canonical instance of a proof. What splits and mappings of their slices cost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../incumbent.hpp"
#include "../json.hpp"
#include "../problem.hpp"

namespace pimbb_check::device {

struct Level {
  std::string name;                                         // as JSON, in ASCII
  std::int64_t count = 1;                                   // children of one parent
  std::optional<Rational> write_bandwidth, read_bandwidth;  // bytes a cycle; none: unbounded
  bool broadcast = false, reduce = false, lockstep = false;
  Rational reduce_energy, energy, latency;
  std::array<bool, kDims> dims{};  // that may be split here
};

/// How far the bound of a slice may grow.
struct Growth {
  std::int64_t more = 0;  // elements
  Rational factor = 1;
  [[nodiscard]] cpp_int top(std::int64_t bound) const;
};

/// Factors of each dimension at each level.
using Split = std::vector<Factors>;

/// What a split costs besides the work of its units.
struct Offer {
  Rational time;    // launch + in + out, or max(in, out) where phases overlap
  Rational energy;  // of links and additions
  cpp_int units = 1;
};

class Problem {
 public:
  explicit Problem(const std::string& canonical_text);

  [[nodiscard]] const pimbb_check::Problem& layer() const { return layer_; }
  [[nodiscard]] const std::vector<Level>& levels() const { return levels_; }
  /// The canonical instance of a slice on one unit, as any question of one layer.
  [[nodiscard]] std::string slice_instance(const Factors& bounds) const;
  /// Layer, device, what moves, limits: what the proof is about, in one line of ASCII.
  [[nodiscard]] std::string description() const;

  /// Whether a dimension may be split at a level.
  [[nodiscard]] bool may_split(std::size_t level, std::size_t j) const;
  /// The largest bound of a slice if the least one is `bound`.
  [[nodiscard]] cpp_int top(std::size_t j, std::int64_t bound) const;

  /// Whether the DRAM of a unit, which holds all tensors, is too small for a slice.
  [[nodiscard]] bool overflows_dram(const Factors& slice) const;
  [[nodiscard]] Offer price(const Split& split, const Factors& slice) const;
  /// What no split undercuts.
  [[nodiscard]] Offer nothing() const;
  /// The device's costs if a slice's mapping costs `part`.
  [[nodiscard]] Cost costs(const Offer& offer, const Cost& part) const;
  [[nodiscard]] Rational value(Goal goal, const Cost& costs) const {
    return costs.of(goal, layer_);
  }
  /// Whether goals and limits depend on a cost of the part.
  [[nodiscard]] bool looks_at(Goal cost) const;

 private:
  void read_device(const Json& json);
  void read_level(const Json& json);
  void read_padding(const Json& json);

  Json json_;
  pimbb_check::Problem layer_;
  std::string name_;
  Rational static_power_, launch_, stretch_ = 1;
  bool overlapped_ = false;
  Rational host_energy_;
  std::optional<Rational> host_bandwidth_;
  std::vector<Level> levels_;
  Flags moves_{};
  std::array<Growth, kDims> growth_;
  bool single_group_ = false;
};

}  // namespace pimbb_check::device
