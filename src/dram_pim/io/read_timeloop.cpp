// Directives in any order are gathered in a mapping; a factor 0, "the rest", is filled in last.
#include "dram_pim/io/read_timeloop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "files/nearest.hpp"

namespace pimbb::dram_pim::io {
namespace {

constexpr std::string_view kDirectives = "lists of directives: [{target: LEVEL, type: TYPE, ...}]";
constexpr std::string_view kFactors =
    "factors such as C=4 M=16 or C4 M16, or a list of them, whole numbers each (0: what is left)";

/// Timeloop's letters are ours but for the output channels: M, or K in its older layer shapes.
std::optional<Dim> dimension(std::string_view name) {
  if (name == "M") return Dim::K;
  const auto at = std::ranges::find(kDimNames, name);
  if (at == kDimNames.end()) return std::nullopt;
  return static_cast<Dim>(at - kDimNames.begin());
}

std::string_view timeloop_name(Dim dim) { return dim == Dim::K ? "M" : name(dim); }

Dim dimension_or_fail(const files::Value& value, std::string_view name) {
  if (const auto dim = dimension(name)) return *dim;
  std::vector<std::string_view> names;
  for (const Dim dim : kAllDims) names.push_back(timeloop_name(dim));
  value.fail(fmt::format("the dimension {}", name), files::join(names));
}

bool blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool separates(char c) { return c == ',' || blank(c); }

/// "C=4 M=16", "C4 M16", "C = 4, M = 16", read off the front one factor after the other.
class FactorText {
 public:
  FactorText(const files::Value& value, std::string_view text) : value_(value), rest_(text) {}

  bool next(Dim& dim, std::int64_t& factor) {
    skip(separates);
    if (rest_.empty()) return false;
    const std::string_view name = take([](char c) { return std::isalpha(uchar(c)) != 0; });
    skip(blank);
    if (rest_.starts_with('=')) rest_.remove_prefix(1);
    skip(blank);
    const std::string_view digits = take([](char c) { return std::isdigit(uchar(c)) != 0; });
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), factor);
    if (name.empty() || digits.empty() || error != std::errc())
      value_.fail(value_.found(), kFactors);
    dim = dimension_or_fail(value_, name);
    if (rest_.size() > 1 && rest_[0] == ',' && std::isdigit(uchar(rest_[1])) != 0) {
      value_.fail(fmt::format("a remainder after {}={}", name, factor),
                  "perfect factors: every iteration of a loop has a whole tile");
    }
    return true;
  }

 private:
  static unsigned char uchar(char c) { return static_cast<unsigned char>(c); }
  template <class Test>
  std::string_view take(const Test& test) {
    const auto end = std::ranges::find_if_not(rest_, test);
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  template <class Test>
  void skip(const Test& test) {
    static_cast<void>(take(test));
  }

  const files::Value& value_;
  std::string_view rest_;
};

class TimeloopReader {
 public:
  TimeloopReader(const Architecture& architecture, const Workload& workload) : workload_(workload) {
    for (const MemoryLevel& level : architecture.levels) level_names_.push_back(level.name);
    mapping_.levels.resize(architecture.levels.size());
    for (std::size_t m = 0; m < mapping_.levels.size(); ++m) {
      mapping_.levels[m].stores = architecture.storable(m);
    }
    for (auto& seen : seen_) seen.resize(architecture.levels.size());
  }

  Mapping read(const files::Value& directives) {
    for (const files::Value& item : directives.list(kDirectives)) directive(item);
    for (const Dim dim : kAllDims) settle(directives, dim);
    for (MappingLevel& level : mapping_.levels) {
      std::erase_if(level.loops, [](const Loop& loop) { return loop.factor == 1; });
    }
    // The innermost level runs its loops in one order only.
    std::ranges::sort(mapping_.levels[0].loops, {}, [](const Loop& l) { return pe_place(l.dim); });
    return mapping_;
  }

 private:
  enum Kind : std::size_t { temporal, spatial, datatype, bypass };

