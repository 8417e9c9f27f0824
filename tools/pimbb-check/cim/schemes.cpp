// The reason that each scheme must have.
#include "schemes.hpp"

#include "../lines.hpp"

namespace pimbb_check::cim {

std::optional<SchemeRecord> scheme_record(const std::string& line) {
  if (line == "t" || line == "b" || line == "x") return SchemeRecord{static_cast<Reason>(line[0])};
  if (!line.starts_with("y ")) return std::nullopt;
  const char* at = line.c_str() + 2;
  const auto image = static_cast<std::uint64_t>(plain_number(at));
  require(at == line.c_str() + line.size(), "a scheme is a number");
  return SchemeRecord{Reason::mirror, image};
}

Schemes::Schemes(const Problem& p, const Units& units)
    : p_(p), units_(units), table_(p.factors), all_(schemes(p)), symmetric_(symmetric(p)) {}

Cost Schemes::cost_of(const std::string& mapping) const {
  Cost cost = cost_of_mapping(p_, mapping);
  for (const auto& [goal, most] : p_.at_most) {
    require(cost.of(goal, p_) <= most, "the mapping exceeds a limit on a goal");
  }
  for (const Scheme& scheme : all_) {
    require(!p_.full || cost.products <= scheme.products(),
            "the mapping has more products than a scheme");
  }
  return cost;
}

void Schemes::close(const SchemeRecord& record, const Claim& claim) {
  const Scheme& scheme = all_[next_++];
  const auto number = std::to_string(next_ - 1);
  const auto expect = [&](Reason right) {
    if (record.reason != right) {
      throw Refusal("scheme " + number + ": the reason '" + static_cast<char>(right) +
                    "' is wanted here");
    }
    ++counts_[right == Reason::mirror     ? 0
              : right == Reason::no_loops ? 1
              : right == Reason::bound    ? 2
                                          : 3];
  };
  const Scheme mirror = scheme.mirrored();
  if (symmetric_ && mirror.spatial < scheme.spatial) {
    expect(Reason::mirror);
    require(record.image + 1 < next_ && all_[record.image].spatial == mirror.spatial,
            "another scheme is the mirror image");
    return;
  }
  if (scheme.products() == 1) {
    expect(Reason::no_loops);
    check_only(Space(p_, units_, scheme, table_), claim);
    return;
  }
  if (closed_at_once(p_, units_, scheme, claim)) return expect(Reason::bound);
  const Space space(p_, units_, scheme, table_);
  const Alone alone(space);
  if (closed_by_bound(space, alone, claim)) return expect(Reason::bound);
  expect(Reason::followed);
  follow_all(space, alone, claim, symmetric_ && mirror.spatial == scheme.spatial, work_);
}

std::string Schemes::counts() const {
  return std::to_string(all_.size()) + " schemes: " + std::to_string(counts_[2]) +
         " closed by bound, " + std::to_string(counts_[3]) + " searched (" +
         std::to_string(work_.states) + " states, " + std::to_string(work_.labels) + " labels), " +
         std::to_string(counts_[1]) + " without loops, " + std::to_string(counts_[0]) +
         " mirror images, 0 assumed";
}

}  // namespace pimbb_check::cim
