// The table over the lattice inside the row buffer; paths through the sets of loops outside.
#include "dram_pim/trace/joint_floors.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "dram_pim/trace/sequential_rows.hpp"
#include "exact/factors.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

constexpr std::int64_t kUnreached = JointSeams::kUnreached;

rows::SeamLine block_line(const Workload& w, std::int64_t edge, Dim output, std::int64_t stride,
                          Dim kernel, std::int64_t dilation) {
  return {edge,
          0,
          {{kernel, divisors_of(w.bound(kernel)), dilation},
           {output, divisors_of(w.bound(output)), stride}}};
}
rows::SeamLine high_line(const Workload& w, std::int64_t edge) {
  return block_line(w, edge, Dim::Q, w.stride_h, Dim::S, w.dilation_h);
}
rows::SeamLine wide_line(const Workload& w, std::int64_t edge) {
  return block_line(w, edge, Dim::P, w.stride_w, Dim::R, w.dilation_w);
}

std::vector<rows::SeamLine> sequential_lines(const Instance& instance) {
  const Workload& w = instance.workload;
  std::vector<rows::SeamLine> lines;
  for (const Architecture& a : instance.rows.sequential_inputs()) {
    lines.push_back(sequential_line(a, w, Tensor::input));
  }
  lines.push_back(sequential_line(instance.architecture, w, Tensor::weight));
  lines.push_back(sequential_line(instance.architecture, w, Tensor::output));
  return lines;
}

/// Blocks with such an edge fit a row.
std::vector<std::int64_t> edges(std::int64_t plane, std::int64_t row) {
  std::vector<std::int64_t> edges = divisors_of(plane);
  std::erase_if(edges, [&](std::int64_t edge) { return edge > row; });
  return edges;
}

std::size_t place(const std::vector<std::int64_t>& edges, std::int64_t edge) {
  return static_cast<std::size_t>(std::ranges::lower_bound(edges, edge) - edges.begin());
}

}  // namespace

/// The orders of the DRAM's loops around one tile, as paths through the sets of loops inside.
class JointSeams::Paths {
 public:
  Paths(const JointSeams& seams, const Tile& tile, TileIndex at);
  [[nodiscard]] Outside of(LoopClass at_dram) const;

 private:
  /// Layouts of single tensors: the input's, weight and output sequential and row-aligned.
  static constexpr std::size_t kSingle = kInputLayouts + 4;
  using Terms = std::array<std::int64_t, kSingle>;
  using Places = rows::LineSeams::Places;

  static void add(Sums& sums, const Terms& terms) {
    for (std::size_t i = 0; i < kCombined; ++i) {
      sums[i] += terms[i / 4] + terms[kInputLayouts + i / 2 % 2] + terms[kInputLayouts + 2 + i % 2];
    }
  }
  static void lower(Sums& least, const Sums& other) {
    for (std::size_t i = 0; i < kCombined; ++i) least[i] = std::min(least[i], other[i]);
  }
  static Sums nothing(std::int64_t value) {
    Sums sums;
    sums.fill(value);
    return sums;
  }

  [[nodiscard]] DimMask dims(std::size_t set) const {
    DimMask mask = 0;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      if ((set >> i & 1U) != 0) mask |= bit(loops_[i]);
    }
    return mask;
  }
  /// Trips of those of the DRAM's loops `among` that are not inside.
  [[nodiscard]] std::int64_t trips(DimMask inside, DimMask among) const {
    return product_over(trips_, static_cast<DimMask>(among & ~inside));
  }
  [[nodiscard]] std::size_t box(const rows::LineSeams& line, DimMask inside) const;
  [[nodiscard]] Terms terms(DimMask inside, Dim j) const;
  [[nodiscard]] std::int64_t sequential(std::size_t line, Tensor t, DimMask inside, Dim j) const;
  [[nodiscard]] std::int64_t aligned(Tensor t, DimMask inside, Dim j) const;
  [[nodiscard]] std::int64_t aligned_input(DimMask inside, Dim j) const;
  [[nodiscard]] std::int64_t within_blocks(const Block& block, DimMask inside, Dim j) const;
  [[nodiscard]] std::size_t layout(Tensor t) const {
    return t == Tensor::input ? 0 : kInputLayouts + 2 * (index(t) - 1);
  }
  void resting(Tensor t, Sums& sums) const;

  const JointSeams& seams_;
  const Tile& tile_;
  Factors trips_ = kOnes;
  std::vector<Dim> loops_;
  std::vector<Block> blocks_;
  Sums allowed_;            // 0 or kUnreached
  std::vector<Sums> rest_;  // by set of loops inside
};

