// Sampling, counting, solving.
#include "dram_pim/study/row_models.hpp"

#include <algorithm>

#include "dram_pim/heuristic/nest_builder.hpp"
#include "dram_pim/heuristic/random_search.hpp"
#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/rows/activation_counter.hpp"

namespace pimbb::dram_pim::study {
namespace {

Architecture with_rows(Architecture architecture, std::int64_t bytes) {
  architecture.levels[architecture.row_buffer()].row_buffer_size = bytes;
  architecture.levels[architecture.dram()].row_buffer_size = bytes;
  return architecture;
}

void note_counts(const Architecture& a, const Workload& w, const Mapping& m, SampleCounts& counts) {
  const Metrics truth = evaluate(a, w, m, RowModel::trace);
  std::array<Metrics, kJudged.size()> judged;
  for (std::size_t k = 0; k < kJudged.size(); ++k) judged[k] = evaluate(a, w, m, kJudged[k]);
  for (const Tensor t : kAllTensors) {
    Counts& here = counts[index(t)][static_cast<std::size_t>(m.layout[index(t)])];
    here.truth.push_back(truth.row_activations[index(t)].to_double());
    for (std::size_t k = 0; k < kJudged.size(); ++k) {
      here.model[k].push_back(judged[k].row_activations[index(t)].to_double());
    }
  }
}

void note_sizes(const Architecture& a, const Workload& w, Mapping m, RowSizes& sizes) {
  m.layout = {};  // sequential: a row-aligned tile need not fit every size
  double before = 0;
  for (std::size_t k = 0; k < RowSizes::kBytes.size(); ++k) {
    const Architecture other = with_rows(a, RowSizes::kBytes[k]);
    double rows = 0;
    for (const Tensor t : kAllTensors) rows += to_double(rows::count_activations(other, w, m, t));
    sizes.rows[k].push_back(rows);
    if (k > 0 && rows > before) ++sizes.increases;
    before = rows;
  }
}

/// Of samples whose input can be row-aligned with a strip as wide as the plane.
void note_shapes(const Architecture& a, const Workload& w, Mapping m, Shapes& shapes) {
  const Factors c = m.tile(a.row_buffer());
  const std::int64_t depth =
      c[index(Dim::C)] * c[index(Dim::N)] * c[index(Dim::G)] * a.element_units(Tensor::input);
  const heuristic::BlockEdges edges = heuristic::block_edges(a, w, m);
  const auto fits = [&](std::int64_t h, std::int64_t v) { return h * v * depth <= a.row_units(); };
  if (edges.heights.empty() || edges.widths.empty()) return;
  if (!fits(edges.heights.front(), edges.widths.back())) return;
  const auto count = [&](Layout layout, const Block& block) {
    m.layout[index(Tensor::input)] = layout;
    m.input_block = block;
    return to_double(rows::count_activations(a, w, m, Tensor::input));
  };
  std::array<double, Shapes::kNames.size()> rows{};
  rows[0] = count(Layout::sequential, {});
  rows[1] = count(Layout::row_aligned, {edges.heights.front(), edges.widths.front()});
  rows[2] = count(Layout::row_aligned, {edges.heights.front(), edges.widths.back()});
  rows[3] = rows[1];
  for (const std::int64_t h : edges.heights) {
    for (const std::int64_t v : edges.widths) {
      if (fits(h, v)) rows[3] = std::min(rows[3], count(Layout::row_aligned, {h, v}));
    }
  }
  const double best = std::min(rows[0], rows[3]);
  for (std::size_t k = 0; k < rows.size(); ++k) shapes.ratio[k].push_back(rows[k] / best);
}

}  // namespace

SampleCounts Samples::all() const {
  SampleCounts all;
  const auto append = [](std::vector<double>& to, const std::vector<double>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (const SampleCounts& layer : layers) {
    for (std::size_t t = 0; t < all.size(); ++t) {
      for (std::size_t layout = 0; layout < kLayouts; ++layout) {
        const Counts& from = layer[t][layout];
        Counts& to = all[t][layout];
        append(to.truth, from.truth);
        for (std::size_t k = 0; k < kJudged.size(); ++k) append(to.model[k], from.model[k]);
      }
    }
  }
  return all;
}

Samples sample(const Architecture& architecture, const Network& network, std::uint64_t samples,
               std::uint64_t seed, const std::function<bool()>& proceed) {
  Samples result;
  for (const NetworkLayer& layer : network.layers) {
    const Workload& w = layer.workload;
    SampleCounts& counts = result.layers.emplace_back();
    if (mapper::obstacle(architecture, w, Method::exact).empty()) {
      heuristic::RandomMappings draw(architecture, w, seed,
                                     mapper::smallest_mapping(architecture, w));
      for (std::uint64_t k = 0; k < samples; ++k) {
        const Mapping m = draw.next();
        note_counts(architecture, w, m, counts);
        note_sizes(architecture, w, m, result.sizes);
        note_shapes(architecture, w, m, result.shapes);
      }
    }
    if (!proceed()) break;
  }
  return result;
}

Regret regret(const Architecture& architecture, const Network& network, Goal goal,
              const Question& question, const RunLimits& limits,
              const std::function<bool()>& proceed) {
  Regret result{goal, {}, {}};
  Question mine = question;
  mine.objective.goals = {goal};
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Workload& w = network.layers[i].workload;
    mine.row_model = RowModel::trace;
    const Solution best = solve(architecture, w, mine, limits);
    std::array<Solution, kJudged.size()> judged;
    for (std::size_t k = 0; k < kJudged.size(); ++k) {
      mine.row_model = kJudged[k];
      judged[k] = solve(architecture, w, mine, limits);
    }
    const bool all = best.status == Status::optimal &&
                     std::all_of(judged.begin(), judged.end(),
                                 [](const Solution& s) { return s.status == Status::optimal; });
    if (all) result.layers.push_back(i);
    for (std::size_t k = 0; all && k < kJudged.size(); ++k) {
      const Metrics truth = evaluate(architecture, w, *judged[k].mapping, RowModel::trace);
      result.ratio[k].push_back(
          (mine.objective.value(goal, truth) / best.goals.front().value).to_double());
    }
    if (!proceed()) break;
  }
  return result;
}

}  // namespace pimbb::dram_pim::study
