// What a layer's mapping is a part of, where a proof is about something larger: the work of one
// unit of a device.
#pragma once

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
};

}  // namespace pimbb_check