JointSeams::Paths::Paths(const JointSeams& seams, const Tile& tile, TileIndex at)
    : seams_(seams), tile_(tile), allowed_(nothing(0)) {
  const Instance& instance = seams.instance_;
  for (const Dim j : kAllDims) {
    trips_[index(j)] = instance.workload.bound(j) / tile.c[index(j)];
    if (trips_[index(j)] > 1) loops_.push_back(j);
  }
  const RowTable& table = instance.rows;
  Terms allowed{};
  for (std::size_t i = seams.inputs_; i < kAligned; ++i) allowed[i] = kUnreached;
  for (const Tensor t : kAllTensors) {
    if (t != Tensor::input && !table.can_be_sequential(t)) allowed[layout(t)] = kUnreached;
    const std::size_t aligned = t == Tensor::input ? kAligned : layout(t) + 1;
    if (!table.can_align(at, t)) allowed[aligned] = kUnreached;
  }
  for (std::size_t i = 0; i < kCombined; ++i) {
    const std::int64_t worst = std::max(
        {allowed[i / 4], allowed[kInputLayouts + i / 2 % 2], allowed[kInputLayouts + 2 + i % 2]});
    allowed_[i] = worst;
  }
  if (table.can_align(at, Tensor::input)) blocks_ = table.admissible_blocks(at);
  rest_.assign(std::size_t{1} << loops_.size(), nothing(kUnreached));
  rest_.back() = nothing(0);
  for (std::size_t set = rest_.size() - 1; set-- > 0;) {
    const DimMask inside = dims(set);
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      if ((set >> i & 1U) != 0) continue;
      Sums sums = rest_[set | std::size_t{1} << i];
      add(sums, terms(inside, loops_[i]));
      lower(rest_[set], sums);
    }
  }
}

std::size_t JointSeams::Paths::box(const rows::LineSeams& line, DimMask inside) const {
  std::size_t box = line.box(tile_.at);
  for (const Dim j : loops_) {
    if ((inside & bit(j)) != 0) box = line.filled(box, tile_.at, index(j));
  }
  return box;
}

/// What the loop over j adds if the loops `inside` are inside it.
JointSeams::Paths::Terms JointSeams::Paths::terms(DimMask inside, Dim j) const {
  Terms terms{};
  for (std::size_t i = 0; i < seams_.inputs_; ++i) {
    terms[i] = sequential(i, Tensor::input, inside, j);
  }
  if (!blocks_.empty()) terms[kAligned] = aligned_input(inside, j);
  for (const Tensor t : {Tensor::weight, Tensor::output}) {
    terms[layout(t)] = sequential(seams_.line_of(t), t, inside, j);
    terms[layout(t) + 1] = aligned(t, inside, j);
  }
  return terms;
}

std::int64_t JointSeams::Paths::sequential(std::size_t line, Tensor t, DimMask inside,
                                           Dim j) const {
  const rows::LineSeams& seams = seams_.lines_[line];
  const std::size_t from = box(seams, inside);
  const std::int64_t around = trips(inside, irrelevant_mask(t));
  if (relevant(t, j)) return around * seams.full(from, index(j));
  return (around - around / trips_[index(j)]) * seams.crosses(from);
}

/// Weight and output: a row for each row-buffer tile.
std::int64_t JointSeams::Paths::aligned(Tensor t, DimMask inside, Dim j) const {
  const bool one_tile = (inside & ~irrelevant_mask(t)) == 0;
  if (one_tile && !relevant(t, j)) return 0;
  const std::int64_t around = trips(inside, kEveryDim);
  return around - around / trips_[index(j)];
}

/// The least of all blocks; the first loop bears what visits to single tiles open.
std::int64_t JointSeams::Paths::aligned_input(DimMask inside, Dim j) const {
  constexpr auto kGroups = static_cast<DimMask>(bit(Dim::N) | bit(Dim::C) | bit(Dim::G));
  const std::int64_t around = trips(inside, kEveryDim);
  if ((inside & kGroups) != 0) return around - around / trips_[index(j)];
  std::int64_t least = kUnreached;
  for (const Block& block : blocks_) least = std::min(least, within_blocks(block, inside, j));
  if ((bit(j) & kGroups) != 0) least += around - around / trips_[index(j)];
  return least;
}

