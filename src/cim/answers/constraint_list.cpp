// One function for each kind of constraint.
//
// Claim: dropping one never takes a mapping away, and changes no cost. Proof. The size of a level
// and of an axis are upper limits on what a mapping takes, and are in no cost. A level that may
// double more tiles admits all flags that it admitted, unless all tiles must be doubled that may
// be, where these levels are left out here. The restrictions of the space select mappings; what
// they select depends on nothing that can be dropped: factors and the flags `on` and `off` are
// about a mapping alone but for what levels may double, and the schemes of fewest products depend
// on the axes, which are left out here where such schemes are selected.  []
#include "cim/answers/constraint_list.hpp"

#include <algorithm>

#include "files/nearest.hpp"

namespace pimbb::cim::conflicts {
namespace {

constexpr std::array<const char*, kGoalNames.size()> kGoalUnits{"cycles", "nJ", "nJ*cycles", ""};

class Lister {
 public:
  Lister(const Architecture& a, const Workload& w, const Question& q)
      : a_(a), w_(w), q_(q), figures_(figures::figures_of(a, q.pricing.padding)) {}

  std::vector<Droppable> list() {
    // Searches with very long axes take long. Where the latency is limited, few axes can be dropped
    // beside all other constraints; otherwise most of them can, and better late.
    const bool early =
        std::ranges::any_of(q_.caps, [](const GoalCap& cap) { return cap.goal != Goal::energy; });
    if (early) axes();
    restrictions();
    for (std::size_t m = 0; m < a_.levels.size(); ++m) doubling(m);
    for (std::size_t m = 0; m < a_.levels.size(); ++m) capacity(m);
    if (!early) axes();
    for (const GoalCap& cap : q_.caps) limit(cap);
    return std::move(all_);
  }

 private:
  Droppable& add(ConstraintKind kind, std::string words, std::function<void(Relaxed&)> drop) {
    Droppable& added = all_.emplace_back();
    added.constraint.kind = kind;
    added.constraint.words = std::move(words);
    added.drop = std::move(drop);
    return added;
  }

  void add_size(ConstraintKind kind, std::string words, const std::string& path,
                std::function<void(Relaxed&)> drop) {
    Droppable& added = add(kind, std::move(words), std::move(drop));
    added.size = *std::ranges::find(figures_, path, &figures::Figure::path);
    added.constraint.parameter = path;
    added.constraint.unit = added.size->unit;
    added.constraint.today = added.size->today;
  }

  [[nodiscard]] bool is_full_only() const {
    return q_.schemes == SchemeRule::full || q_.method == Method::ws;
  }

  void axes() {
    if (is_full_only()) return;
    for (std::size_t u = 0; u < a_.axes.size(); ++u) {
      const std::string path = "spatial_axes." + a_.axes[u].name + ".size";
      const auto figure = std::ranges::find(figures_, path, &figures::Figure::path);
      const std::int64_t most = figure->most(w_);
      add_size(ConstraintKind::array, "size of axis " + a_.axes[u].name, path,
               [u, most](Relaxed& p) {
                 p.architecture.axes[u].size = std::max(p.architecture.axes[u].size, most);
               });
    }
  }

  void restrictions() {
    if (q_.method == Method::ws) {
      add(ConstraintKind::dataflow, "dataflow ws",
          [](Relaxed& p) { p.question.method = Method::exact; });
    }
    if (q_.factors != FactorRule::any) {
      add(ConstraintKind::space, "factors " + std::string(name(q_.factors)) + " only",
          [](Relaxed& p) { p.question.factors = FactorRule::any; });
    }
    if (q_.schemes == SchemeRule::full) {
      add(ConstraintKind::space, "spatial schemes of fewest products on the axes",
          [](Relaxed& p) { p.question.schemes = SchemeRule::all; });
    }
    if (q_.doubling != DoubleRule::free) {
      const bool on = q_.doubling == DoubleRule::on;
      add(ConstraintKind::doubling, on ? "all tiles doubled that may be" : "no tile doubled",
          [](Relaxed& p) { p.question.doubling = DoubleRule::free; });
    }
  }

  void doubling(std::size_t m) {
    if (m == a_.dram() || q_.doubling == DoubleRule::on) return;
    std::vector<std::string_view> tensors;
    for (const Tensor t : kAllTensors) {
      if (a_.levels[m].stores[index(t)] && !a_.may_double(m, t)) tensors.push_back(name(t));
    }
    if (tensors.empty()) return;
    add(ConstraintKind::doubling, a_.levels[m].name + " does not double " + files::join(tensors),
        [m](Relaxed& p) { p.architecture.levels[m].double_buffer = true; });
  }

  void capacity(std::size_t m) {
    if (!a_.levels[m].size_bits) return;
    add_size(ConstraintKind::capacity, "capacity of " + a_.levels[m].name,
             "levels." + a_.levels[m].name + ".size_bits",
             [m](Relaxed& p) { p.architecture.levels[m].size_bits.reset(); });
  }

  void limit(const GoalCap& cap) {
    Droppable& added =
        add(ConstraintKind::limit, "limit on " + std::string(name(cap.goal)), [cap](Relaxed& p) {
          std::erase_if(p.question.caps,
                        [&](const GoalCap& other) { return other.goal == cap.goal; });
        });
    added.constraint.parameter = "at_most." + std::string(name(cap.goal));
    added.constraint.unit = kGoalUnits[static_cast<std::size_t>(cap.goal)];
    added.constraint.today = cap.most;
    added.limited = cap.goal;
  }

  const Architecture& a_;
  const Workload& w_;
  const Question& q_;
  std::vector<figures::Figure> figures_;
  std::vector<Droppable> all_;
};

}  // namespace

std::vector<Droppable> constraints_of(const Architecture& architecture, const Workload& workload,
                                      const Question& question) {
  return Lister(architecture, workload, question).list();
}

}  // namespace pimbb::cim::conflicts
