// Timers, loop by loop.
#include "simulate.hpp"

#include <algorithm>
#include <optional>

namespace pimbb_check::cim {
namespace {

class Timers {
 public:
  explicit Timers(const Nest& nest) : nest_(nest), n_(nest.size()), p_(nest.problem()) {
    for (std::size_t i = 0; i < n_; ++i) {
      Move& move = moves_.emplace_back();
      for (std::size_t t = 0; t < 3; ++t) {
        move.from[t] = nest.loop(i).level[t];
        move.to[t] = nest.next(move.from[t], t);
        move.time[t] = nest.time(i, t);
        move.hidden[t] = nest.hidden(i, t);
      }
    }
  }

  Rational run() {
    if (n_ == 0) return without_loops();
    for (std::size_t t = 0; t < 3; ++t) {
      if (nest_.outermost(t) == p_.dram()) continue;
      at(p_.dram(), t) += nest_.boot(t);
      at(nest_.outermost(t), t) += nest_.boot(t);
    }
    run(0);
    if (nest_.outermost(kOutput) != p_.dram()) {
      at(p_.dram(), kOutput) += nest_.boot(kOutput);
      at(nest_.outermost(kOutput), kOutput) += nest_.boot(kOutput);
    }
    Rational latest = 0;
    for (std::size_t m = 0; m < p_.levels.size(); ++m) {
      for (std::size_t t = 0; t < 3; ++t) latest = std::max(latest, at(m, t));
    }
    return latest;
  }

 private:
  struct Move {  // of a loop
    PerTensor<std::size_t> from{}, to{};
    PerTensor<Rational> time{};
    Flags hidden{};
  };

  Rational& at(std::size_t m, std::size_t t) { return timers_[m][t]; }

  /// One loop of one iteration with everything in the DRAM.
  Rational without_loops() {
    Move& move = moves_.emplace_back();
    n_ = 1;
    const std::size_t dram = p_.dram();
    for (std::size_t t = 0; t < 3; ++t) {
      move.from[t] = dram;
      move.to[t] = kMac;
      if (t == kWeight && dram == p_.innermost(t)) continue;
      Rational raw = nest_.whole_bits(t) / p_.levels[dram].bandwidth;
      raw = Rational((numerator(raw) + denominator(raw) - 1) / denominator(raw));
      move.time[t] = raw + (dram == p_.innermost(t) ? 0 : 1);
    }
    iteration(0, true);
    Rational latest = 0;
    for (std::size_t t = 0; t < 3; ++t) latest = std::max(latest, at(dram, t));
    return latest;
  }

  void write_back(const Move& move) {  // of a doubled tile
    const std::size_t t = kOutput;
    at(move.from[t], t) = std::max(at(move.from[t], t), at(move.to[t], t)) + move.time[t];
  }

  void iteration(std::size_t i, bool first) {
    const Move& move = moves_[i];
    for (std::size_t t = 0; t < 3; ++t) {
      Rational& outer = at(move.from[t], t);
      Rational& inner = at(move.to[t], t);
      if (move.hidden[t]) {
        outer += move.time[t];
        inner = std::max(inner, outer);
      } else {
        outer = std::max(outer, inner) + move.time[t];
        inner = outer;
      }
    }
    if (!first && move.hidden[kOutput] && move.time[kOutput] > 0) write_back(move);
    run(i + 1);
    if (!move.hidden[kOutput]) {
      write_back(move);
      at(move.to[kOutput], kOutput) = at(move.from[kOutput], kOutput);
    }
  }

  void run(std::size_t i) {
    if (i == n_) return product();
    const std::int64_t factor = nest_.size() == 0 ? 1 : nest_.loop(i).factor;
    for (std::int64_t k = 0; k < factor; ++k) {
      const auto before = touched(i);
      iteration(i, k == 0);
      if (k == 0) continue;
      const std::optional<Rational> step = common_step(i, before);
      if (!step) continue;
      for (const auto& [m, t] : touched_by(i)) at(m, t) += *step * (factor - 1 - k);
      break;
    }
    if (moves_[i].hidden[kOutput] && moves_[i].time[kOutput] > 0) write_back(moves_[i]);
  }

  void product() {
    Rational end = 0;
    for (std::size_t t = 0; t < 3; ++t) end = std::max(end, at(kMac, t));
    end += p_.product_cycles();
    for (std::size_t t = 0; t < 3; ++t) {
      at(kMac, t) = end;
      const std::size_t u = moves_.back().from[t];  // innermost used level
      const bool doubled = nest_.size() > 0 && nest_.doubled(u, t);
      if (!doubled) at(u, t) = end;
    }
  }

  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> touched_by(std::size_t i) const {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t t = 0; t < 3; ++t) {
      for (std::size_t m = 0; m <= moves_[i].from[t]; ++m) all.emplace_back(m, t);
      all.emplace_back(kMac, t);
    }
    // Levels that are not used stand still.
    std::erase_if(all, [&](const auto& timer) {
      return timer.first != kMac && !nest_.used(timer.first, timer.second);
    });
    return all;
  }
  [[nodiscard]] std::vector<Rational> touched(std::size_t i) {
    std::vector<Rational> values;
    for (const auto& [m, t] : touched_by(i)) values.push_back(at(m, t));
    return values;
  }
  [[nodiscard]] std::optional<Rational> common_step(std::size_t i,
                                                    const std::vector<Rational>& before) {
    const std::vector<Rational> after = touched(i);
    const Rational step = after[0] - before[0];
    for (std::size_t k = 1; k < after.size(); ++k) {
      if (after[k] - before[k] != step) return std::nullopt;
    }
    return step;
  }

  const Nest& nest_;
  std::size_t n_;
  const Problem& p_;
  std::vector<Move> moves_;
  std::array<PerTensor<Rational>, kMac + 1> timers_{};
};

}  // namespace

Rational simulated(const Nest& nest) { return Timers(nest).run(); }

}  // namespace pimbb_check::cim
