// Writing the program of a storage choice, and its safe bounds.
#include "dram_pim/storage/relaxation.hpp"

#include <algorithm>
#include <map>

#include "dram_pim/mapper/costs.hpp"
#include "exact/rational_impl.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;
using lp::ColIndex;
using lp::RowIndex;

enum class Minimised { latency, energy };

Rational rational(Int128 value) {
  if (value == static_cast<std::int64_t>(value)) return {static_cast<std::int64_t>(value)};
  return make_rational(cpp_rational(cpp_int(value)));
}

/// The least integer that is not below a bound, within 0 .. kInfinity.
Int128 rounded_up(const Rational& bound) {
  const cpp_rational& value = bound.impl().value;
  if (value <= 0) return 0;
  const cpp_int up = (numerator(value) + denominator(value) - 1) / denominator(value);
  return up >= cpp_int(kInfinity) ? kInfinity : up.convert_to<Int128>();
}

}  // namespace

struct Relaxation::Program {
  lp::LinearProgram program;
  Int128 fixed = 0;                 ///< part of the objective that no column carries
  std::optional<ColIndex> latency;  ///< T
  std::optional<lp::Simplex> simplex;
  std::optional<lp::SafeBound> safe;
};

class Relaxation::Builder {
 public:
  Builder(const Relaxation& r, Program& out, Minimised goal, bool timed)
      : instance_(r.instance_),
        a_(r.instance_.architecture),
        reads_(a_, r.instance_.workload),
        scale_(r.instance_.scale),
        points_(r.points_),
        leaves_(r.leaves_),
        storage_(r.storage_),
        rb_(a_.row_buffer()),
        out_(out),
        lp_(out.program),
        goal_(goal),
        timed_(timed) {}

  void build() {
    if (goal_ == Minimised::energy) out_.fixed = scale_.mac_energy;
    if (timed_) {
      out_.latency = lp_.add_column(goal_ == Minimised::latency ? 1 : 0,
                                    {Rational(0), rational(scale_.most_latency)});
    }
    add_fills();
    for (std::size_t m = 0; m < rb_; ++m) add_boundary(m);
    for (std::size_t m = 0; m <= rb_; ++m) add_points(m);
    add_leaves();
  }

 private:
  /// Where a read of t at level m may come from: its least access cost, and the level if it is
  /// known.
  struct Source {
    Int128 access = kInfinity;
    std::optional<std::size_t> level;
  };

  [[nodiscard]] Source source(std::size_t first, Tensor t) const {
    Source found;
    for (std::size_t m = first; m < storage_.size(); ++m) {
      const Stored stored = storage_[m][index(t)];
      if (stored == Stored::no) continue;
      const bool sure = stored == Stored::yes && found.access == kInfinity;
      found.access = std::min(found.access, scale_.access[m]);
      if (sure) found.level = m;
      if (stored == Stored::yes) break;
    }
    return found;
  }

  enum class Resource { level, bank, interconnect, compute, pe };
  using ResourceKey = std::tuple<Resource, std::size_t, std::size_t>;

  /// T - (what the resource serves) >= `limit`, which the terms that are constant lower.
  RowIndex resource(Resource kind, std::size_t level = 0, std::size_t tensor = 0) {
    const auto [entry, fresh] = resources_.try_emplace({kind, level, tensor}, RowIndex());
    if (fresh) {
      entry->second = lp_.add_row({Rational(0), {}});
      lp_.add_entry(entry->second, *out_.latency, 1);
    }
    return entry->second;
  }

  /// The DRAM's path of t: one for all tensors if they share a stream.
  RowIndex bank(Tensor t) { return resource(Resource::bank, 0, a_.shared_streams ? 0 : index(t)); }

  void add_time(RowIndex row, ColIndex column, Int128 cycles) {
    if (cycles != 0) lp_.add_entry(row, column, rational(-cycles));
  }
  void add_constant_time(RowIndex row, Int128 cycles) {
    if (cycles == 0) return;
    lp_.set_range(row, {lp_.range(row).lower.value() + rational(cycles), {}});
  }

  /// The resource that serves reads of t at level m; nothing if it enters no latency.
  std::optional<RowIndex> server(std::size_t m, Tensor t) {
    if (m > rb_) return std::nullopt;
    if (m == rb_) return bank(t);
    return resource(Resource::level, m, a_.levels[m].shared_ports ? 0 : index(t));
  }

  void add_fills() {
    fills_.resize(rb_ + 1);
    for (std::size_t m = 0; m <= rb_; ++m) {
      for (const Tensor t : kAllTensors) add_fill(m, t);
    }
  }