  void directive(const files::Value& item) {
    static constexpr std::array<std::string_view, 4> kKinds{"temporal", "spatial", "datatype",
                                                            "bypass"};
    static constexpr std::array<std::string_view, 7> kAllKeys{
        "target", "type", "factors", "permutation", "split", "keep", "bypass"};
    static constexpr std::array<std::string_view, 4> kTensorKeys{"target", "type", "keep",
                                                                 "bypass"};
    const auto given = item.get("type");
    const files::Value type = given ? *given : item.object(kAllKeys)["type"];
    auto kind = static_cast<Kind>(type.choice(kKinds));
    if (kind == bypass) kind = datatype;  // two names of the same
    const std::span<const std::string_view> loop_keys(kAllKeys.data(), kind == spatial ? 5 : 4);
    const files::Object object =
        kind == datatype ? item.object(kTensorKeys) : item.object(loop_keys);
    const files::Value target = object["target"];
    const std::size_t level = target.choice(level_names_);
    if (seen_[kind][level]) {
      target.fail(fmt::format("a second {} directive for {}", kKinds[kind], level_names_[level]),
                  "one of each type for a level");
    }
    seen_[kind][level] = true;
    if (kind == temporal) read_temporal(object, level);
    if (kind == spatial) read_spatial(object, target, level);
    if (kind == datatype) read_tensors(object, level);
  }

  /// Factors of 1 are left out; 0 stands for the rest.
  std::vector<Loop> factors(const files::Object& object) {
    std::vector<Loop> loops;
    const auto value = object.find("factors");
    if (!value) return loops;
    Factors seen{};
    const auto read = [&](const files::Value& part) {
      const std::string written = part.text(kFactors);
      FactorText text(part, written);
      Dim dim{};
      std::int64_t factor = 0;
      while (text.next(dim, factor)) {
        if (seen[index(dim)]++ > 0) {
          part.fail(fmt::format("a second factor of {}", timeloop_name(dim)),
                    "one factor of each dimension");
        }
        if (factor != 1) loops.push_back({dim, factor});
        if (factor == 0) take_rest(part, dim);
      }
    };
    if (value->is_list()) {
      for (const files::Value& item : value->list(kFactors)) read(item);
    } else {
      read(*value);
    }
    return loops;
  }

  void take_rest(const files::Value& where, Dim dim) {
    if (std::exchange(rest_[index(dim)], true)) {
      where.fail(fmt::format("a second factor 0 of {}", timeloop_name(dim)),
                 "one place that takes the rest of a dimension");
    }
  }

  /// Innermost first, as Timeloop lists them.
  static std::vector<Dim> permutation(const files::Object& object) {
    std::vector<Dim> dims;
    const auto value = object.find("permutation");
    if (!value) return dims;
    const auto add = [&](const files::Value& where, std::string_view name) {
      const Dim dim = dimension_or_fail(where, name);
      if (std::ranges::find(dims, dim) != dims.end()) {
        where.fail(fmt::format("{} a second time", name), "each dimension once");
      }
      dims.push_back(dim);
    };
    static constexpr std::string_view kAllowed = "dimensions, innermost first, such as RSPQCMN";
    if (value->is_list()) {
      for (const files::Value& item : value->list(kAllowed)) add(item, item.text(kAllowed));
    } else {
      const std::string text = value->text(kAllowed);
      for (const char& c : text) {
        if (separates(c)) continue;
        if (std::isalpha(static_cast<unsigned char>(c)) == 0) value->fail(value->found(), kAllowed);
        add(*value, {&c, 1});
      }
    }
    return dims;
  }

  /// The permutation where it matters: loops that are not in it would have an arbitrary order.
  static std::vector<Dim> permutation_of(const files::Object& object,
                                         const std::vector<Loop>& loops) {
    std::vector<Dim> order = permutation(object);
    for (const Loop& loop : loops) {
      if (std::ranges::find(order, loop.dim) != order.end()) continue;
      object["permutation"].fail(fmt::format("no {}", timeloop_name(loop.dim)),
                                 "permutations of all dimensions with a factor above 1");
    }
    return order;
  }

  static std::int64_t position(const std::vector<Dim>& order, Dim dim) {
    return std::ranges::find(order, dim) - order.begin();
  }

