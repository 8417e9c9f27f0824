// Every element access that the DRAM sees, in order: what `trace` counts, told one by one.
//
// All temporal loops run once, outermost first. Whenever a tile of a tensor moves (stream.hpp says
// when), its elements are accessed in ascending address order; if several tensors move at the
// same iteration, input comes before weight before output. Accesses are handed out in runs of
// neighbours, so that a reader pays for a run, not for an element, and nothing is ever stored: the
// state is one odometer a tensor, whatever the length of the stream.
#pragma once

#include <cstdint>
#include <vector>

#include "dram_pim/rows/element_runs.hpp"
#include "dram_pim/rows/stream.hpp"

namespace pimbb::dram_pim::rows {

/// Part of a tile: elements that follow one another in memory.
struct AccessRun : ElementRun {
  Tensor tensor;
  std::int64_t iteration;  ///< of all temporal loops, counted from 0, at which the tile moves
};

/// The moves of one tensor: an odometer over the loops of its stream.
class TensorMoves {
 public:
  TensorMoves(const Architecture& architecture, const Mapping& mapping, Tensor t);

  [[nodiscard]] bool finished() const { return finished_; }
  /// Of all temporal loops, at which the next tile moves.
  [[nodiscard]] std::int64_t iteration() const { return iteration_; }
  [[nodiscard]] Factors start() const { return start_; }
  void advance();

 private:
  Stream stream_;
  std::vector<std::int64_t> weights_;  ///< iterations of all temporal loops in one of each loop
  std::vector<std::int64_t> at_;
  Factors start_{};
  std::int64_t repeat_ = 0;
  std::int64_t iteration_ = 0;
  bool finished_ = false;
};

class AccessStream {
 public:
  /// `mapping` is feasible. Only the tensors of `which` are told of.
  AccessStream(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
               const TensorFlags& which = {true, true, true});
  AccessStream(const AccessStream&) = delete;
  AccessStream& operator=(const AccessStream&) = delete;

  /// The next run; false at the end of the stream.
  bool next(AccessRun& run);

 private:
  struct Source {
    Tensor tensor = Tensor::input;
    Indices extent{};
    TensorMoves moves;
    ElementRuns runs;
  };
  bool begin_tile();

  Workload workload_;
  std::vector<Source> sources_;
  Source* moving_ = nullptr;
  std::int64_t iteration_ = 0;  ///< at which the tile of `moving_` moves
};

/// Elements of `t` accessed in the whole stream.
std::int64_t count_accesses(const Architecture& architecture, const Workload& workload,
                            const Mapping& mapping, Tensor t);

}  // namespace pimbb::dram_pim::rows
