// Checking a proof, pimbb-proof/1, event by event as it arrives: from a file, whose reader turns
// lines into events, or from within a prover's process. Nothing but the current branch is kept.
#pragma once

#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "incumbent.hpp"
#include "report.hpp"
#include "whole.hpp"

namespace pimbb_check {

/// Records of the closed tree.
enum class Record : char { inner = 'n', bound = 'b', cap = 'c', evaluated = 'e' };

/// What must come next: a storage choice or an order of loops by its name, a child, or whatever
/// stands between sections.
struct Wanted {
  enum Kind { other, storage, order, child };
  Kind kind = other;
  std::string name;
  Factors tile{};
  char loops = ' ';
};

class Section;

/// The events of a proof in the order of the document. Each throws a std::exception if it is false
/// or not what must come next, and so do all that follow then. With `instance`, the proof must be
/// about just this one.
class Checker {
 public:
  explicit Checker(std::optional<std::string> instance = std::nullopt);
  ~Checker();

  void begin(const std::string& sha256, const std::string& instance);
  void incumbent(const std::string& mapping);
  void infeasible();
  /// Instead of these three: a whole is claimed not to be better with any mapping of a layer, its
  /// part. Thresholds and the storage choices follow. Keeps the reference.
  void part(const std::string& instance, const Whole& whole);
  void goal(const std::string& name, const std::string& value);
  void thresholds(const std::vector<std::string>& latencies);
  void storage(const std::string& stores);
  /// Instead of storage(), of a part: bounds close every tile of the row buffer.
  void storage_closed(const std::string& stores);
  void overflow(const std::string& stores, std::size_t level);
  void node(Record record, const Factors& tile, char loops);
  void ordered(const std::string& loops);
  void end();

  // For adversaries, who look for a way through: what must come next, and whether it would be
  // accepted as a leaf for this reason, or as closed because this level overflows.
  [[nodiscard]] Wanted wanted() const;
  [[nodiscard]] bool grants(Record reason);
  [[nodiscard]] bool grants_overflow(std::size_t level) const;

  /// Accepted after end().
  [[nodiscard]] const Report& report() const { return report_; }

 private:
  void enter();
  void leave() { refused_ = false; }
  void expect_storage(const std::string& stores);
  [[nodiscard]] std::string next_storage_name() const;
  [[nodiscard]] bool overflows(std::size_t level) const;
  void next_storage();
  bool advance(bool first);
  [[nodiscard]] bool within_constraints() const;

  std::optional<std::string> instance_;
  Report report_;
  std::optional<Problem> p_;
  Cost incumbent_;
  std::unique_ptr<Section> section_;  // of a feasible problem
  std::size_t goals_ = 0;             // begun
  bool wants_thresholds_ = false;
  std::vector<unsigned> dropped_;  // storage choice that comes next; empty: none
  std::vector<Flags> stores_;      // the same
  bool infeasible_ = false;
  bool refused_ = false;  // an event did not come to its end
};

/// Of any format, which its first line says. Never throws on account of what `proof` holds.
Report check(std::istream& proof, const std::optional<std::string>& instance = std::nullopt);

}  // namespace pimbb_check
