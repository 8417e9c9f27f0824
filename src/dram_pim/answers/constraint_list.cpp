// One function for each kind of constraint. Dropping one never takes a mapping away, and none of
// them enters a cost but the size of a row.
#include "dram_pim/answers/constraint_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dram_pim/model/architecture_fields.hpp"
#include "files/nearest.hpp"
#include "pimbb/dram_pim/layout_range.hpp"

namespace pimbb::dram_pim::answers {
namespace {

/// As many PEs or MACs as the loops of a layer can use, at most so many.
std::int64_t useful_units(const Workload& w, std::int64_t most) {
  std::int64_t all = 1;
  for (const Dim j : kAllDims) all = w.bound(j) > most / all ? most : all * w.bound(j);
  return all;
}

std::string names_of(const TensorFlags& tensors) {
  std::vector<std::string_view> names;
  for (const Tensor t : kAllTensors) {
    if (tensors[index(t)]) names.push_back(name(t));
  }
  return files::join(names);
}

/// "only K on PE rows", "no R, S, C in a PE"; "" if everything is allowed.
std::string unit_rule(const PeArray& array, Direction d) {
  constexpr std::array<std::string_view, kDirections> kPlaces{"on PE rows", "on PE columns",
                                                              "in a PE"};
  std::vector<std::string_view> allowed, forbidden;
  for (const Dim j : kAllDims) (array.allows(d, j) ? allowed : forbidden).push_back(name(j));
  if (forbidden.empty()) return "";
  const std::string rule = allowed.empty()                      ? "nothing"
                           : allowed.size() <= forbidden.size() ? "only " + files::join(allowed)
                                                                : "no " + files::join(forbidden);
  return std::string(kUnitTypeNames[static_cast<std::size_t>(array.unit_type)]) + ": " + rule +
         " unrolled " + std::string(kPlaces[index(d)]);
}

/// What constraints say, in one line.
std::string words_of(const Architecture& a, const Constraints& c) {
  return fmt::to_string(fmt::join(constraint_texts(a, c), ", "));
}

class Lister {
 public:
  Lister(const Architecture& a, const Workload& w, const Question& q)
      : a_(a), w_(w), q_(q), figures_(figures_of(a)) {}

  std::vector<Droppable> list() {
    for (const Direction d : kAllDirections) unit_type(d);
    // Searches with very many PEs take long. Beside all other constraints few sizes of an array can
    // be dropped, if the latency is limited; otherwise all can, and better late.
    const bool are_needed = std::ranges::any_of(
        q_.all_caps(), [](const GoalCap& cap) { return traits(cap.goal).latency; });
    if (are_needed) arrays();
    for (std::size_t level = 0; level < a_.row_buffer(); ++level) storage(level);
    dataflow();
    given_factors();
    given_storage();
    given_orders();
    for (const Tensor t : kAllTensors) layout(t);
    for (std::size_t level = 0; level < a_.levels.size(); ++level) capacity(level);
    if (!are_needed) arrays();
    for (const GoalCap& cap : q_.all_caps()) limit(cap);
    return std::move(all_);
  }

 private:
  Droppable& add(ConstraintKind kind, std::string words, std::function<void(Problem&)> drop) {
    Droppable& added = all_.emplace_back();
    added.constraint.kind = kind;
    added.constraint.words = std::move(words);
    added.drop = std::move(drop);
    return added;
  }

  void add_size(Droppable& constraint, const std::string& path) {
    constraint.size = *std::ranges::find(figures_, path, &Figure::path);
    constraint.constraint.parameter = path;
    constraint.constraint.unit = constraint.size->unit;
    constraint.constraint.today = constraint.size->today;
  }

  void unit_type(Direction d) {
    std::string rule = unit_rule(a_.pe_array, d);
    if (rule.empty()) return;
    add(ConstraintKind::unit, std::move(rule),
        [d](Problem& p) { p.architecture.pe_array.lifted[index(d)] = true; });
  }

  void arrays() {
    for (const Direction d : kAllDirections) array(d);
  }

  void array(Direction d) {
    struct Side {
      const char* words;
      const char* path;
      std::int64_t PeArray::*size;
    };
    constexpr std::array<Side, kDirections> kSides{
        {{"number of PE rows", "pe_array.dim_h", &PeArray::height},
         {"number of PE columns", "pe_array.dim_w", &PeArray::width},
         {"number of MACs in a PE", "pe_array.num_macs", &PeArray::num_macs}}};
    const Side& side = kSides[index(d)];
    const std::int64_t most = useful_units(w_, kLargestCount);
    Droppable& added = add(ConstraintKind::array, side.words, [size = side.size, most](Problem& p) {
      std::int64_t& units = p.architecture.pe_array.*size;
      units = std::max(units, most);
    });
    add_size(added, side.path);
    added.size->most = [most](const Workload&) { return most; };
  }

  void storage(std::size_t level) {
    const MemoryLevel& own = a_.levels[level];
    if (own.bypass_free || std::ranges::none_of(own.stores, std::identity{})) return;
    add(ConstraintKind::storage, own.name + " always stores " + names_of(own.stores),
        [level](Problem& p) { p.architecture.levels[level].bypass_free = true; });
  }

  void capacity(std::size_t level) {
    const MemoryLevel& own = a_.levels[level];
    if (!own.capacity) return;
    const char* each = level == a_.row_buffer() ? " for each tensor" : "";
    add_size(add(ConstraintKind::capacity, "capacity of " + own.name + each,
                 [level](Problem& p) { p.architecture.levels[level].capacity.reset(); }),
             "levels." + own.name + ".entries");
  }

  void dataflow() {
    if (q_.method == Method::exact) return;
    add(ConstraintKind::dataflow, "dataflow " + std::string(name(q_.method)),
        [](Problem& p) { p.question.method = Method::exact; });
  }

