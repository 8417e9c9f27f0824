// Transfers as lines of a table: their totals are the costs of the mapping, and every child of
// every level gets and sends the blocks that it has, counted child by child.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <sstream>

#include "dram_pim/device/random_device.hpp"
#include "dram_pim/io/access_trace.hpp"
#include "dram_pim/io/link_lines.hpp"
#include "pimbb/dram_pim/device_solver.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "support/cases.hpp"
#include "support/oracle_device.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

using Line = std::map<std::string, std::string>;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

std::string text_of(io::LinkLines& lines) {
  std::string text;
  for (auto piece = lines.next(); !piece.empty(); piece = lines.next()) {
    CHECK(piece.back() == '\n');
    text += piece;
  }
  return text;
}

std::vector<Line> read_table(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = cells_of(line);
  std::vector<Line> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE(cells.size() == names.size());
    Line row;
    for (std::size_t k = 0; k < cells.size(); ++k) row[names[k]] = cells[k];
    CHECK(row["index"] == std::to_string(rows.size()));
    rows.push_back(std::move(row));
  }
  return rows;
}

Rational figure(const Line& line, const std::string& column) {
  const std::string& cell = line.at(column);
  return cell.empty() ? Rational() : Rational::parse(cell);
}

/// A device, a layer, a split, and a slice's costs from nowhere: transfers do not depend on them.
struct Case {
  testkit::DeviceInstance i;
  DeviceMapping mapping;
  DeviceMetrics metrics;

  [[nodiscard]] device::LinkStream stream() const {
    return {i.device, i.layer, i.moves, mapping, metrics};
  }
  [[nodiscard]] std::vector<Line> table() const {
    io::LinkLines lines(i.device, stream(), std::nullopt);
    return read_table(text_of(lines));
  }
};

DeviceMetrics metrics_of(const testkit::DeviceInstance& i, const DeviceMapping& mapping) {
  DeviceMetrics m;
  m.slice.latency = Rational(77, 2);
  m.slice.energy = Rational(13, 4);
  m.split = split_cost(i.device, i.layer, i.moves, mapping.split, mapping.slice);
  m.launch = i.device.launch;
  m.run = i.device.stretch() * m.slice.latency;
  const GoalCosts all = device_costs(i.device, m.split, {m.slice.latency, m.slice.energy, 5});
  m.latency = all.latency;
  m.energy = all.energy;
  return m;
}

/// Every split of random devices that is allowed.
template <class Check>
void for_random_splits(std::size_t seeds, std::uint64_t first, const Check& check) {
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    CAPTURE(seed);
    Case c{testkit::random_device_instance(testkit::first_seed(seed)), {}, {}};
    for (const Split& split : oracle::every_split(c.i.device, c.i.layer.bounds)) {
      c.mapping.split = split;
      c.mapping.slice = least_slice(c.i.layer.bounds, split);
      if (seed % 3 == 0) ++c.mapping.slice[seed % kDims];  // zeros
      if (!oracle::splits(c.i.device, c.i.layer, c.i.moves, split, c.mapping.slice)) continue;
      c.metrics = metrics_of(c.i, c.mapping);
      check(c);
    }
  }
}

/// What the lines say of one link of a level.
struct LinkSums {
  Rational down, up, busy_down, busy_up;
};

void check_totals(const Case& c) {
  const std::vector<Line> table = c.table();
  std::map<std::pair<std::string, std::string>, LinkSums> links;
  Rational link_energy;
  Rational adds;
  Rational end;
  Rational run_energy;
  for (const Line& line : table) {
    const std::string& event = line.at("event");
    LinkSums& link = links[{line.at("level"), line.at("link")}];
    if (event == "down") {
      link.down += figure(line, "bytes");
      link.busy_down += figure(line, "busy");
    } else if (event == "up") {
      link.up += figure(line, "bytes");
      link.busy_up += figure(line, "busy");
    }
    if (event == "down" || event == "up") link_energy += figure(line, "energy");
    if (event == "add") adds += figure(line, "energy");
    if (event == "run") run_energy += figure(line, "energy");
    end = max(end, figure(line, "end"));
    CHECK(figure(line, "start") + figure(line, "busy") <= figure(line, "end"));
  }
  const oracle::DeviceCosts expected = oracle::device_costs(
      c.i.device, c.i.layer, c.i.moves, c.mapping.split, c.mapping.slice,
      oracle::Fraction(c.metrics.slice.latency), oracle::Fraction(c.metrics.slice.energy), 5);
  CHECK(end == expected.latency.to_rational());
  CHECK(link_energy == expected.link_energy.to_rational());
  CHECK(adds == expected.adds.to_rational());
  CHECK(run_energy + link_energy + adds + end * c.i.device.static_power ==
        expected.energy.to_rational());
  const auto& levels = c.i.device.levels;
  for (std::size_t d = 0; d < levels.size(); ++d) {
    const LinkTraffic& traffic = c.metrics.split.links[d];
    for (std::int64_t l = 0; l < traffic.count; ++l) {
      const LinkSums& link = links[{levels[d].name, std::to_string(l)}];
      CHECK(link.down == traffic.bytes_in);
      CHECK(link.up == traffic.bytes_out);
      const auto& write = levels[d].write_bandwidth;
      const auto& read = levels[d].read_bandwidth;
      CHECK(link.busy_down == (write ? traffic.bytes_in / *write : Rational()));
      CHECK(link.busy_up == (read ? traffic.bytes_out / *read : Rational()));
    }
  }
}

