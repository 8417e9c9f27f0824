// Instructions by core, then rules one after another over tables of times.
#include "crossbar/stream_checker.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

namespace testkit {
namespace {

using namespace pimbb::crossbar;
using Int = std::int64_t;

struct Event {
  Int core = 0, id = 0, window = 0, ag = -1, bytes = 0, upto = -1, start = 0, end = 0;
  Int bus_end = 0;  // of a SEND
  std::string unit, op;
  std::size_t node = 0;
  std::vector<Int> peers;
  bool multicast = false;
};

class StreamChecker {
 public:
  StreamChecker(const Architecture& a, const Partition& p, const Mapping& mapping,
                const ScheduleOptions& options)
      : a_(a),
        p_(p),
        mapping_(mapping),
        ll_(options.mode == Mode::ll),
        reuse_(options.policy == Policy::ag) {
    for (std::size_t v = 0; v < p.graph.nodes.size(); ++v) node_of_[p.graph.nodes[v].name] = v;
  }

  std::vector<std::string> run(const std::vector<std::string>& lines) && {
    for (const std::string& line : lines) read(line);
    gather();
    check_units();
    check_resources();
    check_groups();
    check_sums();
    check_vectors();
    check_pixels();
    return std::move(complaints_);
  }

 private:
  using Key = std::tuple<std::size_t, Int, Int>;  // node, window, ag

  void require(bool holds, const Event& at, const std::string& rule) {
    if (holds || complaints_.size() > 20) return;
    complaints_.push_back("core " + std::to_string(at.core) + " id " + std::to_string(at.id) + " " +
                          at.op + ": " + rule);
  }

  static Int ceil_rational(Int bytes, const pimbb::Rational& per_ns) {
    Int time = 0;
    for (Int step = Int{1} << 40; step > 0; step /= 2) {
      if (pimbb::Rational(time + step) * per_ns < pimbb::Rational(bytes)) time += step;
    }
    return time + 1;
  }

  [[nodiscard]] Int vector_time(Int bytes) const {
    return (bytes + a_.core.vector_bytes - 1) / a_.core.vector_bytes * a_.core.vector_time;
  }

  void read(const std::string& line) {
    const auto json = nlohmann::json::parse(line);
    Event e;
    e.core = json.at("core");
    e.id = json.at("id");
    e.unit = json.at("unit");
    e.op = json.at("op");
    e.node = node_of_.at(json.at("node"));
    e.window = json.at("window");
    e.ag = json.value("ag", Int{-1});
    e.bytes = json.at("bytes");
    e.upto = json.value("upto", Int{-1});
    e.start = json.at("start");
    if (json.contains("peer")) {
      e.multicast = json.at("peer").is_array();
      e.peers = e.multicast ? json.at("peer").get<std::vector<Int>>()
                            : std::vector<Int>{json.at("peer").get<Int>()};
    }
    e.end = e.start + duration(e);
    if (e.op == "SEND") finish_send(e);
    events_.push_back(std::move(e));
  }

  [[nodiscard]] Int duration(const Event& e) const {
    if (e.op == "MVM") return a_.mvm.time;
    if (e.op == "VVADD" || e.op == "ACT") return vector_time(e.bytes);
    if (e.op == "LD" || e.op == "ST") return ceil_rational(e.bytes, a_.bandwidth.memory);
    if (e.op == "SEND") return ceil_rational(e.bytes, a_.bandwidth.bus);
    if (e.op == "RECV") return 0;
    const Int once = a_.bytes(p_.graph.nodes[e.node].in.channels);
    return e.bytes / once * vector_time(once);
  }

  void finish_send(Event& e) const {
    e.bus_end = e.end;
    const bool far = std::ranges::any_of(
        e.peers, [&](Int core) { return core / a_.cores != e.core / a_.cores; });
    if (far)
      e.end += ceil_rational(e.bytes, a_.bandwidth.link);  // or later, where the link is busy
  }

  void gather() {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const Event& e = events_[i];
      require(e.start >= 0, e, "never starts");
      if (i > 0 && events_[i - 1].core == e.core) {
        require(e.id == events_[i - 1].id + 1, e, "out of order");
      } else {
        require(e.id == 0, e, "does not begin with 0");
      }
      if (e.op == "MVM") require(mvm_.emplace(Key(e.node, e.window, e.ag), i).second, e, "twice");
      if (e.op == "LD") load_.emplace(Key(e.node, e.window, e.ag), i);
      if (e.op == "ACT") act_.emplace(std::pair(e.node, e.window), i);
      if (e.op == "VEC") act_.emplace(std::pair(e.node, e.window), i);
    }
  }

