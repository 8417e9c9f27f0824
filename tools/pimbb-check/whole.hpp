// What a layer's mapping is a part of, where a proof is about something larger: the work of one
// unit of a device.
#pragma once

#include <vector>

#include "incumbent.hpp"

namespace pimbb_check {

class Whole {
 public:
  Whole() = default;
  Whole(const Whole&) = delete;
  Whole& operator=(const Whole&) = delete;
  virtual ~Whole() = default;

  /// Whether a whole whose part costs no less than this may be better than what is claimed. If so,
  /// it may be with a part that costs less, too.
  [[nodiscard]] virtual bool may_be_better(const Cost& part) const = 0;
  /// Whether that depends on the part's latency, energy or activations.
  [[nodiscard]] virtual bool looks_at(Goal cost) const = 0;
  /// Costs of parts: with one that costs no less in anything that looks_at() names, no whole is
  /// better. They are compared in integers, which takes no time.
  [[nodiscard]] virtual std::vector<Cost> as_good() const { return {}; }
  /// Whether with all other parts a whole may be better.
  [[nodiscard]] virtual bool only_as_good() const { return false; }
};

}  // namespace pimbb_check