/// The blocks of every child, found from the outermost level inwards, child by child.
class Children {
 public:
  explicit Children(const Case& c) : c_(c) {
    covered_.push_back(c.mapping.slice);
    for (const Factors& factors : c.mapping.split) {
      covered_.push_back(times(covered_.back(), factors));
    }
    enter(c.mapping.split.size(), 0, Factors{});
  }

  /// By level, link, child and tensor: the first indices of the block, as the table writes them.
  std::map<std::tuple<std::string, std::int64_t, std::int64_t, Tensor>, std::string> blocks;

  [[nodiscard]] static std::string text(const Factors& first, Tensor t) {
    std::string text;
    for (const Dim j : kAllDims) {
      text += ',';
      if (relevant(t, j)) text += std::to_string(first[index(j)]);
    }
    return text;
  }

 private:
  void enter(std::size_t levels, std::int64_t link, const Factors& first) {
    if (levels == 0) return;
    const std::size_t d = levels - 1;
    const Factors& split = c_.mapping.split[d];
    const std::int64_t children = product(split);
    std::int64_t child = 0;
    std::array<std::int64_t, kDims> at{};
    do {
      Factors begin = first;
      for (std::size_t j = 0; j < kDims; ++j) begin[j] += at[j] * covered_[d][j];
      for (const Tensor t : kAllTensors) {
        blocks[{c_.i.device.levels[d].name, link, child, t}] = text(begin, t);
      }
      enter(d, link * children + child, begin);
      ++child;
    } while (next(at, split));
    CHECK(child == children);
  }

  static bool next(std::array<std::int64_t, kDims>& at, const Factors& split) {
    for (std::size_t j = kDims; j-- > 0;) {
      if (++at[j] < split[j]) return true;
      at[j] = 0;
    }
    return false;
  }

  const Case& c_;
  std::vector<Factors> covered_;
};

std::string first_of(const Line& line) {
  std::string text;
  for (const char* column : {"r", "s", "p", "q", "c", "k", "n", "g"}) {
    text += "," + line.at(column);
  }
  return text;
}

void check_places(const Case& c) {
  const Children children(c);
  std::map<std::string, const DeviceLevel*> levels;
  for (const DeviceLevel& level : c.i.device.levels) levels[level.name] = &level;
  // Blocks that each link moves; those of a broadcast count once for several children.
  std::map<std::tuple<std::string, std::int64_t, Tensor, bool>, std::multiset<std::string>> moved;
  std::map<std::tuple<std::string, std::int64_t, Tensor, bool>, std::int64_t> reached;
  for (const Line& line : c.table()) {
    const std::string& event = line.at("event");
    if (event != "down" && event != "up") continue;
    const Tensor t = line.at("tensor") == "input"    ? Tensor::input
                     : line.at("tensor") == "weight" ? Tensor::weight
                                                     : Tensor::output;
    const std::string& level = line.at("level");
    const std::int64_t link = std::stoll(line.at("link"));
    const auto block = children.blocks.find({level, link, std::stoll(line.at("child")), t});
    REQUIRE(block != children.blocks.end());
    CHECK(first_of(line) == block->second);
    moved[{level, link, t, event == "up"}].insert(first_of(line));
    reached[{level, link, t, event == "up"}] += std::stoll(line.at("children"));
  }
  std::map<std::tuple<std::string, std::int64_t, Tensor, bool>, std::multiset<std::string>> needed;
  std::map<std::tuple<std::string, std::int64_t, Tensor, bool>, std::int64_t> all;
  for (const auto& [key, block] : children.blocks) {
    const auto& [level, link, child, t] = key;
    if (!c.i.moves[index(t)]) continue;
    const std::tuple at{level, link, t, t == Tensor::output};
    std::multiset<std::string>& list = needed[at];
    ++all[at];
    if (t != Tensor::output && levels[level]->broadcast && list.contains(block)) continue;
    list.insert(block);
  }
  CHECK(moved == needed);
  CHECK(reached == all);
}

}  // namespace

TEST_CASE("the lines add up to what a split costs, counted block by block") {
  std::size_t checked = 0;
  for_random_splits(testkit::cases(150), 0, [&](const Case& c) {
    check_totals(c);
    ++checked;
  });
  CHECK(checked > testkit::cases(150));
}

TEST_CASE("every child gets and sends its blocks") {
  for_random_splits(testkit::cases(100), 1000, check_places);
}