  /// The column V_t(m), charged at its source if level m holds t.
  void add_fill(std::size_t m, Tensor t) {
    const std::size_t k = index(t);
    const bool stored = storage_[m][k] == Stored::yes;
    const Source from = source(m + 1, t);
    const Int128 times = reads_.slope(t);
    const Int128 fewer = reads_.offset(t);
    const bool costs = stored && goal_ == Minimised::energy;
    const ColIndex fills = lp_.add_column(costs ? rational(from.access * times) : Rational(0),
                                          {Rational(0), rational(points_.most_fills())});
    fills_[m][k] = fills;
    if (costs) out_.fixed -= from.access * fewer;
    if (!stored || !timed_) return;
    const auto charge = [&](RowIndex row, Int128 cycles) {
      add_time(row, fills, cycles * times);
      if (fewer != 0) add_constant_time(row, -cycles * fewer);
    };
    if (from.level) {
      if (const auto row = server(*from.level, t)) charge(*row, scale_.transfer[*from.level][k]);
    }
    if (m == 0 && scale_.interconnect[k] != 0) {
      charge(resource(Resource::interconnect), scale_.interconnect[k]);
    }
  }

  struct Boundary {               ///< rows between level m+1 and level m
    PerTensor<RowIndex> inside;   ///< V_t(m) from the points of level m+1
    PerTensor<RowIndex> outside;  ///< V_t(m+1) from the points of level m
    PerTensor<RowIndex> run;      ///< weight of runs that pass
  };

  void add_boundary(std::size_t m) {
    Boundary b;
    for (std::size_t t = 0; t < kTensors; ++t) {
      b.inside[t] = lp_.add_row({Rational(0), {}});
      lp_.add_entry(b.inside[t], fills_[m][t], 1);
      b.outside[t] = lp_.add_row({Rational(0), {}});
      lp_.add_entry(b.outside[t], fills_[m + 1][t], 1);
      b.run[t] = lp_.add_row({Rational(0), Rational(0)});
      const auto& shrink = points_.input_shrink();
      const bool shrinks = t == index(Tensor::input);
      const RowIndex grow = lp_.add_row({Rational(0), {}});
      lp_.add_entry(grow, fills_[m][t], shrinks ? Rational(shrink.den) : Rational(1));
      lp_.add_entry(grow, fills_[m + 1][t], shrinks ? Rational(-shrink.num) : Rational(-1));
    }
    boundaries_.push_back(b);
  }

  void add_points(std::size_t m) {
    const RowIndex one = lp_.add_row({Rational(1), Rational(1)});
    PerTensor<RowIndex> here;
    for (std::size_t t = 0; t < kTensors; ++t) {
      here[t] = lp_.add_row({Rational(0), {}});
      lp_.add_entry(here[t], fills_[m][t], 1);
    }
    for (const Tensor s : kAllTensors) {
      for (const bool from_outside : {false, true}) {
        for (const bool goes_on : {false, true}) {
          if ((from_outside && m == rb_) || (goes_on && m == 0)) continue;
          const PassingRun run{s, from_outside, goes_on};
          for (const FillPoint& p : points_.at(m, decided(storage_[m]), run)) {
            add_point(m, run, p, one, here);
          }
        }
      }
    }
  }

  void add_point(std::size_t m, const PassingRun& run, const FillPoint& p, RowIndex one,
                 const PerTensor<RowIndex>& here) {
    Int128 cost = 0;
    if (m == rb_ && goal_ == Minimised::energy) {
      cost = (p.rows[0] + p.rows[1] + p.rows[2]) * scale_.activation_energy;
    }
    const ColIndex weight = lp_.add_column(rational(cost), {Rational(0), Rational(1)});
    const std::size_t s = index(run.stationary);
    lp_.add_entry(one, weight, 1);
    for (std::size_t t = 0; t < kTensors; ++t) {
      lp_.add_entry(here[t], weight, rational(-p.fills[t]));
      if (m > 0) lp_.add_entry(boundaries_[m - 1].inside[t], weight, rational(-p.inside[t]));
      if (m < rb_ && p.outside[t] != 0) {
        lp_.add_entry(boundaries_[m].outside[t], weight, rational(-p.outside[t]));
      }
      if (m == rb_ && timed_) {
        add_time(bank(kAllTensors[t]), weight, p.rows[t] * scale_.activation_cycles);
      }
    }
    if (run.goes_on_inside) lp_.add_entry(boundaries_[m - 1].run[s], weight, 1);
    if (run.comes_from_outside) lp_.add_entry(boundaries_[m].run[s], weight, -1);
  }

  void add_leaves() {
    const RowIndex one = lp_.add_row({Rational(1), Rational(1)});
    std::vector<ColIndex> weights;
    for (const LeafPoint& leaf : leaves_) {
      const Int128 cost = goal_ == Minimised::energy ? leaf_energy(leaf) : 0;
      weights.push_back(lp_.add_column(rational(cost), {Rational(0), Rational(1)}));
      lp_.add_entry(one, weights.back(), 1);
    }
    if (!timed_) return;
    const RowIndex compute = resource(Resource::compute);
    for (std::size_t k = 0; k < leaves_.size(); ++k) {
      add_time(compute, weights[k], leaves_[k].compute);
    }
    for (const Tensor t : kAllTensors) add_feed_times(t, weights);
  }

