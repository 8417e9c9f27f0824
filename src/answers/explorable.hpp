// What an exploration knows of a wing.
//
// An exploration asks many small questions: which mapping of one part of a network (a layer, or the
// whole network where a wing has no smaller problem) on one changed accelerator costs least? A wing
// implements Explorable with its own exact search. Totals, products of totals, fronts, pruning and
// journals are made from its answers, in exact arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/explore.hpp"
#include "search/least_product.hpp"

namespace pimbb::answers {

/// What is asked of a part: the least cost by the first goal of `order`, among equal ones by the
/// second, and so on; or, if there is no order, the least blend of goals 0 and 1.
struct Ask {
  std::vector<std::size_t> order;
  search::Blend blend = {};
  /// The same for equal questions only.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Ask& a, const Ask& b) { return a.text() == b.text(); }
};

/// The answer of a search.
struct PartAnswer {
  Status status = Status::unknown;
  std::vector<Rational> costs;  ///< by goal; empty without a mapping
  Rational bound;               ///< proven, of the first goal of the order, or of the blend
  std::uint64_t nodes = 0;
};

/// A part of a network that is mapped by itself.
struct NetworkPart {
  std::string name;
  Rational times = 1;  ///< its factor in the totals
  std::string text;    ///< the same for equal problems only; without name and factor
};

/// An accelerator at one point of a space.
class PointMachine {
 public:
  PointMachine() = default;
  PointMachine(const PointMachine&) = delete;
  PointMachine& operator=(const PointMachine&) = delete;
  virtual ~PointMachine() = default;
  /// The same for accelerators that are equal but for their names.
  [[nodiscard]] virtual const std::string& text() const = 0;
};

class Explorable {
 public:
  Explorable() = default;
  Explorable(const Explorable&) = delete;
  Explorable& operator=(const Explorable&) = delete;
  virtual ~Explorable() = default;

  [[nodiscard]] virtual Kind kind() const = 0;
  [[nodiscard]] virtual std::string architecture() const = 0;
  [[nodiscard]] virtual std::vector<std::string> networks() const = 0;
  /// The names of the goals, each a sum over parts and networks.
  [[nodiscard]] virtual std::vector<std::string> goals() const = 0;
  /// Whether the objective may be `edp`, the total of goal 0 times the total of goal 1.
  [[nodiscard]] virtual bool has_product() const = 0;
  /// The rest of the question in words: row models, semantics. Part of what a journal is about.
  [[nodiscard]] virtual std::string terms() const = 0;
  /// The number at a path of the base architecture's file.
  [[nodiscard]] virtual std::optional<Rational> figure(const std::string& path) const = 0;
  /// The architecture with changed values. Throws InputError. Thread-safe, as are the rest.
  [[nodiscard]] virtual std::shared_ptr<const PointMachine> machine(
      const std::vector<std::string>& changes) const = 0;
  [[nodiscard]] virtual const std::vector<NetworkPart>& parts(std::size_t network) const = 0;
  /// The blend, or one close to it whose weights all parts' searches can compute with.
  [[nodiscard]] virtual search::Blend fitting(const PointMachine& machine, std::size_t network,
                                              const search::Blend& blend) const = 0;
  /// Lower bounds of a part's costs that are known without a search, by goal.
  [[nodiscard]] virtual std::vector<Rational> floor(const PointMachine& machine,
                                                    std::size_t network,
                                                    std::size_t part) const = 0;
  /// The search. Its answer depends on the limit of nodes, but neither on threads nor on timing
  /// unless time limit or interruption end it.
  [[nodiscard]] virtual PartAnswer solve(const PointMachine& machine, std::size_t network,
                                         std::size_t part, const Ask& ask,
                                         const RunLimits& limits) const = 0;
};

/// Explores the space. As dram_pim::explore().
Exploration explore(const Space& space, const Explorable& explorable, const ExploreOptions& options,
                    const OnExplored& on_progress);

}  // namespace pimbb::answers