  /// What a file says of one thing is in one constraint; its words are those of all constraints
  /// without the others.
  void given(const Constraints& alone, std::function<void(Constraints&)> drop) {
    std::string words = words_of(a_, alone);
    if (words.empty()) return;
    add(ConstraintKind::given, std::move(words),
        [drop = std::move(drop)](Problem& p) { drop(p.question.constraints); });
  }

  void given_factors() {
    const Constraints& c = q_.constraints;
    for (const Dim j : kAllDims) {
      for (const Direction d : kAllDirections) {
        Constraints alone;
        alone.spatial[index(d)][index(j)] = c.spatial[index(d)][index(j)];
        given(alone, [d, j](Constraints& all) { all.spatial[index(d)][index(j)] = {}; });
      }
      for (std::size_t level = 0; level < c.temporal.size(); ++level) {
        Constraints alone;
        alone.temporal.resize(a_.levels.size());
        alone.temporal[level][index(j)] = c.temporal[level][index(j)];
        given(alone, [level, j](Constraints& all) { all.temporal[level][index(j)] = {}; });
      }
    }
  }

  void given_storage() {
    const Constraints& c = q_.constraints;
    for (std::size_t level = 0; level < c.stores.size(); ++level) {
      for (const Tensor t : kAllTensors) {
        Constraints alone;
        alone.stores.resize(a_.levels.size());
        alone.stores[level][index(t)] = c.stores[level][index(t)];
        given(alone, [level, t](Constraints& all) { all.stores[level][index(t)].reset(); });
      }
    }
  }

  void given_orders() {
    const Constraints& c = q_.constraints;
    for (std::size_t level = 0; level < c.orders.inside.size(); ++level) {
      Constraints alone;
      alone.orders.inside.resize(a_.levels.size());
      alone.orders.inside[level] = c.orders.inside[level];
      given(alone, [level](Constraints& all) { all.orders.inside[level] = {}; });
    }
  }

  /// What is said of one tensor's layout, and for a row-aligned one that a row holds its box. Both
  /// are dropped together: without either, the tensor may be sequential.
  void layout(Tensor t) {
    const LayoutRange range = both(q_.layouts, q_.constraints.layouts)[index(t)];
    if (range == LayoutRange{}) return;
    const auto drop = [t](Problem& p) {
      p.question.layouts[index(t)] = {};
      p.question.constraints.layouts[index(t)] = {};
    };
    Constraints alone;
    alone.layouts[index(t)] = range;
    alone.layouts[index(t)].among.reset();
    std::string words = words_of(a_, alone);
    if (words.empty()) words = "layout of " + std::string(name(t));
    if (range.sequential || !range.row_aligned) {
      add(ConstraintKind::layout, words, drop);
      return;
    }
    Droppable& added = add(ConstraintKind::layout, words + ", its box within a row", drop);
    add_size(added, "levels." + a_.levels[a_.row_buffer()].name + ".row_buffer_size");
    added.size->least = 1;
    added.size->need = [&a = a_](const Workload& w, const Mapping& m) { return row_need(a, w, m); };
    added.size->most = [&a = a_](const Workload& w) {
      std::int64_t bytes = 1;
      for (const Tensor each : kAllTensors) {
        bytes = std::max(bytes, a.tile_bytes(each, w.tensor_elements(each)));
      }
      return bytes;
    };
  }

  void limit(const GoalCap& cap) {
    Droppable& added =
        add(ConstraintKind::limit, "limit on " + std::string(name(cap.goal)), [cap](Problem& p) {
          std::erase_if(p.question.caps,
                        [&](const GoalCap& other) { return other.goal == cap.goal; });
        });
    added.constraint.parameter = "at_most." + std::string(name(cap.goal));
    added.constraint.unit = traits(cap.goal).unit;
    added.constraint.today = cap.most;
    added.limited = cap.goal;
  }

  const Architecture& a_;
  const Workload& w_;
  const Question& q_;
  std::vector<Figure> figures_;
  std::vector<Droppable> all_;
};

}  // namespace

void fold_columns(Problem& problem, const Workload& workload) {
  PeArray& array = problem.architecture.pe_array;
  const bool rows_suffice = std::ranges::all_of(kAllDims, [&](Dim j) {
    return array.allows(Direction::H, j) || !array.allows(Direction::W, j);
  });
  const Constraints& c = problem.question.constraints;
  const bool is_free =
      problem.question.method != Method::rs &&
      std::ranges::all_of(c.spatial, [](const FactorRanges& r) { return r == FactorRanges{}; });
  const std::int64_t most = useful_units(workload, kLargestCount);
  if (!rows_suffice || !is_free || array.height < most || array.width < most) return;
  array.height = useful_units(workload, kLargestCount * kLargestCount);
  array.width = 1;
}

std::vector<Droppable> constraints_of(const Architecture& architecture, const Workload& workload,
                                      const Question& question) {
  return Lister(architecture, workload, question).list();
}

std::int64_t row_need(const Architecture& a, const Workload& w, const Mapping& m) {
  const Factors tile = m.tile(a.row_buffer());
  std::int64_t need = 1;
  for (const Tensor t : kAllTensors) {
    if (m.layout[index(t)] != Layout::row_aligned) continue;
    std::int64_t elements = w.tile_elements(t, tile);
    if (t == Tensor::input) {  // the block instead of the tile's plane
      elements = m.input_block.h * m.input_block.w;
      for (const Dim j : {Dim::G, Dim::C, Dim::N}) elements *= tile[index(j)];
    }
    need = std::max(need, a.tile_bytes(t, elements));
  }
  return need;
}

}  // namespace pimbb::dram_pim::answers
