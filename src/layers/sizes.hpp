// Sizes of a network file: integers, or products of integers and names.
//
//   dims: {batch: 1, kv: 4096}                  the names, each with its default
//   layers:
//     - {name: scores, P: 1, C: 128, K: kv, repetitions: 256 * batch, ...}
//
// `pimbb ... --dim kv=8192` gives a name another value.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "files/value.hpp"
#include "pimbb/io.hpp"

namespace pimbb::layers {

class Sizes {
 public:
  Sizes() = default;
  /// Reads `dims`; names have a letter in front. The values of `options` replace the defaults.
  Sizes(const files::Value& dims, const NetworkOptions& options);

  /// A size of at least 1. Throws InputError for other values and unknown names.
  [[nodiscard]] std::int64_t read(const files::Value& value) const;
  /// Throws InputError, beginning with `source`, if `options` has a name that is not here.
  void check_names(const NetworkOptions& options, const std::string& source) const;

 private:
  [[nodiscard]] std::int64_t factor(const files::Value& value, const std::string& text) const;

  std::map<std::string, std::int64_t, std::less<>> values_;
};

}  // namespace pimbb::layers
