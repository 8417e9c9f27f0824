// Lines are made by hand, not as documents of a JSON library: a stream has millions of them.
#include "crossbar/schedule/lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <map>

#include "crossbar/partition/pixel_flow.hpp"
#include "files/json_text.hpp"

namespace pimbb::crossbar::schedule {
namespace {

constexpr std::size_t kPiece = 1 << 16;  // characters that are written at once

class LineWriter {
 public:
  LineWriter(const Partition& partition, const Mapping& mapping, const Stream& stream,
             const std::vector<std::int64_t>* starts)
      : stream_(stream),
        starts_(starts),
        flow_(partition::pixel_flow(partition, partition::placements(partition, mapping))) {
    for (const Node& node : partition.graph.nodes) names_.push_back(files::Json(node.name).dump());
  }

  void add(Index i, std::size_t id) {
    const Instruction& at = stream_.instructions[static_cast<std::size_t>(i)];
    put(R"({{"core": {}, "id": {}, "unit": "{}", "op": "{}", "node": {}, "window": {})", at.core,
        id, kUnitNames[static_cast<std::size_t>(at.unit)],
        kOpcodeNames[static_cast<std::size_t>(at.op)], names_[static_cast<std::size_t>(at.node)],
        at.window);
    if (at.ag != kNone) put(R"(, "ag": {})", at.ag);
    if (at.peer != kNone) {
      put(R"(, "peer": {})", at.peer);
    } else if (at.op == Opcode::send) {
      put(R"(, "peer": [{}])", receivers(at));
    }
    put(R"(, "bytes": {})", stream_.works[static_cast<std::size_t>(at.work)].bytes);
    if (at.upto != kNone) put(R"(, "upto": {})", at.upto);
    if (starts_ != nullptr) put(R"(, "start": {})", (*starts_)[static_cast<std::size_t>(i)]);
    text_ += "}\n";
  }

  [[nodiscard]] std::string& text() { return text_; }

 private:
  template <class... Values>
  void put(fmt::format_string<const Values&...> format, const Values&... values) {
    fmt::format_to(std::back_inserter(text_), format, values...);
  }

  /// Of a pixel.
  const std::string& receivers(const Instruction& at) {
    const auto [found, is_new] = receivers_.try_emplace({at.node, at.core});
    if (is_new) {
      found->second = fmt::format(
          "{}", fmt::join(flow_.others(static_cast<std::size_t>(at.node), at.core), ", "));
    }
    return found->second;
  }

  const Stream& stream_;
  const std::vector<std::int64_t>* starts_;
  partition::PixelFlow flow_;
  std::vector<std::string> names_;                            // by node, quoted
  std::map<std::pair<Index, Index>, std::string> receivers_;  // by node and core
  std::string text_;
};

}  // namespace

void write_lines(const Sink& sink, const Architecture& a, const Partition& partition,
                 const Mapping& mapping, const Stream& stream,
                 const std::vector<std::int64_t>* starts, const run::Guard& guard) {
  std::vector<std::vector<Index>> programs(static_cast<std::size_t>(a.all_cores()));
  for (Index i = 0; i < static_cast<Index>(stream.instructions.size()); ++i) {
    const Instruction& at = stream.instructions[static_cast<std::size_t>(i)];
    if (at.unit != Unit::none) programs[static_cast<std::size_t>(at.core)].push_back(i);
  }
  LineWriter writer(partition, mapping, stream, starts);
  const auto flush = [&] {
    guard.check();
    sink(writer.text());
    writer.text().clear();
  };
  for (const std::vector<Index>& program : programs) {
    for (std::size_t id = 0; id < program.size(); ++id) {
      writer.add(program[id], id);
      if (writer.text().size() >= kPiece) flush();
    }
  }
  flush();
}

}  // namespace pimbb::crossbar::schedule