TEST_CASE("a limit gives the beginning, and counts only that") {
  for_random_splits(testkit::cases(10), 2000, [](const Case& c) {
    io::LinkLines whole(c.i.device, c.stream(), std::nullopt);
    const std::string all = text_of(whole);
    CHECK(whole.written() == whole.total());
    CHECK(whole.end() == c.metrics.latency);
    CHECK(whole.all().link_energy == c.metrics.split.link_energy);
    CHECK(whole.all().reduce_energy == c.metrics.split.reduce_energy);
    const std::int64_t half = whole.total() / 2 + 1;
    io::LinkLines part(c.i.device, c.stream(), half);
    const std::string beginning = text_of(part);
    CHECK(all.starts_with(beginning));
    CHECK(part.written() == half);
    Rational bytes;
    for (const Line& line : read_table(beginning)) bytes += figure(line, "bytes");
    CHECK(part.all().bytes_in + part.all().bytes_out == bytes);
    Rational by_level;
    for (const io::LinkTotals& level : part.levels()) by_level += level.bytes_in + level.bytes_out;
    CHECK(by_level == bytes);
  });
}

TEST_CASE("by hand: two channels of two units, broadcast, partial sums and latencies") {
  Case c;
  c.i.device = parse_device(
      "{unit: hbm_pim, launch: 10, host: {reduce_energy: 2, reduce_bandwidth: 4}, levels: ["
      "{name: unit, count: 2, write_bandwidth: 8, read_bandwidth: 2, broadcast: true, energy: 1},"
      "{name: channel, count: 2, write_bandwidth: 16, energy: 3, latency: 5}]}",
      "d.yaml");
  c.i.layer.bounds[index(Dim::C)] = 32;
  c.i.layer.bounds[index(Dim::K)] = 8;
  c.mapping.split.assign(2, kOnes);
  c.mapping.split[0][index(Dim::K)] = 2;
  c.mapping.split[1][index(Dim::C)] = 2;
  c.mapping.slice = least_slice(c.i.layer.bounds, c.mapping.split);
  c.metrics = metrics_of(c.i, c.mapping);
  io::LinkLines lines(c.i.device, c.stream(), std::nullopt);
  // 16 inputs of 2 bytes for each channel, and for both of its units; 4 results of each unit, 8
  // partial sums of each channel, which the host adds.
  CHECK(text_of(lines) ==
        "index,phase,event,level,link,child,children,tensor,sums,additions,bytes,start,end,busy,"
        "energy,r,s,p,q,c,k,n,g\n"
        "0,launch,launch,,,,,,,,,0,10,0,0,,,,,,,,\n"
        "1,in,down,channel,0,0,1,input,,,32,10,19,2,96,0,0,0,0,0,,0,0\n"
        "2,in,down,channel,0,1,1,input,,,32,10,19,2,96,0,0,0,0,16,,0,0\n"
        "3,in,down,unit,0,0,2,input,,,32,15,19,4,32,0,0,0,0,0,,0,0\n"
        "4,in,down,unit,1,0,2,input,,,32,15,19,4,32,0,0,0,0,16,,0,0\n"
        "5,run,run,,,,4,,,,,19,115/2,77/2,13,,,,,,,,\n"
        "6,out,up,unit,0,0,1,output,1,,8,115/2,131/2,4,8,,,0,0,,0,0,0\n"
        "7,out,up,unit,0,1,1,output,1,,8,115/2,131/2,4,8,,,0,0,,4,0,0\n"
        "8,out,up,unit,1,0,1,output,1,,8,115/2,131/2,4,8,,,0,0,,0,0,0\n"
        "9,out,up,unit,1,1,1,output,1,,8,115/2,131/2,4,8,,,0,0,,4,0,0\n"
        "10,out,up,channel,0,0,1,output,1,,16,115/2,141/2,0,48,,,0,0,,0,0,0\n"
        "11,out,up,channel,0,1,1,output,1,,16,115/2,141/2,0,48,,,0,0,,0,0,0\n"
        "12,out,add,host,,,,output,,8,,141/2,145/2,2,16,,,0,0,,0,0,0\n");
  CHECK(c.metrics.latency == Rational(145, 2));
}

TEST_CASE("one unit opens the rows that the device's activations count") {
  for (std::uint64_t seed = 0; seed < testkit::cases(60); ++seed) {
    CAPTURE(seed);
    const testkit::DeviceInstance i = testkit::random_device_instance(testkit::first_seed(seed));
    const DeviceSolution best = solve(i.device, i.layer, i.moves, {.objective = i.objective});
    if (!best.mapping) continue;
    const DeviceMetrics metrics =
        evaluate(i.device, i.layer, i.moves, *best.mapping, RowModel::trace);
    io::AccessTrace trace(i.device.unit, slice_of(i.layer, best.mapping->slice),
                          best.mapping->mapping, {});
    while (!trace.next().empty()) continue;
    Rational rows;
    for (const Tensor t : kAllTensors) rows += trace.traffic(t).activations;
    CHECK(metrics.split.units * rows == metrics.activations);
    io::LinkLines lines(i.device,
                        device::LinkStream(i.device, i.layer, i.moves, *best.mapping, metrics), {});
    while (!lines.next().empty()) continue;
    CHECK(lines.end() == metrics.latency);
  }
}
