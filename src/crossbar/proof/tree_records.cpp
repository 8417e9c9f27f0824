// Numbers of cuts: in the order in which a tree first uses them.
#include "crossbar/proof/tree_records.hpp"

#include <stdexcept>

#include "run/guard.hpp"

namespace pimbb::crossbar::proof {

void require_no(assign::Answer answer) {
  if (answer == assign::Answer::undecided) throw run::Stopped();
  if (answer == assign::Answer::yes) throw std::logic_error("a bound to be proven is not one");
}

bool TreeRecords::told(const std::string& record) {
  trace_(record);
  return true;
}

bool TreeRecords::told_mix(std::string record, const assign::Allocation::Mix& mix) {
  for (const auto& [cut, share] : mix.shares) {
    if (numbers_.size() <= cut) numbers_.resize(cut + 1);
    if (!numbers_[cut]) {
      numbers_[cut] = cuts_++;
      std::string path = "cut";
      for (const assign::PathStep& step : boxes_.allocation().steps(cut)) {
        path += " " + std::to_string(step.node) + ":" + std::to_string(step.family);
      }
      trace_(path);
    }
    record += " " + std::to_string(*numbers_[cut]) + ":" + std::to_string(share);
  }
  return told(record);
}

}  // namespace pimbb::crossbar::proof
