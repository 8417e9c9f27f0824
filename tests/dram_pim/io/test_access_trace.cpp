// Traces as text: their lines against the oracle's stream, and their activations as a DRAM with
// open rows counts them, which knows nothing but the lines and docs/trace-format.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>

#include "dram_pim/io/access_trace.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/oracle_rows.hpp"
#include "support/plain_json.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;

namespace {

struct Case {
  Architecture architecture;
  Workload workload;
  Mapping mapping;
};

std::string text_of(io::AccessTrace& trace) {
  std::string text;
  for (auto piece = trace.next(); !piece.empty(); piece = trace.next()) {
    CHECK(piece.back() == '\n');
    text += piece;
  }
  return text;
}

std::string write(const Case& c, const io::TraceOptions& options) {
  io::AccessTrace trace(c.architecture, c.workload, c.mapping, options);
  return text_of(trace);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Four banks with one open row each, fed with lines "LD 0x.." and "ST 0x..".
struct OpenRowDram {
  explicit OpenRowDram(std::int64_t row_bytes) {
    while ((std::int64_t{1} << column_bits) < row_bytes) ++column_bits;
  }

  void access(const std::string& line) {
    REQUIRE(line.substr(2, 3) == " 0x");
    const std::uint64_t address = std::stoull(line.substr(5), nullptr, 16);
    const std::uint64_t bank = address >> column_bits & 3U;
    const std::uint64_t row = address >> column_bits >> 2U;
    if (one_tensor_each) CHECK(line.substr(0, 2) == (bank == 2 ? "ST" : "LD"));
    CHECK(bank < 3);
    const auto open = open_row.find(bank);
    if (open == open_row.end() || open->second != row) ++activations[bank];
    open_row[bank] = row;
  }

  bool one_tensor_each = true;
  unsigned column_bits = 0;
  std::map<std::uint64_t, std::uint64_t> open_row;
  std::array<std::int64_t, 4> activations{};
};

/// The whole stream as the oracle tells it, tensors interleaved as they move.
std::vector<std::pair<Tensor, oracle::Access>> oracle_stream(const Case& c) {
  std::vector<std::pair<Tensor, oracle::Access>> all;
  for (const Tensor t : kAllTensors) {
    oracle::for_each_access(c.architecture, c.workload, c.mapping, t,
                            [&](const oracle::Access& access) { all.emplace_back(t, access); });
  }
  std::ranges::stable_sort(all, {}, [](const auto& a) { return a.second.iteration; });
  return all;
}

/// The line of the table that the oracle expects.
std::string csv_line(std::size_t number, const Workload& w, Tensor t, const oracle::Access& access,
                     std::int64_t row, std::int64_t first_row, std::size_t bank,
                     std::int64_t& open_row) {
  const std::int64_t here = first_row + access.bit / (8 * row);
  const std::int64_t column = access.bit % (8 * row) / 8;
  std::int64_t power = 1;
  while (power < row) power *= 2;
  const bool opens = here != open_row;
  open_row = here;
  const auto& e = access.element;
  const std::string element =
      t == Tensor::input
          ? fmt::format("{},,{},{},{}", e[0], e[1] * w.bound(Dim::C) + e[2], e[3], e[4])
      : t == Tensor::weight
          ? fmt::format(",{},{},{},{}", e[0] * w.bound(Dim::K) + e[1], e[2], e[3], e[4])
          : fmt::format("{},{},,{},{}", e[0], e[1] * w.bound(Dim::K) + e[2], e[3], e[4]);
  return fmt::format("{},{},{},{:#x},{},{},{},{},{},{}", number, name(t),
                     t == Tensor::output ? "ST" : "LD",
                     (here * 4 + static_cast<std::int64_t>(bank)) * power + column, bank, here,
                     column, opens ? 1 : 0, access.iteration, element);
}

void check_table(const Case& c) {
  const std::vector<std::string> lines = lines_of(write(c, {.format = io::TraceFormat::csv}));
  const auto stream = oracle_stream(c);
  REQUIRE(lines.size() == stream.size() + 1);
  // Where the rows of each tensor of a bank begin is free, as long as they are rows of its own.
  io::AccessTrace trace(c.architecture, c.workload, c.mapping, {});
  const auto& first_row = trace.banks().first_row;
  std::map<std::pair<std::size_t, std::int64_t>, Tensor> owner;
  std::array<std::int64_t, 3> open{-1, -1, -1};
  std::size_t different = 0;
  for (std::size_t k = 0; k < stream.size(); ++k) {
    const auto& [t, access] = stream[k];
    const std::size_t bank = oracle::bank_of(c.architecture, t);
    const std::int64_t row = c.architecture.row_bytes();
    const std::string expected =
        csv_line(k, c.workload, t, access, row, first_row[index(t)], bank, open[bank]);
    const std::pair place{bank, first_row[index(t)] + access.bit / (8 * row)};
    if (owner.try_emplace(place, t).first->second != t) ++different;
    if (lines[k + 1] != expected && different++ == 0) CHECK(lines[k + 1] == expected);
  }
  CHECK(different == 0);
}

void check_activations(const Case& c) {
  io::AccessTrace trace(c.architecture, c.workload, c.mapping, {});
  const std::vector<std::string> lines = lines_of(text_of(trace));
  OpenRowDram dram(c.architecture.row_bytes());
  dram.one_tensor_each = !oracle::shares_bank(c.architecture, Tensor::input);
  for (const std::string& line : lines) dram.access(line);
  const Metrics metrics = evaluate(c.architecture, c.workload, c.mapping, RowModel::trace);
  CHECK(static_cast<std::int64_t>(lines.size()) == trace.total());
  const auto stores = [](const std::string& line) { return line.starts_with("ST"); };
  CHECK(trace.traffic(Tensor::output).accesses == std::ranges::count_if(lines, stores));
  CHECK(trace.traffic(Tensor::input).accesses + trace.traffic(Tensor::weight).accesses ==
        std::ranges::count_if(lines, std::not_fn(stores)));
  for (const Tensor t : kAllTensors) {
    CAPTURE(name(t));
    CHECK(Rational(trace.traffic(t).activations) == metrics.row_activations[index(t)]);
    dram.activations[oracle::bank_of(c.architecture, t)] -= trace.traffic(t).activations;
  }
  CHECK(dram.activations == std::array<std::int64_t, 4>{});
}

/// Feasible random mappings of random problems.
template <class Check>
void for_random_cases(const testkit::Size& size, std::size_t wanted, std::uint64_t seed,
                      const Check& check) {
  for (std::uint64_t k = testkit::first_seed(seed); wanted > 0; ++k) {
    Choices choices(k);
    const Instance i = testkit::random_instance(choices, size);
    for (int repeat = 0; repeat < 4; ++repeat) {
      const Case c{i.architecture, i.workload,
                   testkit::random_mapping(i.architecture, i.workload, choices, 4)};
      if (!oracle::broken_rule(c.architecture, c.workload, c.mapping).empty()) continue;
      CAPTURE(testkit::to_json(i));
      CAPTURE(testkit::to_json(c.mapping, c.architecture));
      check(c);
      if (--wanted == 0) return;
    }
  }
}

}  // namespace

TEST_CASE("every line is the oracle's: order, address, row, element") {
  for_random_cases({.macs = 96, .levels = 5, .free_levels = 3}, testkit::cases(4000), 0,
                   check_table);
}

TEST_CASE("an open-row DRAM that reads the trace counts the activations of `trace`") {
  for_random_cases({.macs = 600, .levels = 5, .free_levels = 3, .largest_factor = 20},
                   testkit::cases(2000), 10'000'000, check_activations);
}

TEST_CASE("golden mappings") {
  for (const testkit::Json& line : testkit::golden_lines("evaluations.jsonl")) {
    const Architecture a = testkit::read_architecture(line.at("architecture"));
    const Case c{a, testkit::read_workload(line.at("workload")),
                 testkit::read_mapping(line.at("mapping"), a)};
    CAPTURE(line.dump());
    if (c.workload.macs() > 20'000) continue;
    check_activations(c);
    if (line.at("row_model") != "trace") continue;
    io::AccessTrace trace(c.architecture, c.workload, c.mapping, {});
    while (!trace.next().empty()) continue;
    for (const Tensor t : kAllTensors) {
      const auto& golden = line.at("metrics").at("row_activations").at(std::string(name(t)));
      CHECK(static_cast<double>(trace.traffic(t).activations) == golden.get<double>());
    }
  }
}

TEST_CASE("a limit gives the beginning, a choice of tensors the lines of these") {
  for_random_cases({.macs = 96}, testkit::cases(300), 20'000'000, [](const Case& c) {
    const std::string all = write(c, {});
    const std::vector<std::string> lines = lines_of(all);
    for (const std::size_t limit :
         {std::size_t{1}, lines.size() / 2 + 1, lines.size(), lines.size() + 1}) {
      std::string beginning;
      for (std::size_t k = 0; k < std::min(limit, lines.size()); ++k) beginning += lines[k] + "\n";
      CHECK(write(c, {.limit = static_cast<std::int64_t>(limit)}) == beginning);
    }
    std::string outputs;
    for (const std::string& line : lines) outputs += line.starts_with("ST") ? line + "\n" : "";
    CHECK(write(c, {.tensors = {false, false, true}}) == outputs);
  });
}

TEST_CASE("long runs are cut into pieces between lines") {
  Case c;
  c.architecture = testkit::read_architecture(testkit::Json::parse(R"({
    "name": "wide", "pe_array": {"dim_h": 1, "dim_w": 1, "unit_type": "scalar", "num_macs": 1, "mac_energy": 1},
    "memory_hierarchy": [
      {"name": "PE", "entries": 8, "blocksize": 1, "instances": 1, "latency": 1, "access_cost": 1, "stores": [true, true, true]},
      {"name": "GB", "entries": -1, "blocksize": 1, "instances": 1, "latency": 1, "access_cost": 1, "stores": [true, true, true]},
      {"name": "RB", "entries": -1, "blocksize": 1, "instances": 1, "latency": 1, "access_cost": 1, "stores": [true, true, true], "row_buffer_size": 1000},
      {"name": "DRAM", "entries": -1, "blocksize": 1, "instances": 1, "latency": 1, "access_cost": 1, "stores": [true, true, true]}],
    "bits": {"input": 24, "weight": 8, "output": 8}})"));
  c.workload.bounds[index(Dim::P)] = 40'000;
  c.mapping.levels.resize(4);
  for (MappingLevel& level : c.mapping.levels) level.stores = {true, true, true};
  c.mapping.levels[1].loops = {{Dim::P, 40'000}};
  REQUIRE(oracle::broken_rule(c.architecture, c.workload, c.mapping).empty());
  check_activations(c);
  check_table(c);
}
