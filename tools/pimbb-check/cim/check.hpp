// Checking a proof about SRAM compute-in-memory, pimbb-cim-proof/1, event by event as it arrives.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "../report.hpp"
#include "schemes.hpp"

namespace pimbb_check::cim {

class Sections;

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
  void goal(const std::string& name, const std::string& value);
  void scheme(const SchemeRecord& record);
  void end();

  /// Accepted after end().
  [[nodiscard]] const Report& report() const { return report_; }

 private:
  void enter();
  void leave() { refused_ = false; }

  std::optional<std::string> instance_;
  Report report_;
  std::unique_ptr<Sections> sections_;
  bool refused_ = false;  // an event did not come to its end
};

}  // namespace pimbb_check::cim
