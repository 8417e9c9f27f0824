// The problems of a space: its points, their machines, and searches about their parts.
//
// Every process of an exploration has them; who hands out the work and who solves it mean the same
// by the number of a point.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "answers/explorable.hpp"
#include "answers/grid.hpp"
#include "answers/network_answer.hpp"
#include "answers/part_solvers.hpp"
#include "run/clock.hpp"

namespace pimbb::answers {

class PointProblems {
 public:
  /// Keeps references.
  PointProblems(const Space& space, const Explorable& explorable, const RunLimits& limits);

  [[nodiscard]] std::size_t size() const { return points_.size(); }
  [[nodiscard]] const GridPoint& point(std::size_t k) const { return points_[k]; }
  /// The machine of a point, made when it is first needed; throws InputError that names the point.
  [[nodiscard]] const PointMachine& machine(std::size_t k) const;
  /// The hash of its text.
  [[nodiscard]] const std::string& machine_hash(std::size_t k) const;
  /// The number of a part among the different ones of all networks.
  [[nodiscard]] std::size_t part_number(std::size_t network, std::size_t part) const {
    return part_numbers_[network][part];
  }
  /// The hash of a search: machine, part, question and its terms.
  [[nodiscard]] std::string search_hash(std::size_t k, std::size_t network, std::size_t part,
                                        const Ask& ask) const;
  /// The hash of all that determines what an exploration has to solve.
  [[nodiscard]] std::string space_hash(const ObjectiveGoals& goals) const;

  /// Solves a part, within what is left of the time. Never throws: faults are part of the result.
  [[nodiscard]] PartDone solve(const PartTask& task, const run::Clock& clock) const;

 private:
  struct Made {
    std::shared_ptr<const PointMachine> machine;
    std::string hash;
  };
  [[nodiscard]] const Made& made(std::size_t k) const;
  [[nodiscard]] std::string terms() const;

  const Space& space_;
  const Explorable& explorable_;
  const RunLimits& limits_;
  std::vector<GridPoint> points_;
  std::vector<std::vector<std::size_t>> part_numbers_;
  std::vector<std::string> part_hashes_;  // by number
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Made>> made_;
  mutable std::mutex alone_;  // held by a search that needs all of the memory
};

}  // namespace pimbb::answers
