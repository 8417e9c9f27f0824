// The transfers of a device as a table, one line for each event (docs/trace-format.md).
//
// The text is produced in pieces of complete lines, and what each level moves is counted. Memory
// does not grow with the number of lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dram_pim/device/link_stream.hpp"

namespace pimbb::dram_pim::io {

/// What the lines say about all links of a level, or of the whole device.
struct LinkTotals {
  Rational bytes_in, bytes_out;
  Rational busy_in, busy_out;  ///< cycles, all links of the level added
  Rational additions;          ///< of partial sums, by the parents; of the device: by the host too
  Rational link_energy, reduce_energy;  ///< nJ
};

class LinkLines {
 public:
  /// `limit`: lines; the rest is left out. Keeps a reference to the device.
  LinkLines(const Device& device, device::LinkStream stream, std::optional<std::int64_t> limit);

  /// The next lines, valid until the next call; empty at the end.
  std::string_view next();

  [[nodiscard]] std::int64_t written() const { return written_; }
  /// Lines without a limit.
  [[nodiscard]] std::int64_t total() const { return total_; }
  [[nodiscard]] std::int64_t limit() const { return limit_; }
  /// Totals of the lines that next() has returned, for each level of the device.
  [[nodiscard]] std::vector<LinkTotals> levels() const;
  /// The same of all levels and the host.
  [[nodiscard]] LinkTotals all() const;
  /// The last end among these lines, in cycles.
  [[nodiscard]] Rational end() const;

 private:
  /// The columns that a list's events have in common, as text.
  struct Common {
    std::string before, after;  // the link and the child
  };
  [[nodiscard]] Common common(const device::LinkEvents& events) const;
  void write_line(const device::LinkEvents& events, std::int64_t k);
  /// Calls visit(events, how many of them are written).
  template <class Visit>
  void for_written(const Visit& visit) const;

  const Device& device_;
  device::LinkStream stream_;
  std::int64_t total_;
  std::int64_t limit_;
  std::int64_t written_ = 0;
  std::size_t list_ = 0;      ///< of stream_.events() that is being written
  std::int64_t in_list_ = 0;  ///< events of it that are written
  Common common_;
  std::string text_;
};

}  // namespace pimbb::dram_pim::io
