// Loops to the left, levels to the right.
#include "cim/cli/loop_nest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "terminal/format.hpp"

namespace pimbb::cim::cli {
namespace {

struct Line {
  std::string loop;
  PerTensor<std::string> level;
};

std::string level_text(const Architecture& a, const Mapping& mapping, std::size_t i, Tensor t) {
  const std::size_t level = mapping.loops[i].level[index(t)];
  if (i > 0 && mapping.loops[i - 1].level[index(t)] == level) return "|";
  return printable(a.levels[level].name) + (mapping.doubled[level][index(t)] ? " *" : "");
}

std::vector<Line> temporal(const Architecture& a, const Mapping& mapping) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < mapping.loops.size(); ++i) {
    Line line{std::string(2 * i, ' ') + loop_text(mapping.loops[i]) + ":", {}};
    for (const Tensor t : kAllTensors) line.level[index(t)] = level_text(a, mapping, i, t);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Line> spatial(const Architecture& a, const Mapping& mapping, std::size_t depth) {
  std::vector<Line> lines;
  for (std::size_t u = 0; u < a.axes.size(); ++u) {
    for (const Dim d : kAllDims) {
      const std::int64_t factor = mapping.spatial[u][index(d)];
      if (factor < 2) continue;
      lines.push_back(
          {fmt::format("{}parallel for {} in {} over {}:", std::string(2 * depth++, ' '), name(d),
                       number(factor), printable(a.axes[u].name)),
           {}});
    }
  }
  return lines;
}

bool is_grouped(const Mapping& mapping) {
  return mapping.unrolled()[index(Dim::G)] > 1 ||
         std::ranges::count(mapping.loops, Dim::G, &Loop::dim) > 0;
}

}  // namespace

std::string loop_text(const Loop& loop) {
  return fmt::format("for {} in {}", name(loop.dim), number(loop.factor));
}

std::string draw_loop_nest(const Style& style, const Architecture& architecture,
                           const Mapping& mapping) {
  std::vector<Line> lines = temporal(architecture, mapping);
  for (Line& line : spatial(architecture, mapping, lines.size())) lines.push_back(std::move(line));
  const std::string body =
      std::string(2 * lines.size(), ' ') +
      (is_grouped(mapping) ? "output[n,gk,q,p] += input[n,gc,h,w] * weight[gk,c,s,r]"
                           : "output[n,k,q,p] += input[n,c,h,w] * weight[k,c,s,r]");
  std::size_t left = 4;
  PerTensor<std::size_t> widths{};
  for (const Tensor t : kAllTensors) widths[index(t)] = name(t).size();
  for (const Line& line : lines) {
    left = std::max(left, columns(line.loop));
    for (const Tensor t : kAllTensors) {
      widths[index(t)] = std::max(widths[index(t)], columns(line.level[index(t)]));
    }
  }
  const auto row = [&](const std::string& loop, const PerTensor<std::string>& cells) {
    std::string text = "  " + pad_right(loop, left);
    for (const Tensor t : kAllTensors) {
      text += "  " + pad_right(cells[index(t)], widths[index(t)]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  PerTensor<std::string> names;
  for (const Tensor t : kAllTensors) names[index(t)] = std::string(name(t));
  std::string text = style.faint(row("loop", names)) + "\n";
  for (const Line& line : lines) text += row(line.loop, line.level) + "\n";
  return text + "  " + style.faint(body) + "\n";
}

}  // namespace pimbb::cim::cli