  void read_temporal(const files::Object& object, std::size_t level) {
    std::vector<Loop> loops = factors(object);
    if (level > 0 && loops.size() > 1) {
      const std::vector<Dim> order = permutation_of(object, loops);
      std::ranges::sort(loops, std::ranges::greater{},
                        [&](const Loop& loop) { return position(order, loop.dim); });
    } else {
      static_cast<void>(permutation(object));  // checked all the same
    }
    mapping_.levels[level].loops = std::move(loops);
  }

  /// Fan-out below the level outside the PEs is the array; below level 0, the MACs of a PE.
  void read_spatial(const files::Object& object, const files::Value& target, std::size_t level) {
    const std::vector<Loop> loops = factors(object);
    if (level > 1 && !loops.empty()) {
      target.fail(fmt::format("spatial factors at {}", level_names_[level]),
                  fmt::format("{} (over the PE array) and {} (over the MACs of a PE)",
                              level_names_[1], level_names_[0]));
    }
    std::int64_t columns = kDims;  // dimensions that unroll over them: without a split all
    const auto split = object.find("split");
    if (split) columns = split->integer(0, kDims);
    const std::vector<Dim> order =
        split && level == 1 ? permutation_of(object, loops) : permutation(object);
    for (const Loop& loop : loops) {
      const Direction array =
          !split || position(order, loop.dim) < columns ? Direction::W : Direction::H;
      const Direction d = level == 0 ? Direction::internal : array;
      mapping_.spatial[index(d)][index(loop.dim)] = loop.factor;
    }
  }

  void read_tensors(const files::Object& object, std::size_t level) {
    static constexpr std::array<std::string_view, kTensors> kNames{"Inputs", "Weights", "Outputs"};
    TensorFlags named{};
    for (const std::string_view key : {"keep", "bypass"}) {
      const auto list = object.find(key);
      if (!list) continue;
      for (const files::Value& item : list->list("lists of data spaces: " + files::join(kNames))) {
        const std::size_t t = item.choice(kNames);
        if (std::exchange(named[t], true)) {
          item.fail(item.found() + " a second time", "each data space once");
        }
        mapping_.levels[level].stores[t] = key == "keep";
      }
    }
  }

  /// All factors of a dimension, those of the array first.
  template <class Use>
  void each_factor(Dim dim, const Use& use) {
    for (Factors& factors : mapping_.spatial) use(factors[index(dim)]);
    for (MappingLevel& level : mapping_.levels) {
      for (Loop& loop : level.loops) {
        if (loop.dim == dim) use(loop.factor);
      }
    }
  }

  /// Puts what is left of a dimension where its factor is 0; nothing may be left otherwise.
  void settle(const files::Value& directives, Dim dim) {
    std::int64_t left = workload_.bound(dim);
    bool divides = true;
    std::string product;
    each_factor(dim, [&](std::int64_t& factor) {
      if (factor < 2) return;
      product += (product.empty() ? "" : " * ") + std::to_string(factor);
      divides = divides && left % factor == 0;
      if (divides) left /= factor;
    });
    if (!divides || (left > 1 && !rest_[index(dim)])) {
      directives.fail(fmt::format("factors of {} that multiply to {}", timeloop_name(dim),
                                  product.empty() ? "1" : product),
                      fmt::format("factors whose product is the layer's {} = {}",
                                  timeloop_name(dim), workload_.bound(dim)));
    }
    each_factor(dim, [&](std::int64_t& factor) {
      if (factor == 0) factor = left;
    });
  }

  const Workload& workload_;
  std::vector<std::string_view> level_names_;
  Mapping mapping_;
  std::array<bool, kDims> rest_{};           // dimensions with a factor 0
  std::array<std::vector<bool>, 3> seen_{};  // by kind and level
};

}  // namespace

bool is_timeloop_mapping(const files::Value& root) {
  const auto mapping = root.get("mapping");
  return root.is_list() || (mapping && mapping->is_list());
}

Mapping read_timeloop_mapping(const files::Value& root, const Architecture& architecture,
                              const Workload& workload) {
  return TimeloopReader(architecture, workload).read(root.unwrap("mapping"));
}

}  // namespace pimbb::dram_pim::io