  void check_units() {
    std::map<std::pair<Int, std::string>, const Event*> last;
    for (const Event& e : events_) {
      static const std::map<std::string, std::string> kUnits{
          {"MVM", "mvm"}, {"VVADD", "vec"}, {"ACT", "vec"}, {"VEC", "vec"},
          {"LD", "dma"},  {"ST", "dma"},    {"SEND", "dma"}};
      if (e.op != "RECV") require(kUnits.at(e.op) == e.unit, e, "unit " + e.unit);
      const Event*& before = last[{e.core, e.unit}];
      if (before != nullptr) {
        const bool mvm = e.unit == "mvm";
        const Int apart = before->op == "MVM" ? a_.mvm.interval : 0;
        require(e.start >= (mvm ? before->start + apart : before->end), e,
                "starts before its unit permits");
      }
      before = &e;
    }
  }

  void check_resources() {
    std::map<std::pair<Int, bool>, std::vector<const Event*>> served;  // chip, bus
    for (const Event& e : events_) {
      if (e.unit == "dma") served[{e.core / a_.cores, e.op == "SEND"}].push_back(&e);
    }
    for (auto& [resource, all] : served) {
      std::ranges::sort(all, {}, &Event::start);
      for (std::size_t i = 1; i < all.size(); ++i) {
        const Int free = resource.second ? all[i - 1]->bus_end : all[i - 1]->end;
        require(all[i]->start >= free, *all[i], "memory or bus is busy");
      }
    }
  }

  [[nodiscard]] const Event& at(const std::map<Key, std::size_t>& table, const Key& key) const {
    const auto found = table.find(key);
    return found == table.end() ? none_ : events_[found->second];
  }

  /// The windows of a replica in the order in which it computes them.
  [[nodiscard]] std::vector<Int> windows(std::size_t v, Int replica) const {
    const Int all = p_.arrays[v].windows;
    const Int replicas = mapping_.replication[v];
    std::vector<Int> mine;
    if (ll_) {
      for (Int w = replica; w < all; w += replicas) mine.push_back(w);
      return mine;
    }
    Int first = 0;
    for (Int r = 0; r < replica; ++r) first += all / replicas + (r < all % replicas ? 1 : 0);
    const Int count = all / replicas + (replica < all % replicas ? 1 : 0);
    for (Int w = first; w < first + count; ++w) mine.push_back(w);
    return mine;
  }

  void check_groups() {
    for (std::size_t v = 0; v < p_.arrays.size(); ++v) {
      Int ag = 0;
      for (std::size_t c = 0; c < mapping_.cores.size(); ++c) {
        for (const Share& share : mapping_.cores[c]) {
          for (Int k = 0; share.array == v && k < share.groups; ++k) {
            check_group(v, ag++, static_cast<Int>(c));
          }
        }
      }
    }
    Int all = 0;
    for (const ArrayNode& array : p_.arrays) all += array.windows * array.groups;
    if (all != static_cast<Int>(mvm_.size())) complaints_.push_back("wrong number of MVMs");
  }

  void check_group(std::size_t v, Int ag, Int core) {
    core_of_[{v, ag}] = core;
    const std::size_t node = p_.arrays[v].node;
    const std::vector<Int> mine = windows(v, ag / p_.arrays[v].groups);
    const bool loads = !ll_ || p_.sources[node] == std::vector<std::size_t>{0};
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const Event& e = at(mvm_, {node, mine[i], ag});
      require(e.core == core, e, "MVM of a group in another core, or none");
      if (i > 0) {
        require(e.start >= at(mvm_, {node, mine[i - 1], ag}).end, e, "group is busy");
        before_[{node, mine[i], ag}] = mine[i - 1];
      }
      if (!loads) continue;
      const Event& load = at(load_, {node, mine[i], ag});
      require(load.core == core && e.start >= load.end, e, "starts before its input");
      if (i < 2) continue;
      require(load.start >= at(mvm_, {node, mine[i - 2], ag}).end, load, "no free input block");
    }
  }

