// The text of a proof while it is written: the records that all formats begin and end with, handed
// on in pieces.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pimbb {

/// Collects the lines of a proof and hands them to `sink` in pieces of about 64 KiB.
class ProofPieces {
 public:
  explicit ProofPieces(std::function<void(std::string_view)> sink) : sink_(std::move(sink)) {}

  /// The head: name and version of the format, digest and normal form of the problem.
  void begin(std::string_view format, const std::string& sha256, const std::string& instance);
  void mapping(const std::string& mapping) { piece_ += "mapping " + mapping + "\n"; }
  void infeasible() { piece_ += "infeasible\n"; }
  /// Appends text: whole lines, or parts of one.
  void add(std::string_view text);
  /// The last line; hands on what is left.
  void end();

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  ///< handed on so far

 private:
  void flush();

  std::function<void(std::string_view)> sink_;
  std::string piece_;
  std::uint64_t bytes_ = 0;
};

}  // namespace pimbb
