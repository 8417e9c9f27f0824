// The screens of fills by the time of the DRAM, under the row model trace: random mappings of
// interest pass them, what they say of a fill exceeds no mapping's latency, and they leave fills
// out.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/solver/by_seed.hpp"
#include "dram_pim/solver/list_fills.hpp"
#include "dram_pim/trace/fill_times.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/choices.hpp"
#include "support/full_size.hpp"
#include "support/instances.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::Costs;
using mapper::Fill;
using testkit::Choices;
using testkit::Instance;

namespace {

/// A layer whose tensors fill many rows, which take long to open.
Instance narrow_rows(Choices& choices) {
  Instance i;
  i.architecture = read_architecture("simple_pim");
  i.row_model = RowModel::trace;
  auto& levels = i.architecture.levels;
  levels[1].capacity = choices.one_of({256, 1024, 4096});
  levels[2].capacity.reset();
  levels[2].row_buffer_size = choices.one_of({16, 64, 256});
  i.architecture.dram_timings.activation_latency = choices.one_of({20, 200});
  if (choices.once_in(3)) i.architecture.input_order = InputOrder::free;
  for (const Dim j : {Dim::P, Dim::Q, Dim::C, Dim::K, Dim::N}) {
    i.workload.bounds[index(j)] = choices.one_of({1, 4, 6, 8, 9, 12});
  }
  i.workload.bounds[index(Dim::R)] = i.workload.bounds[index(Dim::S)] = choices.one_of({1, 3});
  i.workload.stride_w = i.workload.stride_h = choices.one_of({1, 2});
  if (choices.once_in(3)) {
    Frame frame = i.workload.frame(Tensor::input);
    frame.width += 5;
    frame.height += 2;
    frame.left += 3;
    frame.top += 1;
    i.workload.input_frame = frame;
  }
  return i;
}

/// The least latency of each fill among random mappings under one storage choice.
struct Found {
  std::vector<TensorFlags> stores;
  std::map<Factors, Int128> latency;
};

Found random_fills(const Instance& i, const mapper::Scale& scale, Choices& choices) {
  Found found;
  for (int k = 0; k < 200; ++k) {
    const Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, 2);
    if (!oracle::broken_rule(i.architecture, i.workload, m).empty()) continue;
    if (found.stores.empty()) found.stores = testkit::stores_of(m);
    if (testkit::stores_of(m) != found.stores) continue;
    const Int128 latency =
        scale.scaled_latency(evaluate(i.architecture, i.workload, m, RowModel::trace).latency);
    const Factors fill = m.tile(i.architecture.row_buffer() - 1);
    const auto [known, is_new] = found.latency.emplace(fill, latency);
    known->second = std::min(known->second, latency);
  }
  return found;
}

/// Fills that are hopeful are left, and what is said of them is true; how many are left out.
std::size_t check_fills(const std::vector<Fill>& left, const Found& found, Int128 most) {
  std::size_t hopeful = 0;
  for (const auto& [tile, latency] : found.latency) {
    const auto fill = std::ranges::find(left, tile, &Fill::tile);
    if (latency <= most) {
      REQUIRE(fill != left.end());
      ++hopeful;
    }
    if (fill != left.end()) CHECK((fill->least.latency <= latency));
  }
  CHECK(hopeful > 0);
  return found.latency.size() - left.size();
}

struct LeftOut {
  std::size_t together = 0;
  std::size_t alone = 0;
  std::size_t inside = 0;
  std::size_t listed = 0;
};

void check_screens(const Instance& i, Choices& choices, LeftOut& out) {
  if (!mapper::obstacle(i.architecture, i.workload, Method::exact).empty()) return;
  const mapper::Scale scale = mapper::make_scale(i.architecture, i.workload);
  const Found found = random_fills(i, scale, choices);
  if (found.latency.empty()) return;
  const mapper::Storage storage(i.architecture, i.workload, scale, found.stores);
  std::vector<Int128> latencies;
  std::vector<Fill> all;
  for (const auto& [tile, latency] : found.latency) {
    latencies.push_back(latency);
    all.push_back({tile, {}});
  }
  std::ranges::sort(latencies);
  const Int128 most = latencies[choices.pick(1 + latencies.size() / 4)];
  const mapper::Hopeless hopeless = [&](const Costs& least) { return least.latency > most; };
  std::vector<Fill> fills = all;
  mapper::keep_hopeful_together(i.architecture, i.workload, storage, hopeless, fills);
  out.together += check_fills(fills, found, most);
  fills = all;
  mapper::keep_hopeful_alone(i.architecture, i.workload, storage, hopeless, fills);
  out.alone += check_fills(fills, found, most);
  fills = all;
  mapper::keep_hopeful_insides(i.architecture, i.workload, RowModel::trace, {}, storage, hopeless,
                               fills);
  out.inside += check_fills(fills, found, most);
  const auto list = mapper::list_fills(i.architecture, i.workload, RowModel::trace, {}, storage, {},
                                       hopeless, {});
  if (!list) return;
  for (const auto& [tile, latency] : found.latency) {
    const bool listed = std::ranges::find(*list, tile) != list->end();
    CHECK((listed || latency > most));
    out.listed += listed ? 0 : 1;
  }
}

}  // namespace

TEST_CASE("mappings of interest pass the screens of fills, and other fills do not") {
  LeftOut out;
  testkit::by_seed(9'600'000, testkit::cases(200), {.macs = 256, .largest_factor = 4},
                   [&](const Instance& i) {
                     Choices choices(static_cast<std::uint64_t>(i.workload.macs()));
                     check_screens(i, choices, out);
                   });
  const std::uint64_t first = testkit::first_seed(9'610'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(100); ++seed) {
    CAPTURE(seed);
    Choices choices(seed);
    check_screens(narrow_rows(choices), choices, out);
  }
  CHECK((out.together > testkit::cases(100) || testkit::slow_build()));
  CHECK((out.alone > out.together || testkit::slow_build()));
  CHECK((out.inside > 0 || testkit::slow_build()));
  CHECK((out.listed > out.together || testkit::slow_build()));
}

TEST_CASE("padded optima under trace are the same without screens of fills" *
          doctest::skip(testkit::slow_build())) {
  Choices choices(testkit::first_seed(9'650'000));
  Architecture a = read_architecture("simple_pim");
  a.levels[1].capacity = 2048;
  a.levels[2].capacity.reset();
  for (int k = 0; k < 2; ++k) {
    Workload w;
    for (const Dim j : {Dim::P, Dim::Q}) w.bounds[index(j)] = choices.one_of({23, 35, 47});
    for (const Dim j : {Dim::C, Dim::K}) w.bounds[index(j)] = choices.one_of({35, 59, 71});
    w.padding = Padding::parse("P=1,Q=1,C=1,K=1", "padding");
    w.bounds[index(Dim::R)] = w.bounds[index(Dim::S)] = 3;
    for (const char* goals : {"latency", "edp"}) {
      CAPTURE(goals);
      Question question;
      question.objective = Objective::parse(goals);
      question.row_model = RowModel::trace;
      const Solution with = solve_padded(a, w, question, {});
      question.rules.set(Rule::tiles, false);
      const Solution without = solve_padded(a, w, question, {});
      REQUIRE(with.status == Status::optimal);
      CHECK(with.goals.at(0).value == without.goals.at(0).value);
    }
  }
}
