// How many classes `pimbb top` lists, of any kind of accelerator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pimbb/rational.hpp"
#include "terminal/option_row.hpp"

namespace pimbb::terminal {

struct TopSettings {
  std::optional<std::uint64_t> k;
  std::optional<Rational> within;
  std::optional<std::uint64_t> listed;  ///< --most

  /// The number of classes to list. Throws InputError where options contradict each other.
  [[nodiscard]] std::uint64_t most() const;
};

/// --k, --within, --most.
OptionRows top_rows(TopSettings& settings);

/// "1 %" of 1/100.
std::string share_text(const Rational& share);
/// "+0.25 %" of 1/4; "" of zero.
std::string excess_text(const Rational& percent);

}  // namespace pimbb::terminal
