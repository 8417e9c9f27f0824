// The document: header, incumbent, then a section for each goal.
#include "check.hpp"

#include <algorithm>
#include <new>
#include <sstream>

#include "incumbent.hpp"
#include "sha256.hpp"
#include "tree.hpp"

namespace pimbb_check {
namespace {

class Checker {
 public:
  Checker(Reader& reader, Report& report) : reader_(reader), report_(report) {}

  void run(const std::optional<std::string>& instance) {
    require(reader_.next() == "pimbb-proof/1", "the format is not pimbb-proof/1");
    const std::string hash = reader_.field("sha256");
    const std::string text = reader_.field("instance");
    require(sha256(text) == hash, "the instance has another hash");
    require(!instance || *instance == text, "the proof is about another instance");
    p_.emplace(text);
    const std::string& line = reader_.next();
    if (line == "infeasible") {
      for_each_storage([&](const std::vector<Flags>& stores) {
        require(overflows(stores), "a storage choice without an overflow");
      });
    } else {
      require(line.starts_with("mapping "), "'mapping ...' or 'infeasible' is wanted here");
      incumbent_ = cost_of_mapping(*p_, line.substr(8));
      prove_goals();
    }
    require(reader_.next() == "end", "'end' is wanted here");
    require(reader_.at_end(), "something follows the end");
  }

 private:
  void prove_goals() {
    const Units units(*p_);
    const Space space(*p_);
    const std::array<Int, 3> optimum{scaled(incumbent_.latency, units.latency),
                                     scaled(incumbent_.energy, units.energy),
                                     scaled(incumbent_.activations, cpp_int(p_->row_bytes))};
    Claim claim;
    set_weights(claim, units);
    std::vector<PerTensor<RowTile>> rows(space.size(), {RowTile{0}, RowTile{0}, RowTile{0}});
    for (std::size_t g = 0; g < p_->goals.size(); ++g) {
      const std::string name = kGoalNames[static_cast<std::size_t>(p_->goals[g])];
      const std::string value = reader_.field("goal " + name);
      require(parse_rational(value) == incumbent_.of(p_->goals[g], *p_),
              "the mapping has another value of this goal");
      report_.optimum.emplace_back(name, value);
      read_thresholds(claim, units);
      claim.set_goals({p_->goals.begin(), p_->goals.begin() + static_cast<std::ptrdiff_t>(g) + 1},
                      optimum);
      for_each_storage([&](const std::vector<Flags>& stores) {
        if (overflows(stores)) return;
        Tree(*p_, space, Storage(*p_, units, stores), claim, rows).check(reader_, report_);
      });
    }
  }

  /// alpha * latency + beta * energy over one denominator.
  void set_weights(Claim& claim, const Units& units) const {
    const Rational alpha = p_->alpha / units.latency;
    const Rational beta = p_->beta / units.energy;
    const cpp_int unit = lcm(denominator(alpha), denominator(beta));
    claim.set_weights(Big(scaled(alpha, unit)), Big(scaled(beta, unit)));
  }

  void read_thresholds(Claim& claim, const Units& units) {
    claim.thresholds.clear();
    std::istringstream words(reader_.field("thresholds"));
    for (std::string word; words >> word;) {
      require(claim.thresholds.empty() || claim.thresholds.back() < kInfinity,
              "a threshold after 'inf'");
      Int threshold = kInfinity;
      if (word != "inf") {
        // Latencies are integers: the greatest one below the threshold.
        const Rational exact = parse_rational(word) * units.latency;
        require(exact > 0, "a threshold is zero");
        threshold = narrow((numerator(exact) - 1) / denominator(exact));
      }
      require(claim.thresholds.empty() || claim.thresholds.back() < threshold,
              "the thresholds do not ascend");
      claim.thresholds.push_back(threshold);
      require(claim.thresholds.size() <= 64, "more than 64 thresholds");
    }
    require(!claim.thresholds.empty() && claim.thresholds.back() == kInfinity,
            "the last threshold is not 'inf'");
  }

  /// All storage choices: every subset of what a level with free bypass stores, the innermost level
  /// varying slowest; the tensors dropped, read as a binary number with the input as its last
  /// digit, ascend.
  template <class Visit>
  void for_each_storage(const Visit& visit, std::vector<Flags> stores = {}) {
    if (stores.size() == p_->levels.size()) {
      visit(stores);
      return;
    }
    const Level& level = p_->levels[stores.size()];
    for (unsigned dropped = 0; dropped < (level.bypass_free ? 8U : 1U); ++dropped) {
      Flags flags = level.stores;
      bool exists = true;
      for (std::size_t t = 0; t < 3; ++t) {
        const bool drop = (dropped >> t & 1U) != 0;
        exists = exists && (!drop || level.stores[t]);
        flags[t] = flags[t] && !drop;
      }
      if (!exists) continue;
      stores.push_back(flags);
      for_each_storage(visit, stores);
      stores.pop_back();
    }
  }

  /// Reads the record of a storage choice; whether it is closed by a level that overflows with the
  /// whole layer (DRAM) or one element of each tensor (elsewhere).
  bool overflows(const std::vector<Flags>& stores) {
    std::string name;
    for (const Flags& flags : stores) {
      if (!name.empty()) name += '/';
      for (std::size_t t = 0; t < 3; ++t) name += flags[t] ? kTensorLetters[t] : '-';
    }
    const std::string& line = reader_.next();
    const bool leaf = line.starts_with("o " + name + " ");
    if (!leaf && line != "s " + name) throw Refusal("storage choice '" + name + "' is wanted here");
    if (!leaf) {
      require(!overflow(stores, p_->dram()), "the DRAM cannot hold the layer");
      ++report_.inner_nodes;
      return false;
    }
    const std::string level = line.substr(name.size() + 3);
    for (std::size_t m = 0; m < p_->levels.size(); ++m) {
      if (level != std::to_string(m)) continue;
      require(overflow(stores, m), "the level does not overflow");
      ++report_.overflows;
      return true;
    }
    throw Refusal("unknown level");
  }

  bool overflow(const std::vector<Flags>& stores, std::size_t m) const {
    Int bytes = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      if (!stores[m][t]) continue;
      const Int one = p_->bytes(t, m == p_->dram() ? p_->bounds : kOnes);
      bytes = m == p_->row_buffer() ? std::max(bytes, one) : plus(bytes, one);
    }
    return p_->levels[m].capacity && bytes > *p_->levels[m].capacity;
  }

  Reader& reader_;
  Report& report_;
  std::optional<Problem> p_;
  Cost incumbent_;
};

}  // namespace

Report check(std::istream& proof, const std::optional<std::string>& instance) {
  Report report;
  Reader reader(proof);
  try {
    Checker(reader, report).run(instance);
    report.accepted = true;
  } catch (const std::bad_alloc&) {
    report.reason = "line " + std::to_string(reader.line_number()) + ": out of memory";
  } catch (const std::exception& error) {
    report.reason = "line " + std::to_string(reader.line_number()) + ": " + error.what();
  }
  report.bytes = reader.bytes();
  return report;
}

}  // namespace pimbb_check