  /// Partial sums: who reads each group's result, and when.
  void check_sums() {
    for (const Event& e : events_) {
      if (e.op == "SEND" && !e.multicast) sent_[{e.node, e.window, e.ag}] = &e;
    }
    for (const Event& e : events_) {
      if (p_.array_of[e.node]) check_sum_step(e);
    }
    for (const ArrayNode& array : p_.arrays) {
      for (Int w = 0; w < array.windows; ++w) {
        const auto act = act_.find({array.node, w});
        const Event& e = act == act_.end() ? none_ : events_[act->second];
        require(e.op == "ACT", e, "a window without ACT");
        require(added_[{array.node, w}] == array.groups - 1, e, "wrong number of sums");
      }
    }
    for (const auto& [key, i] : mvm_) check_block(key, events_[i]);
  }

  void check_sum_step(const Event& e) {
    const Key key(e.node, e.window, e.ag);
    Int& ready = sum_ready_[{e.core, e.node, e.window}];  // of the sum in this core
    if (e.op == "MVM" && ready == 0) ready = e.end;
    if (e.op == "RECV" && e.upto < 0) {
      const Event* from = sent_.contains(key) ? sent_[key] : &none_;
      require(from->core == e.peers.front() && from->peers == std::vector{e.core}, e, "no message");
      require(e.start >= from->end, e, "message not there");
    }
    if (e.op == "VVADD") check_addition(e, ready);
    if (e.op == "ACT" || e.op == "SEND" || e.op == "ST") {
      require(e.start >= ready, e, "starts before the sum");
      ready = std::max(ready, e.end);
      read_[key] = std::max(read_[key], e.end);
    }
  }

  void check_addition(const Event& e, Int& ready) {
    const Key key(e.node, e.window, e.ag);
    const Event& made = at(mvm_, key);
    require(made.core != e.core || e.start >= made.end, e, "starts before its operand");
    require(e.start >= ready, e, "starts before the sum");
    const auto act = act_.find({e.node, e.window});
    const bool late =
        act != act_.end() && events_[act->second].core == e.core && events_[act->second].id < e.id;
    require(!late, e, "adds after ACT");
    ready = e.end;
    ++added_[{e.node, e.window}];
    if (made.core == e.core) read_[key] = e.end;
  }

  /// Vector nodes, and the number of results that are stored.
  void check_vectors() {
    Int stored = 0;
    for (const Event& e : events_) {
      if (e.op == "ST") ++stored;
      if (p_.array_of[e.node]) continue;
      if (e.op == "VEC") {
        const auto load = load_.find({e.node, e.window, -1});
        const bool there = load != load_.end();
        require(there ? e.start >= events_[load->second].end : ll_, e, "starts before its LD");
      }
      if (e.op == "SEND" || e.op == "ST") {
        const auto made = act_.find({e.node, e.window});
        require(made != act_.end() && e.start >= events_[made->second].end, e,
                "starts before its result");
      }
    }
    Int results = static_cast<Int>(act_.size());
    for (std::size_t v = 0; ll_ && v < p_.graph.nodes.size(); ++v) {
      const Node& node = p_.graph.nodes[v];
      const bool read = std::ranges::any_of(
          p_.sources, [&](const auto& sources) { return std::ranges::count(sources, v) > 0; });
      if ((node.is_array() || node.is_vector()) && read) results -= node.windows();
    }
    if (stored != results) complaints_.push_back("wrong number of ST");
  }

  void check_block(const Key& key, const Event& e) {
    const auto& [node, window, ag] = key;
    const auto before = before_.find(key);
    if (before != before_.end()) {
      const auto last = read_.find({node, before->second, ag});
      if (last == read_.end()) {
        require(false, e, "a result that nobody reads");
      } else {
        require(e.end >= last->second, e, "overwrites a result");
      }
    }
    if (!reuse_) return;
    const std::size_t v = *p_.array_of[node];
    const auto in_part = [&](Int other) {  // and not the first of its part
      return other % p_.arrays[v].groups != 0 && core_of_[{v, other}] == e.core &&
             core_of_[{v, other - 1}] == e.core;
    };
    if (ag % p_.arrays[v].groups < 3 || !in_part(ag) || !in_part(ag - 1) || !in_part(ag - 2))
      return;
    require(e.end >= read_.at({node, window, ag - 2}), e, "takes a block that is in use");
  }

