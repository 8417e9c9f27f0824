// Proofs that consist of a head and of the proofs of single slices, cut into these.
#pragma once

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

namespace testkit {

/// A proof cut before each `slice` and before the last line.
struct SliceProofs {
  std::string head;
  std::vector<std::string> slices;

  explicit SliceProofs(const std::string& proof) {
    std::istringstream stream(proof);
    std::string* part = &head;
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("slice ")) part = &slices.emplace_back();
      *part += line + "\n";
    }
    std::string& last = slices.empty() ? head : slices.back();
    last.erase(last.size() - 4);  // "end\n"
  }
  [[nodiscard]] std::string text() const {
    std::string all = head;
    for (const std::string& slice : slices) all += slice;
    return all + "end\n";
  }
  [[nodiscard]] SliceProofs without(std::size_t k) const {
    SliceProofs forged = *this;
    forged.slices.erase(forged.slices.begin() + static_cast<std::ptrdiff_t>(k));
    return forged;
  }
  [[nodiscard]] SliceProofs twice(std::size_t k) const {
    SliceProofs forged = *this;
    forged.slices.insert(forged.slices.begin() + static_cast<std::ptrdiff_t>(k), slices[k]);
    return forged;
  }
  /// Slice k with the proof of another one.
  [[nodiscard]] SliceProofs exchanged(std::size_t k, std::size_t other) const {
    SliceProofs forged = *this;
    forged.slices[k] =
        slices[k].substr(0, slices[k].find('\n')) + slices[other].substr(slices[other].find('\n'));
    return forged;
  }
  [[nodiscard]] SliceProofs swapped(std::size_t k, std::size_t other) const {
    SliceProofs forged = *this;
    std::swap(forged.slices[k], forged.slices[other]);
    return forged;
  }
};

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace testkit
