// A wing of its own for tests of explorations: parts with a handful of mappings each, on machines
// of three figures, `h`, `w` and `room`. Everything is enumerated, so tests know all answers.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "answers/explorable.hpp"

namespace toy {

/// A mapping takes time / (h * w) cycles, energy + room / 100, and fits if size <= room.
struct ToyMapping {
  std::int64_t time = 1;
  std::int64_t energy = 1;
  std::int64_t size = 1;
};

struct ToyPart {
  std::int64_t times = 1;
  std::vector<ToyMapping> mappings;
};

class ToyWing final : public pimbb::answers::Explorable {
 public:
  /// Random parts; `networks` networks.
  ToyWing(std::uint64_t seed, std::size_t networks);

  [[nodiscard]] pimbb::Kind kind() const override { return pimbb::Kind::dram_pim; }
  [[nodiscard]] std::string architecture() const override { return "toy"; }
  [[nodiscard]] std::vector<std::string> networks() const override;
  [[nodiscard]] std::vector<std::string> goals() const override { return {"latency", "energy"}; }
  [[nodiscard]] bool has_product() const override { return true; }
  [[nodiscard]] std::string terms() const override { return "toy"; }
  [[nodiscard]] std::optional<pimbb::Rational> figure(const std::string&) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::shared_ptr<const pimbb::answers::PointMachine> machine(
      const std::vector<std::string>& changes) const override;
  [[nodiscard]] const std::vector<pimbb::answers::NetworkPart>& parts(
      std::size_t network) const override {
    return parts_[network];
  }
  [[nodiscard]] pimbb::search::Blend fitting(const pimbb::answers::PointMachine&, std::size_t,
                                             const pimbb::search::Blend& blend) const override {
    return blend;
  }
  [[nodiscard]] std::vector<pimbb::Rational> floor(const pimbb::answers::PointMachine& machine,
                                                   std::size_t network,
                                                   std::size_t part) const override;
  [[nodiscard]] pimbb::answers::PartAnswer solve(const pimbb::answers::PointMachine& machine,
                                                 std::size_t network, std::size_t part,
                                                 const pimbb::answers::Ask& ask,
                                                 const pimbb::RunLimits& limits) const override;

  /// The least objective over all choices of mappings, by exhaustion; nothing if there is none.
  [[nodiscard]] std::optional<pimbb::Rational> optimum(const std::vector<std::string>& values,
                                                       const std::string& objective) const;

  mutable std::atomic<std::size_t> solves{0};
  /// Throws std::runtime_error at this solve, and from then on.
  std::size_t fails_at = ~std::size_t{0};

 private:
  std::vector<std::vector<ToyPart>> networks_;
  std::vector<std::vector<pimbb::answers::NetworkPart>> parts_;
};

/// h and w from 1, 2, 3, room 1 .. 4; objective "edp", "latency", "energy,latency".
pimbb::Space toy_space(const std::string& objective, bool cost = true);

}  // namespace toy