  /// What the PEs read of t, charged where it comes from.
  [[nodiscard]] Int128 leaf_energy(const LeafPoint& leaf) const {
    Int128 energy = 0;
    for (const Tensor t : kAllTensors) {
      const std::size_t k = index(t);
      const bool own = storage_[0][k] == Stored::yes;  // if open, level 0 reads at least as much
      energy += reads_.reads(t, own ? leaf.read[k] : leaf.fed[k]) * source(0, t).access;
    }
    return energy;
  }

  void add_feed_times(Tensor t, const std::vector<ColIndex>& weights) {
    const std::size_t k = index(t);
    const Stored own = storage_[0][k];
    if (own == Stored::open) return;
    const auto charge = [&](RowIndex row, const auto& cycles) {
      for (std::size_t i = 0; i < weights.size(); ++i) {
        add_time(row, weights[i], cycles(leaves_[i]));
      }
    };
    if (own == Stored::yes) {
      charge(resource(Resource::pe, 0, a_.levels[0].shared_ports ? 0 : k),
             [&](const LeafPoint& leaf) { return leaf.pe_cycles[k]; });
      return;
    }
    const Source from = source(1, t);
    if (from.level) {
      if (const auto row = server(*from.level, t)) {
        charge(*row, [&](const LeafPoint& leaf) {
          return reads_.reads(t, leaf.fed[k]) * scale_.transfer[*from.level][k];
        });
      }
    }
    if (scale_.interconnect[k] != 0) {
      charge(resource(Resource::interconnect), [&](const LeafPoint& leaf) {
        return reads_.reads(t, leaf.fed[k]) * scale_.interconnect[k];
      });
    }
  }

  const Instance& instance_;
  const Architecture& a_;
  ReadCount reads_;
  const Scale& scale_;
  const FillPoints& points_;
  const std::vector<LeafPoint>& leaves_;
  const PartialStorage& storage_;
  std::size_t rb_;
  Program& out_;
  lp::LinearProgram& lp_;
  Minimised goal_;
  bool timed_;
  std::vector<PerTensor<ColIndex>> fills_;
  std::vector<Boundary> boundaries_;  // per level inside
  std::map<ResourceKey, RowIndex> resources_;
};

Relaxation::Relaxation(const Instance& instance, const FillPoints& points,
                       const PartialStorage& storage, const run::Guard& guard)
    : instance_(instance),
      points_(points),
      storage_(storage),
      leaves_(points.leaves(storage)),
      guard_(guard) {}

Relaxation::~Relaxation() = default;

Int128 Relaxation::solve(Program& program) {
  guard_.check();
  if (!program.simplex) {
    program.simplex.emplace(std::move(program.program));
    program.safe.emplace(program.simplex->program());
  }
  const auto before = program.simplex->statistics().iterations();
  lp::SimplexLimits limits;
  limits.stopped = guard_.stop;
  const lp::SimplexStatus status = program.simplex->solve(limits);
  if (status == lp::SimplexStatus::limit) throw run::Stopped();
  ++solves_;
  iterations_ += static_cast<std::uint64_t>(program.simplex->statistics().iterations() - before);
  if (status == lp::SimplexStatus::infeasible &&
      program.safe->proves_infeasible(program.simplex->infeasibility_ray())) {
    return kInfinity;
  }
  const auto bound = program.safe->lower_bound(program.simplex->multipliers());
  if (!bound) return 0;
  return std::min(kInfinity, rounded_up(*bound + rational(program.fixed)));
}

Int128 Relaxation::least_compute() const {
  Int128 least = kInfinity;
  for (const LeafPoint& leaf : leaves_) least = std::min(least, leaf.compute);
  return least;
}

Int128 Relaxation::least_latency() {
  Program program;
  Builder(*this, program, Minimised::latency, true).build();
  return solve(program);
}

Int128 Relaxation::least_energy(Int128 latency) {
  const bool timed = latency < kInfinity;
  if (!energy_ || timed != energy_->latency.has_value()) {
    energy_ = std::make_unique<Program>();
    Builder(*this, *energy_, Minimised::energy, timed).build();
  }
  if (timed) {
    const lp::Range range{Rational(0), rational(latency)};
    if (energy_->simplex) {
      energy_->simplex->set_range(*energy_->latency, range);
    } else {
      energy_->program.set_range(*energy_->latency, range);
    }
  }
  return solve(*energy_);
}

}  // namespace pimbb::dram_pim::mapper
