// All spatial schemes of a problem, one after the other, and the reasons that close them.
//
// Every scheme has a record that says why nothing in it is better than the claim. The reason must
// be the first one that holds, so that a claim has one proof only: the scheme is the mirror image
// of an earlier one, it has no loops, its bound closes it, or all its nests were followed.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "labels.hpp"
#include "mapping.hpp"

namespace pimbb_check::cim {

enum class Reason : char { mirror = 'y', no_loops = 't', bound = 'b', followed = 'x' };

struct SchemeRecord {
  Reason reason = Reason::bound;
  std::uint64_t image = 0;  ///< number of the scheme whose mirror image it is
};
/// "y 3", "t", "b" or "x"; nothing if the line is another record.
std::optional<SchemeRecord> scheme_record(const std::string& line);

class Schemes {
 public:
  /// Keeps the references.
  Schemes(const Problem& p, const Units& units);

  /// A record for each scheme is wanted from now on.
  void begin() {
    next_ = 0;
    begun_ = true;
  }
  [[nodiscard]] bool wants_record() const { return begun_ && next_ < all_.size(); }
  /// Refuses unless this closes the next scheme.
  void close(const SchemeRecord& record, const Claim& claim);
  /// Of a mapping; refuses one that the question does not admit, on account of its limits and of
  /// all schemes too.
  [[nodiscard]] Cost cost_of(const std::string& mapping) const;

  /// For people.
  [[nodiscard]] std::string counts() const;

 private:
  const Problem& p_;
  const Units& units_;
  PlaceTable table_;
  const std::vector<Scheme> all_;
  const bool symmetric_;
  bool begun_ = false;
  std::size_t next_ = 0;
  Work work_;
  std::array<std::uint64_t, 4> counts_{};  // of reasons
};

}  // namespace pimbb_check::cim