/// Row changes of the input at the seams of a loop that does not change the group; 0 for others.
std::int64_t JointSeams::Paths::within_blocks(const Block& block, DimMask inside, Dim j) const {
  const rows::LineSeams& high = seams_.high_[place(seams_.heights_, block.h)];
  const rows::LineSeams& wide = seams_.wide_[place(seams_.widths_, block.w)];
  const std::size_t h = box(high, inside);
  const std::size_t v = box(wide, inside);
  const std::int64_t stays = high.stays(h) * wide.stays(v);
  const std::int64_t crosses = high.positions(h) * wide.positions(v) - stays;
  constexpr auto kPlane =
      static_cast<DimMask>(bit(Dim::R) | bit(Dim::S) | bit(Dim::P) | bit(Dim::Q));
  const std::int64_t around = trips(inside, static_cast<DimMask>(~kPlane));
  std::int64_t sum = 0;
  if (j == Dim::Q || j == Dim::S) {
    const std::int64_t seams =
        high.positions(h) - high.positions(high.filled(h, tile_.at, index(j)));
    const std::int64_t kept = seams - high.full(h, index(j));
    sum = around * (seams * wide.positions(v) - kept * wide.stays(v));
  } else if (j == Dim::P || j == Dim::R) {
    const std::int64_t seams =
        wide.positions(v) - wide.positions(wide.filled(v, tile_.at, index(j)));
    const std::int64_t kept = seams - wide.full(v, index(j));
    sum = around * (seams * high.positions(h) - kept * high.stays(h));
  } else if (j == Dim::K && inside != 0) {
    sum = (around - around / trips_[index(Dim::K)]) * crosses;
  }
  // A tile that straddles blocks opens another row in each visit. Directly around it, a loop over
  // K need not visit it again.
  if (inside == 0) sum += (j == Dim::K ? around / trips_[index(Dim::K)] : around) * crosses;
  return sum;
}

JointSeams::Outside JointSeams::Paths::of(LoopClass at_dram) const {
  Outside outside{rest_[0], nothing(kUnreached)};
  if (!loops_.empty()) {
    outside.moving = nothing(kUnreached);
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      if (irrelevant_tensor(loops_[i]) != at_dram) continue;
      Sums sums = rest_[std::size_t{1} << i];
      add(sums, terms(0, loops_[i]));
      lower(outside.moving, sums);
    }
    if (at_dram) resting(*at_dram, outside.resting);
  }
  for (std::size_t i = 0; i < kCombined; ++i) {
    outside.moving[i] = std::min(kUnreached, outside.moving[i] + allowed_[i]);
    outside.resting[i] = std::min(kUnreached, outside.resting[i] + allowed_[i]);
  }
  return outside;
}

/// The tensor begins to move after some of the innermost loops, which are irrelevant to it.
void JointSeams::Paths::resting(Tensor t, Sums& sums) const {
  std::vector<Sums> least(rest_.size(), nothing(kUnreached));
  for (std::size_t set = rest_.size(); set-- > 0;) {
    const DimMask inside = dims(set);
    if ((inside & ~irrelevant_mask(t)) != 0) continue;
    if (set != 0) {  // begins here
      Terms begin{};
      const auto cost = [&](std::size_t line) {
        const rows::LineSeams& seams = seams_.lines_[line];
        return trips(inside, irrelevant_mask(t)) * seams.crosses(box(seams, inside));
      };
      if (t == Tensor::input) {
        for (std::size_t i = 0; i < seams_.inputs_; ++i) begin[i] = cost(i);
      } else {
        begin[layout(t)] = cost(seams_.line_of(t));
      }
      least[set] = rest_[set];
      add(least[set], begin);
    }
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      if ((set >> i & 1U) != 0 || relevant(t, loops_[i])) continue;
      Terms others = terms(inside, loops_[i]);
      std::fill_n(others.begin() + static_cast<std::ptrdiff_t>(layout(t)),
                  t == Tensor::input ? kInputLayouts : 2, 0);
      Sums further = least[set | std::size_t{1} << i];
      add(further, others);
      lower(least[set], further);
    }
  }
  sums = least[0];
}

JointSeams::JointSeams(const Instance& instance, const run::Guard& guard)
    : instance_(instance), inputs_(instance.rows.sequential_inputs().size()) {
  const std::int64_t row = instance.architecture.row_units();
  const Workload& w = instance.workload;
  for (const rows::SeamLine& line : sequential_lines(instance)) {
    lines_.emplace_back(line, guard);
    inside_moves_.emplace_back(lines_.back().size(), kUnreached);
  }
  heights_ = edges(w.input_height(), row);
  widths_ = edges(w.input_width(), row);
  for (const std::int64_t edge : heights_) high_.emplace_back(high_line(w, edge), guard);
  for (const std::int64_t edge : widths_) wide_.emplace_back(wide_line(w, edge), guard);
  place_.assign(instance.arrivals.size(), kUnknown);
}

