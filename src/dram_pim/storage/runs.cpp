// Listing the states of each run.
#include "dram_pim/storage/runs.hpp"

namespace pimbb::dram_pim::mapper {

Runs::Runs(const Lattice& lattice, const run::Guard& guard) {
  std::vector<std::uint32_t> place(lattice.size());
  std::vector<std::uint32_t> parts;
  std::vector<std::uint32_t> drops;
  run::GuardedSteps step(guard);
  for (const Tensor t : kAllTensors) {
    for (std::uint32_t anchor = 0; anchor < lattice.anchors(t); ++anchor) {
      Run run;
      run.stationary = t;
      run.outer = lattice.outer(t, anchor);
      run.first = size_;
      lattice.anchors_inside(t, anchor, parts);
      for (const std::uint32_t part : parts) {
        lattice.anchor_drops(t, part, drops);
        run.own = run.tiles.size();
        for (const TileIndex c : lattice.with_anchor(t, part)) {
          step();
          place[c] = static_cast<std::uint32_t>(run.tiles.size());
          run.tiles.push_back(c);
          run.covers_at.push_back(static_cast<std::uint32_t>(run.covers.size()));
          for (const std::uint32_t drop : drops) {
            run.covers.push_back(place[lattice.covered(lattice[c], drop)]);
          }
        }
      }
      run.covers_at.push_back(static_cast<std::uint32_t>(run.covers.size()));
      size_ += run.tiles.size();
      by_anchor_[index(t)].push_back(runs_.size());
      runs_.push_back(std::move(run));
    }
  }
}

std::uint64_t Runs::count(const Lattice& lattice) {
  std::uint64_t sum = 0;
  std::vector<std::uint32_t> parts;
  for (const Tensor t : kAllTensors) {
    for (std::uint32_t anchor = 0; anchor < lattice.anchors(t); ++anchor) {
      lattice.anchors_inside(t, anchor, parts);
      for (const std::uint32_t part : parts) sum += lattice.with_anchor(t, part).size();
    }
  }
  return sum;
}

std::vector<std::size_t> Runs::places(const Lattice& lattice, const Arrivals& arrivals) const {
  std::vector<std::vector<std::size_t>> by_run(runs_.size());
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    const State to = arrivals[i].step.to;
    by_run[by_anchor_[index(to.stationary)][to.anchor]].push_back(i);
  }
  std::vector<std::size_t> places(arrivals.size());
  std::vector<std::size_t> place(lattice.size());
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const Run& run = runs_[r];
    for (std::size_t k = 0; k < run.tiles.size(); ++k) place[run.tiles[k]] = run.first + k;
    for (const std::size_t i : by_run[r]) places[i] = place[arrivals[i].step.to.tile];
  }
  return places;
}

}  // namespace pimbb::dram_pim::mapper
