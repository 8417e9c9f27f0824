// Boxes of replications: what all trees do with them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problem.hpp"

namespace pimbb_check::crossbar {

struct Box {
  Counts least, most;  // by family
};

/// 1 .. windows of each family.
Box all_replications(const Problem& p);
/// Some family has no replication left.
bool is_empty(const Box& box);
Int128 crossbars_of(const Problem& p, const Counts& replication);

/// The word of a record as a number.
std::int64_t word_number(const std::string& word);

/// "split FAMILY R": at most R, and more; the first one is on top of the stack then.
void split(std::vector<Box>& open, const Box& box, const std::vector<std::string>& words);

/// What counting says of all mappings of a box; with a deadline, of those that meet it.
class Counting {
 public:
  Counting(const Problem& p, std::optional<std::int64_t> deadline) : p_(p), deadline_(deadline) {}

  /// Whether the record is "empty", "room", "load" or "wide WIDTH"; it must be true then.
  [[nodiscard]] bool closes(const Box& box, const std::vector<std::string>& words) const;

  /// Cores that are left to array groups narrower than a width: a core has room for k wide ones at
  /// most, and then for nothing else. All cores, if nothing is as wide. Refuses a width that
  /// narrower ones fit beside.
  [[nodiscard]] Int128 cores_of_narrow(const Box& box, std::int64_t width) const;
  /// Array groups of a replica that are narrower.
  [[nodiscard]] Int128 narrow_groups(std::size_t family, std::int64_t width) const;
  /// Multiplications that a core starts before the deadline, at most.
  [[nodiscard]] std::int64_t starts() const { return *deadline_ / p_.interval; }

 private:
  void check_wide(const Box& box, std::int64_t width) const;
  [[nodiscard]] bool takes_more(Int128 work, Int128 cores) const;
  [[nodiscard]] Int128 work_of_narrow(const Box& box, std::int64_t width) const;
  [[nodiscard]] Int128 room_of_narrow(const Box& box, std::int64_t width) const;

  const Problem& p_;
  std::optional<std::int64_t> deadline_;  // ns
};

/// The fewest replicas with fewer cycles than `r` have; more than `windows` if there are none.
constexpr std::int64_t next_class(std::int64_t windows, std::int64_t r) {
  const std::int64_t cycles = ceil_div(windows, r);
  return cycles > 1 ? ceil_div(windows, cycles - 1) : windows + 1;
}
/// The fewest replicas with as many cycles.
constexpr std::int64_t least_of_class(std::int64_t windows, std::int64_t r) {
  return ceil_div(windows, ceil_div(windows, r));
}

}  // namespace pimbb_check::crossbar
