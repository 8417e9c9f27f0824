// A bar is one iteration: transfer, the loops inside, waiting.
#include "cim/cli/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cim/cli/loop_nest.hpp"
#include "terminal/format.hpp"

namespace pimbb::cim::cli {
namespace {

constexpr std::size_t kTimelineWidth = 28;

/// What a column shows, in UTF-8 and in ASCII.
struct Glyph {
  const char* utf8;
  const char* ascii;
  [[nodiscard]] const char* in(const Style& style) const { return style.unicode ? utf8 : ascii; }
};
constexpr Glyph kStalls{"▓", "%"};
constexpr Glyph kHidden{"▒", "="};
constexpr Glyph kWork{"█", "#"};
constexpr Glyph kWaits{"·", "."};

std::size_t columns_of(const Rational& part, const Rational& whole) {
  if (part.sign() <= 0 || whole.sign() == 0) return 0;
  const double share = std::min(1.0, part.to_double() / whole.to_double());
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(share * kTimelineWidth)));
}

std::string lane(const Style& style, const LoopIteration& loop, Tensor t) {
  const Rational& move = loop.move[index(t)];
  const bool hidden = loop.hidden[index(t)];
  const std::size_t moving = columns_of(move, loop.cycles);
  const Rational busy = hidden ? max(move, loop.inside[index(t)]) : move + loop.inside[index(t)];
  const std::size_t end = std::max(moving, columns_of(busy, loop.cycles));
  std::string text;
  for (std::size_t k = 0; k < kTimelineWidth; ++k) {
    const Glyph& glyph = k < moving ? (hidden ? kHidden : kStalls) : k < end ? kWork : kWaits;
    text += glyph.in(style);
  }
  return text;
}

/// "DRAM > InputBuffer", and back for outputs.
std::string way(const Architecture& a, const Transfer& transfer) {
  return fmt::format("{} {} {}", printable(a.levels[transfer.from].name),
                     transfer.tensor == Tensor::output ? "<>" : ">",
                     transfer.to ? printable(a.levels[*transfer.to].name) : std::string("MAC"));
}

}  // namespace

std::string draw_timeline(const Style& style, const Architecture& architecture,
                          const Workload& workload, const Mapping& mapping,
                          const Metrics& metrics) {
  const std::vector<LoopIteration> loops =
      loop_iterations(architecture, workload, mapping, metrics.pricing.padding);
  std::size_t width = 0;
  for (const Transfer& transfer : metrics.transfers) {
    width = std::max(width, columns(way(architecture, transfer)));
  }
  std::string text;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    std::string lanes;
    for (const Transfer& transfer : metrics.transfers) {
      if (transfer.loop != i) continue;
      const Rational& move = loops[i].move[index(transfer.tensor)];
      lanes += fmt::format(
          "    {} {}  {}  {} {}\n", pad_right(std::string(name(transfer.tensor)), 6),
          pad_right(way(architecture, transfer), width), lane(style, loops[i], transfer.tensor),
          number(move), loops[i].hidden[index(transfer.tensor)] ? "hidden" : "stalls");
    }
    if (lanes.empty()) continue;
    text += fmt::format("  {}  {}\n{}", loop_text(mapping.loops[i]),
                        style.faint(number(loops[i].cycles) + " cycles an iteration"), lanes);
  }
  if (text.empty()) return text;
  return text + "  " +
         style.faint(
             fmt::format("{} transfer that stalls, {} hidden behind the work, {} loops inside, "
                         "{} waiting for other tensors",
                         kStalls.in(style), kHidden.in(style), kWork.in(style), kWaits.in(style))) +
         "\n";
}

}  // namespace pimbb::cim::cli
