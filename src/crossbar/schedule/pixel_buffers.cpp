// Tensor by tensor: the last round of each pixel in each core, then sums over rounds.
#include "crossbar/schedule/pixel_buffers.hpp"

#include <algorithm>

#include "crossbar/partition/pixel_flow.hpp"
#include "crossbar/schedule/rounds.hpp"

namespace pimbb::crossbar::schedule {
namespace {

class PixelBuffers {
 public:
  PixelBuffers(const Architecture& architecture, const Partition& partition, const Mapping& mapping)
      : a_(architecture),
        p_(partition),
        mapping_(mapping),
        placements_(partition::placements(partition, mapping)),
        flow_(partition::pixel_flow(partition, placements_)),
        round_(partition.graph.nodes.size()) {
    const auto steps = rounds(p_, mapping_);
    rounds_ = steps.size();
    for (std::size_t round = 0; round < rounds_; ++round) {
      for (const Step& step : steps[round]) {
        std::vector<std::size_t>& of_node = round_[static_cast<std::size_t>(step.node)];
        of_node.resize(std::max(of_node.size(), static_cast<std::size_t>(step.window) + 1));
        of_node[static_cast<std::size_t>(step.window)] = round;
      }
    }
    const auto cores = static_cast<std::size_t>(a_.all_cores());
    change_.assign(cores, std::vector<std::int64_t>(rounds_ + 1, 0));
  }

  std::vector<std::int64_t> run() && {
    for (std::size_t v = 1; v < p_.graph.nodes.size(); ++v) {
      if (flow_.read[v]) add_tensor(v);
    }
    std::vector<std::int64_t> most;
    for (const std::vector<std::int64_t>& changes : change_) {
      std::int64_t bytes = 0;
      most.push_back(0);
      for (const std::int64_t change : changes)
        most.back() = std::max(most.back(), bytes += change);
    }
    return most;
  }

 private:
  void add_tensor(std::size_t v) {
    const auto pixels = static_cast<std::size_t>(p_.graph.nodes[v].windows());
    last_.assign(change_.size(), {});
    for (const std::int64_t core : flow_.needed[v]) {
      last_[static_cast<std::size_t>(core)].assign(pixels, 0);
    }
    for (std::size_t u = v + 1; u < p_.graph.nodes.size(); ++u) {
      const Node& node = p_.graph.nodes[u];
      if (!node.is_array() && !node.is_vector()) continue;
      if (std::ranges::count(p_.sources[u], v) == 0) continue;
      for (std::int64_t i = 0; i < node.windows(); ++i) read_window(u, i, pixels);
    }
    const std::int64_t bytes = a_.bytes(p_.graph.nodes[v].out.channels);
    for (std::size_t core = 0; core < last_.size(); ++core) {
      for (std::size_t k = 0; k < last_[core].size(); ++k) {
        if (last_[core][k] == 0) continue;  // rounds of readers begin with 2
        change_[core][round_[v][k]] += bytes;
        change_[core][last_[core][k] + 1] -= bytes;
      }
    }
  }

  /// Window `i` of node `u` reads its pixels in the cores that compute it.
  void read_window(std::size_t u, std::int64_t i, std::size_t pixels) {
    const Node& node = p_.graph.nodes[u];
    const std::size_t round = round_[u][static_cast<std::size_t>(i)];
    for (const std::int64_t core : computing(u, i)) {
      std::vector<std::size_t>& last = last_[static_cast<std::size_t>(core)];
      if (node.op == Op::fc) {
        last.assign(pixels, round);
      } else if (node.op == Op::eltwise) {
        raise(last[static_cast<std::size_t>(i)], round);
      } else {
        read_square(node, i, round, last);
      }
    }
  }

  static void raise(std::size_t& last, std::size_t round) { last = std::max(last, round); }

  static void read_square(const Node& node, std::int64_t i, std::size_t round,
                          std::vector<std::size_t>& last) {
    const WindowAxis& down = node.vertical;
    const WindowAxis& across = node.horizontal;
    const std::int64_t top = i / node.out.width * down.stride - down.before;
    const std::int64_t left = i % node.out.width * across.stride - across.before;
    const std::int64_t bottom = std::min(top + down.kernel, node.in.height);
    const std::int64_t right = std::min(left + across.kernel, node.in.width);
    for (std::int64_t y = std::max<std::int64_t>(top, 0); y < bottom; ++y) {
      for (std::int64_t x = std::max<std::int64_t>(left, 0); x < right; ++x) {
        raise(last[static_cast<std::size_t>(y * node.in.width + x)], round);
      }
    }
  }

  [[nodiscard]] std::vector<std::int64_t> computing(std::size_t u, std::int64_t i) const {
    if (!p_.array_of[u]) {
      const std::vector<std::int64_t>& makers = flow_.makers[u];
      return {makers[static_cast<std::size_t>(i) % makers.size()]};
    }
    const std::size_t array = *p_.array_of[u];
    const std::int64_t replica = i % mapping_.replication[array];
    const auto [first, behind] =
        std::equal_range(placements_[array].parts.begin(), placements_[array].parts.end(),
                         partition::Part{replica, 0, 0, 0},
                         [](const auto& a, const auto& b) { return a.replica < b.replica; });
    std::vector<std::int64_t> cores;
    for (auto part = first; part != behind; ++part) cores.push_back(part->core);
    return cores;
  }

  const Architecture& a_;
  const Partition& p_;
  const Mapping& mapping_;
  std::vector<partition::Placement> placements_;
  partition::PixelFlow flow_;
  std::size_t rounds_ = 0;
  std::vector<std::vector<std::size_t>> round_;    // by node and window
  std::vector<std::vector<std::size_t>> last_;     // of a tensor, by core and pixel
  std::vector<std::vector<std::int64_t>> change_;  // by core and round, bytes
};

}  // namespace

std::vector<std::int64_t> pixel_bytes(const Architecture& a, const Partition& p,
                                      const Mapping& mapping) {
  return PixelBuffers(a, p, mapping).run();
}

}  // namespace pimbb::crossbar::schedule
