// The simulator's timeline as text: JSON lines, or a table separated by commas.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cim/cost/timeline.hpp"
#include "pimbb/cim/mapping.hpp"
#include "pimbb/cim/padding.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::cim::io {

enum class EventFormat : std::uint8_t { jsonl, csv };
inline constexpr std::array<std::string_view, 2> kEventFormatNames{"jsonl", "csv"};

/// A feasible mapping's events. Keeps references.
class EventLines {
 public:
  /// Throws InputError if the numbers of the layer exceed the exact range.
  EventLines(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
             Padding padding, EventFormat format);

  /// Writes the first `limit` events, or all, in pieces; ends early if `write` returns false.
  void write(std::optional<std::int64_t> limit, const std::function<bool(std::string_view)>& write);

  [[nodiscard]] std::int64_t total() const { return total_; }
  [[nodiscard]] std::int64_t written() const { return written_; }
  /// Cycles; known when all events have been written.
  [[nodiscard]] std::optional<Rational> latency() const;

 private:
  void add(std::string& text, const cost::Event& event) const;
  [[nodiscard]] std::string level(std::uint8_t m) const;

  const Architecture& a_;
  EventFormat format_;
  Workload layer_;
  cost::Units units_;
  Elements elements_;
  cost::Nest nest_;
  std::int64_t total_;
  std::int64_t written_ = 0;
  std::optional<cost::Time> latency_;
};

}  // namespace pimbb::cim::io
