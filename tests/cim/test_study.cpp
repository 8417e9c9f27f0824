// The study: random mappings are feasible and repeat, and what must hold whatever the figures are.
#include <doctest/doctest.h>

#include <set>

#include "cim/heuristic/random_mapping.hpp"
#include "cim/random_instance.hpp"
#include "cim/study/study.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/io.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;

namespace {

Network two_layers() {
  Network network{"two", {}};
  network.layers.resize(2);
  network.layers[0].workload.bounds = {3, 1, 4, 2, 4, 8, 1, 1};
  network.layers[1].workload.bounds = {1, 1, 6, 4, 16, 4, 1, 1};
  network.layers[1].workload.stride_w = 2;
  network.layers[1].repetitions = 3;
  return network;
}

std::optional<Solution> just_solve(const Architecture& a, const Workload& layer,
                                   const Question& question, const std::string&) {
  return solve(a, layer, question);
}

}  // namespace

TEST_CASE("random mappings are feasible, and follow from the seed") {
  std::size_t drawn = 0;
  for (std::uint64_t seed = 1; seed <= testkit::cases(200); ++seed) {
    const naive::Instance instance = naive::random_instance(testkit::first_seed(0) + seed, 64);
    heuristic::RandomMappings draw(instance.architecture, instance.layer, seed);
    heuristic::RandomMappings again(instance.architecture, instance.layer, seed);
    for (int k = 0; k < 5; ++k) {
      const std::optional<Mapping> mapping = draw.next();
      CHECK(mapping == again.next());
      if (!mapping) continue;
      ++drawn;
      CHECK(!find_violation(instance.architecture, instance.layer, *mapping));
    }
  }
  CHECK(drawn > 0);
}

TEST_CASE("random mappings differ in schemes, loops, levels and flags") {
  const Architecture a = read_architecture("miredo_default");
  const Workload layer = read_workload("resnet18:conv4_x");
  heuristic::RandomMappings draw(a, layer, 1);
  std::set<std::vector<Factors>> schemes;
  std::set<std::size_t> loops;
  PerTensor<std::set<std::uint8_t>> levels;
  bool doubled = false;
  for (int k = 0; k < 50; ++k) {
    const std::optional<Mapping> mapping = draw.next();
    REQUIRE(mapping);
    schemes.insert(mapping->spatial);
    loops.insert(mapping->loops.size());
    for (const Loop& loop : mapping->loops) {
      for (const Tensor t : kAllTensors) levels[index(t)].insert(loop.level[index(t)]);
    }
    for (const TensorFlags& flags : mapping->doubled) doubled = doubled || flags[0];
  }
  CHECK(schemes.size() > 10);
  CHECK(loops.size() > 3);
  CHECK(levels[index(Tensor::input)].size() == a.chain(Tensor::input).size());
  CHECK(levels[index(Tensor::output)].size() == a.chain(Tensor::output).size());
  CHECK(doubled);
}

TEST_CASE("no restricted space and no heuristic is better than the optimum") {
  const Architecture a = read_architecture("miredo_default");
  const Network network = two_layers();
  const auto all =
      study::compare(a, network, {Goal::latency, Goal::edp}, study::kVariants.size(), just_solve);
  REQUIRE(all.size() == 4);
  for (const study::Comparison& each : all) {
    CHECK(each.ratio(0) == Rational(1));
    for (std::size_t v = 1; v < study::kVariants.size(); ++v) {
      const auto ratio = each.ratio(v);
      if (ratio) CHECK(*ratio >= 1);
    }
    CHECK(each.ratio(3).has_value());
    CHECK(*each.ratio(4) >= 1);
  }
}

TEST_CASE("more of everything never hurts the least latency") {
  const Architecture a = read_architecture("miredo_default");
  const auto points = study::sweep(a, two_layers(), Goal::latency, just_solve);
  REQUIRE(points.size() == study::settings_of(a).size());
  REQUIRE(points.size() > 20);
  CHECK(points.front().setting.architecture == a);
  for (const study::SweepPoint& point : points) {
    const study::Setting& setting = point.setting;
    CAPTURE(setting.figure);
    CAPTURE(setting.value);
    for (std::size_t i = 0; i < point.layers.size(); ++i) {
      const Rational& original = points.front().layers[i].goals.front().value;
      const Rational& value = point.layers[i].goals.front().value;
      if (setting.times >= 1) CHECK(value <= original);
      if (setting.times <= 1) CHECK(value >= original);
    }
  }
}

TEST_CASE("contention only adds, and its optimum is the least under it") {
  const Architecture a = read_architecture("miredo_default");
  for (const study::Contended& each : study::contention(a, two_layers(), just_solve)) {
    for (std::size_t c = 0; c < kContentionNames.size(); ++c) {
      const Rational& least = each.aware[c].goals.front().value;
      CHECK(each.unaware[c] >= least);
      CHECK(least >= each.aware.front().goals.front().value);
    }
    CHECK(each.unaware.front() == each.aware.front().goals.front().value);
  }
}

TEST_CASE("a study that is ended keeps what is complete") {
  const Architecture a = read_architecture("miredo_default");
  const Network network = two_layers();
  std::size_t left = study::kVariants.size() + 2;
  const study::Ask some = [&](const Architecture& on, const Workload& layer,
                              const Question& question, const std::string& what) {
    return left-- == 0 ? std::nullopt : just_solve(on, layer, question, what);
  };
  CHECK(study::compare(a, network, {Goal::latency}, study::kVariants.size(), some).size() == 1);
  std::size_t layers = 0;
  const auto samples =
      study::random_samples(a, network, 10, 1, [&](const Workload&) { return layers++ == 0; });
  REQUIRE(samples.size() == 1);
  CHECK(samples.front().size() == 10);
}