std::int64_t JointSeams::inside_moves(std::size_t line, Tensor t, const Tile& tile) {
  std::int64_t& changes = inside_moves_[line][lines_[line].box(tile.at)];
  if (changes == kUnreached) {
    const Architecture& a =
        t == Tensor::input ? instance_.rows.sequential_inputs()[line] : instance_.architecture;
    changes = changes_inside_moves(a, instance_.workload, t, tile.c);
  }
  return changes;
}

void JointSeams::find_outside(const std::vector<std::size_t>& arrivals, const run::Guard& guard) {
  std::vector<std::size_t> fresh;
  std::ranges::copy_if(arrivals, std::back_inserter(fresh),
                       [&](std::size_t i) { return place_[i] == kUnknown; });
  const std::size_t known = outside_.size();
  std::vector<Outside> found(fresh.size());
  constexpr std::size_t kChunk = 256;
  run::for_each_chunk(fresh.size(), kChunk, [&](const run::Chunk& chunk) {
    guard.check();
    std::optional<Paths> paths;
    TileIndex around = kNoTile;
    for (std::size_t k = chunk.begin; k < chunk.end; ++k) {
      const Step step = instance_.arrivals[fresh[k]].step;
      const TileIndex to = step.to.tile;
      if (to != around) paths.emplace(*this, instance_.lattice[to], to);
      around = to;
      found[k] = paths->of(step.loops);
    }
  });
  outside_.insert(outside_.end(), found.begin(), found.end());
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    place_[fresh[k]] = static_cast<std::uint32_t>(known + k);
  }
}

std::optional<std::uint64_t> JointSeams::bytes_to_build(const Instance& instance) {
  const Workload& w = instance.workload;
  Int128 moves = 3;
  for (const Dim j : kAllDims) moves *= w.bound(j);
  if (moves * instance.architecture.row_units() >= kUnreached) return std::nullopt;
  const std::int64_t row = instance.architecture.row_units();
  std::uint64_t bytes = instance.arrivals.size() * (sizeof(Outside) + sizeof(std::uint32_t));
  const auto add = [&](const rows::SeamLine& line) {
    bytes += rows::LineSeams::bytes_to_build(line);
  };
  for (const rows::SeamLine& line : sequential_lines(instance)) add(line);
  for (const std::int64_t edge : edges(w.input_height(), row)) add(high_line(w, edge));
  for (const std::int64_t edge : edges(w.input_width(), row)) add(wide_line(w, edge));
  return bytes;
}

std::uint64_t JointSeams::bytes() const {
  std::uint64_t bytes = outside_.size() * sizeof(Outside) + place_.size() * sizeof(std::uint32_t);
  for (const auto* lines : {&lines_, &high_, &wide_}) {
    for (const rows::LineSeams& line : *lines) bytes += line.bytes();
  }
  return bytes;
}

std::uint64_t JointFloors::bytes(const Instance& instance) {
  return instance.lattice.size() * sizeof(Inside);
}

JointFloors::JointFloors(const Instance& instance, const Storage& storage, const LevelTiles& levels,
                         std::shared_ptr<JointSeams> seams, const run::Guard& guard)
    : instance_(instance), seams_(std::move(seams)) {
  begins_.resize(seams_->lines().size());
  for (const Tensor t : kAllTensors) find_begins(t, storage, levels, guard);
  inside_.resize(instance.lattice.size());
  run::GuardedSteps step(guard);
  for (TileIndex i = 0; i < inside_.size(); ++i) {  // tiles inside come earlier
    step();
    inside_[i] = inside(instance.lattice[i]);
  }
}

/// The tiles from which on a tensor may move: those of the level that the DRAM fills. A tensor that
/// no level inside stores is moved by the tile of the spatial factors.
void JointFloors::find_begins(Tensor t, const Storage& storage, const LevelTiles& levels,
                              const run::Guard& guard) {
  const Architecture& a = instance_.architecture;
  const Lattice& lattice = instance_.lattice;
  const std::int64_t units = a.pe_array.height * a.pe_array.width * a.pe_array.num_macs;
  const auto relevant_dims = static_cast<DimMask>(~irrelevant_mask(t));
  run::GuardedSteps step(guard);
  std::size_t level = a.row_buffer();
  while (level > 0 && !storage.stores(level - 1, t)) --level;
  const std::size_t first = seams_->line_of(t);
  const std::size_t layouts = t == Tensor::input ? seams_->inputs() : 1;
  for (std::size_t k = first; k < first + layouts; ++k) {
    const rows::LineSeams& line = seams_->lines()[k];
    begins_[k].assign(line.size(), kUnreached);
    for (TileIndex i = 0; i < lattice.size(); ++i) {
      step();
      const Tile& tile = lattice[i];
      const bool may =
          level > 0 ? levels.admits(level - 1, i) : product_over(tile.c, relevant_dims) <= units;
      std::int64_t& begin = begins_[k][line.box(tile.at)];
      if (may && begin == kUnreached) begin = seams_->inside_moves(k, t, tile);
    }
  }
}

