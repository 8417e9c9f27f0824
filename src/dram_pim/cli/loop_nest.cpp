// Drawing the loops level by level; the PE array stands between level 1 and the PEs' own buffers.
#include "dram_pim/cli/loop_nest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

class Drawing {
 public:
  Drawing(const Style& style, const Architecture& architecture, const Mapping& mapping)
      : style_(style), architecture_(architecture), mapping_(mapping) {
    for (const MemoryLevel& level : architecture.levels) {
      name_width_ = std::max(name_width_, columns(printable(level.name)));
    }
    name_width_ = std::max(name_width_, columns(kArray));
  }

  std::string draw() {
    for (std::size_t m = architecture_.levels.size() - 1; m > 0; --m) memory(m);
    begin(kArray, "");
    spatial(Direction::H);
    spatial(Direction::W);
    end();
    memory(0);
    return std::move(text_);
  }

 private:
  static constexpr std::string_view kArray = "PE array";

  /// A level's name and what it stores stand beside its first line.
  void begin(std::string_view name, const std::string& stores) {
    margin_ = "  " + pad_right(printable(name), name_width_) + "  " +
              style_.faint(pad_right(stores, stores_width_)) + "  ";
    lines_of_level_ = 0;
  }

  void line(const std::string& body) {
    if (lines_of_level_++ > 0) margin_ = std::string(columns(margin_), ' ');
    text_ += margin_ + std::string(2 * depth_, ' ') + body + '\n';
  }

  void end() {
    if (lines_of_level_ == 0) line(style_.faint("(no loops)"));
  }

  void loop(std::string_view before, Dim dim, std::int64_t factor, const std::string& after) {
    line(fmt::format("{}for {} in {}{}:", before, name(dim), number(factor), after));
    ++depth_;
  }

  void spatial(Direction d) {
    for (const Dim j : kAllDims) {
      const std::int64_t factor = mapping_.spatial_in(d)[index(j)];
      if (factor > 1) loop("parallel ", j, factor, fmt::format(" over {}", where(d)));
    }
  }

  static std::string_view where(Direction d) {
    return d == Direction::internal ? "the MACs of a PE" : name(d);
  }

  void memory(std::size_t m) {
    begin(architecture_.levels[m].name, stores(m));
    std::vector<Loop> loops = mapping_.levels[m].loops;
    if (m == 0) {  // the PEs' order is fixed
      std::ranges::stable_sort(loops, {}, [](const Loop& loop) { return pe_place(loop.dim); });
    }
    for (const Loop& each : loops) {
      if (each.factor > 1) loop("", each.dim, each.factor, "");
    }
    if (m == 0) {
      spatial(Direction::internal);
      line(style_.faint(grouped() ? "output[n,gk,q,p] += input[n,gc,h,w] * weight[gk,c,s,r]"
                                  : "output[n,k,q,p] += input[n,c,h,w] * weight[k,c,s,r]"));
    }
    end();
  }

  /// Whether some factor of G is above 1; then gc and gk are channels counted through all groups.
  [[nodiscard]] bool grouped() const {
    return mapping_.tile(architecture_.dram())[index(Dim::G)] > 1;
  }

  /// "input weight output" with blanks for those that bypass the level.
  [[nodiscard]] std::string stores(std::size_t m) const {
    std::string list;
    for (const Tensor t : kAllTensors) {
      const bool here = mapping_.levels[m].stores[index(t)];
      if (!list.empty()) list += ' ';
      list += here ? std::string(name(t)) : std::string(name(t).size(), ' ');
    }
    return list;
  }

  const Style& style_;
  const Architecture& architecture_;
  const Mapping& mapping_;
  std::string text_;
  std::string margin_;
  std::size_t name_width_ = 0;
  std::size_t stores_width_ = columns("input weight output");
  std::size_t depth_ = 0;
  int lines_of_level_ = 0;
};

}  // namespace

std::string draw_loop_nest(const Style& style, const Architecture& architecture,
                           const Mapping& mapping) {
  return Drawing(style, architecture, mapping).draw();
}

}  // namespace pimbb::dram_pim::cli