  /// Low latency: pixels are there before they are read.
  void check_pixels() {
    if (!ll_) return;
    std::map<std::pair<std::size_t, Int>, Int> there = available();
    std::map<std::size_t, std::vector<Int>> until;  // by node: all pixels up to this one
    for (const auto& [pixel, time] : there) {
      std::vector<Int>& times = until[pixel.first];
      times.push_back(times.empty() ? time : std::max(times.back(), time));
    }
    std::map<std::tuple<Int, std::string, std::size_t>, const Event*> received;
    for (const Event& e : events_) {
      if (e.op == "RECV" && e.upto >= 0) {
        const std::vector<Int>& times = until[e.node];
        require(e.upto < static_cast<Int>(times.size()), e, "a pixel that nobody makes");
        if (e.upto < static_cast<Int>(times.size())) {
          require(e.start >= times[static_cast<std::size_t>(e.upto)], e, "pixels not there");
        }
        received[{e.core, e.unit, e.node}] = &e;
      }
      if (e.op != "MVM" && e.op != "VEC") continue;
      for (const std::size_t source : p_.sources[e.node]) {
        if (source == 0) continue;
        const Event* r = received[{e.core, e.unit, source}];
        const bool matches = r != nullptr && r->window == e.window;
        require(matches && r->upto >= last_read(e.node, source, e.window), e,
                "starts without RECV");
        if (matches) require(e.start >= r->start, e, "starts before RECV");
      }
    }
  }

  /// When each pixel is everywhere.
  [[nodiscard]] std::map<std::pair<std::size_t, Int>, Int> available() const {
    std::map<std::pair<std::size_t, Int>, Int> there;
    for (const auto& [pixel, i] : act_) there[pixel] = events_[i].end;
    for (const Event& e : events_) {
      const bool whole = e.op == "ST" || (e.op == "SEND" && e.multicast);
      if (whole) there[{e.node, e.window}] = e.end;
    }
    return there;
  }

  /// The greatest pixel of the window, one after another.
  [[nodiscard]] Int last_read(std::size_t v, std::size_t source, Int window) const {
    const Node& node = p_.graph.nodes[v];
    if (node.op == Op::fc) return p_.graph.nodes[source].windows() - 1;
    if (node.op == Op::eltwise) return window;
    Int last = 0;
    const Int top = window / node.out.width * node.vertical.stride - node.vertical.before;
    const Int left = window % node.out.width * node.horizontal.stride - node.horizontal.before;
    for (Int y = top; y < top + node.vertical.kernel; ++y) {
      for (Int x = left; x < left + node.horizontal.kernel; ++x) {
        const bool inside = y >= 0 && y < node.in.height && x >= 0 && x < node.in.width;
        if (inside) last = std::max(last, y * node.in.width + x);
      }
    }
    return last;
  }

  const Architecture& a_;
  const Partition& p_;
  const Mapping& mapping_;
  bool ll_;
  bool reuse_;
  Event none_ = [] {
    Event e;
    e.core = -1;
    e.op = "nothing";
    return e;
  }();
  std::map<std::string, std::size_t> node_of_;
  std::vector<Event> events_;
  std::map<Key, std::size_t> mvm_, load_;
  std::map<std::pair<std::size_t, Int>, std::size_t> act_;  // ACT or VEC of a pixel
  std::map<Key, Int> before_;                               // the group's window before
  std::map<Key, Int> read_;  // end of the last reader of a group's result
  std::map<std::pair<std::size_t, Int>, Int> added_;
  std::map<Key, const Event*> sent_;                            // by the part's first group
  std::map<std::tuple<Int, std::size_t, Int>, Int> sum_ready_;  // core, node, window
  std::map<std::pair<std::size_t, Int>, Int> core_of_;          // array, group
  std::vector<std::string> complaints_;
};

}  // namespace

std::vector<std::string> stream_lines(const Architecture& a, const Partition& p,
                                      const Mapping& mapping, const ScheduleOptions& options) {
  std::string text;
  write_stream([&](std::string_view piece) { text += piece; }, a, p, mapping, options, true);
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> stream_complaints(const Architecture& a, const Partition& p,
                                           const Mapping& mapping, const ScheduleOptions& options,
                                           const std::vector<std::string>& lines) {
  return StreamChecker(a, p, mapping, options).run(lines);
}

}  // namespace testkit
