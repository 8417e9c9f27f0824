// Why nothing in a spatial scheme is better than a claim, scheme after scheme.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cim/mapper/cost_to_go.hpp"
#include "cim/mapper/label_search.hpp"
#include "pimbb/cim/proof.hpp"
#include "run/guard.hpp"

namespace pimbb::cim::proof {

/// The line of a scheme in a document.
std::string scheme_record(SchemeReason reason, std::uint64_t image);

class SchemeReasons {
 public:
  /// Whether a mapping with this latency and total energy, or more, may be better than the claim.
  using MayBeBetter = std::function<bool(cost::Time latency, Int128 total)>;
  using Tell = std::function<void(SchemeReason reason, std::uint64_t image)>;

  /// Of the layer as it is given: with the bounds before padding. Keeps references to the
  /// accelerator and the question. Throws as the guard does.
  SchemeReasons(const Architecture& architecture, const Workload& given, const Question& question,
                const run::Guard& guard);

  /// The reasons of all schemes in order, on this thread.
  void close_all(const MayBeBetter& may_be_better, const Tell& tell) const;

  /// Latency and total energy of a mapping in the units of the search.
  [[nodiscard]] std::pair<cost::Time, Int128> costs_of(const Mapping& mapping,
                                                       const Metrics& metrics) const;
  [[nodiscard]] const cost::Units& units() const { return units_; }

 private:
  struct Closed {
    SchemeReason reason = SchemeReason::bound;
    std::uint64_t image = 0;
  };
  [[nodiscard]] Closed close(std::size_t k, const MayBeBetter& may_be_better) const;
  [[nodiscard]] std::uint64_t number_of(const mapper::Scheme& scheme) const;

  const Architecture& a_;
  const Workload layer_;
  const Question& question_;
  const cost::Units units_;
  const Elements elements_;
  const mapper::Problem problem_;
  mapper::FactorTables factors_;
  const run::Guard& guard_;
  std::vector<mapper::Scheme> schemes_;
  std::vector<mapper::DimensionSteps> steps_;  // of each scheme
  bool symmetric_ = false;
};

}  // namespace pimbb::cim::proof