JointFloors::Inside JointFloors::inside(const Tile& tile) const {
  Inside least;
  for (auto& sums : least) {
    sums.fill(kUnreached);
    sums[0] = 0;
  }
  for (std::size_t k = 0; k < kDims; ++k) {
    instance_.lattice.for_each_cover(
        tile, bit(k), [&](TileIndex from) { extend(inside_[from], from, tile, k, least); });
  }
  for (std::size_t i = 0; i < least.size(); ++i) {
    if (i > 0 && i >= seams_->inputs()) continue;
    for (const Tensor t : kAllTensors) {
      if (t != Tensor::input) {
        add_begin(t, begin(seams_->line_of(t), tile), tile, least[i]);
      } else if (i < seams_->inputs()) {
        add_begin(t, begin(i, tile), tile, least[i]);
      }
    }
  }
  return least;
}

/// What the loop over dimension k from the tile `from` to `tile` adds.
void JointFloors::extend(const Inside& inner, TileIndex from, const Tile& tile, std::size_t k,
                         Inside& least) const {
  const auto added = [&](Tensor t, std::size_t line) {
    return changes_at_seams(seams_->lines()[line], t, kAllDims[k], instance_.lattice[from], tile);
  };
  const std::int64_t weight = added(Tensor::weight, seams_->line_of(Tensor::weight));
  const std::int64_t output = added(Tensor::output, seams_->line_of(Tensor::output));
  for (std::size_t i = 0; i < least.size(); ++i) {
    const std::int64_t input = i < seams_->inputs() ? added(Tensor::input, i) : 0;
    for (std::size_t set = 1; set < kSets; ++set) {
      const std::int64_t sum = inner[i][set] + ((set & 1U) != 0 ? input : 0) +
                               ((set & 2U) != 0 ? weight : 0) + ((set & 4U) != 0 ? output : 0);
      least[i][set] = std::min(least[i][set], sum);
    }
  }
}

/// The tensor begins to move at this tile, if it can: `once` are the changes inside its moves.
void JointFloors::add_begin(Tensor t, std::int64_t once, const Tile& tile,
                            std::array<std::int64_t, kSets>& least) {
  if (once == kUnreached) return;
  for (std::size_t set = 1; set < kSets; ++set) {
    if ((set >> index(t) & 1U) == 0) continue;
    const std::size_t others = set ^ (std::size_t{1} << index(t));
    least[set] = std::min(least[set], least[others] + tile.irrelevant_loops[index(t)] * once);
  }
}

Int128 JointFloors::least(std::size_t arrival) const {
  const JointSeams::Outside& outside = seams_->outside(arrival);
  const Step step = instance_.arrivals[arrival].step;
  const Tile& tile = instance_.lattice[step.to.tile];
  const Inside& inside = inside_[step.to.tile];
  const LoopClass at_dram = step.loops;
  const auto may_rest = [&](std::size_t input) {  // the tensor of the class
    const std::size_t line = *at_dram == Tensor::input ? input : seams_->line_of(*at_dram);
    return begin(line, tile) != kUnreached;
  };
  std::int64_t least = kUnreached;
  for (std::size_t layouts = 0; layouts < JointSeams::kCombined; ++layouts) {
    const std::size_t input = layouts / 4;
    const bool aligned = input == JointSeams::kAligned;
    const std::size_t moving =
        (aligned ? 0U : 1U) | (layouts / 2 % 2 == 0 ? 2U : 0U) | (layouts % 2 == 0 ? 4U : 0U);
    const auto& sums = inside[aligned ? 0 : input];
    least = std::min(least, sums[moving] + outside.moving[layouts]);
    if (!at_dram || (moving >> index(*at_dram) & 1U) == 0 || !may_rest(input)) continue;
    least = std::min(least, sums[moving ^ (1U << index(*at_dram))] + outside.resting[layouts]);
  }
  return (Int128{std::min(least, kUnreached)} + kTensors) * instance_.scale.row;
}

}  // namespace pimbb::dram_pim::mapper
