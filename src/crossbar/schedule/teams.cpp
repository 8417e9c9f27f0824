// Teams follow from placements; what their transfers and passes take is the same in all rounds.
#include "crossbar/schedule/teams.hpp"

#include <algorithm>
#include <limits>

#include "crossbar/cost/window.hpp"

namespace pimbb::crossbar::schedule {
namespace {

class Gathering {
 public:
  Gathering(const Architecture& architecture, const Partition& partition, const Mapping& mapping,
            const run::Guard& guard)
      : a_(architecture), p_(partition), mapping_(mapping), guard_(guard) {
    teams_.of_core.resize(static_cast<std::size_t>(a_.all_cores()));
    teams_.shares.resize(teams_.of_core.size());
  }

  Teams run() && {
    const std::vector<partition::Placement> placements = partition::placements(p_, mapping_);
    guard_.check();
    std::uint64_t groups = 0;
    for (const partition::Placement& placement : placements) {
      for (const partition::Part& part : placement.parts) {
        groups += static_cast<std::uint64_t>(part.groups);
      }
    }
    guard_.need(groups * sizeof(GroupProgress));
    for (std::size_t v = 0; v < placements.size(); ++v) add_teams(v, placements[v].parts);
    guard_.need(groups * sizeof(GroupProgress) + teams_.all.size() * sizeof(Team) +
                messages_ * sizeof(std::int64_t));
    teams_.groups.resize(groups);
    for (std::size_t v = 0; v < p_.graph.nodes.size(); ++v) {
      if (p_.graph.nodes[v].is_vector()) add_shares(v);
    }
    return std::move(teams_);
  }

 private:
  [[nodiscard]] std::int64_t access(std::int64_t elements) const {
    return transfer_time(a_.bytes(elements), a_.bandwidth.memory);
  }

  void add_teams(std::size_t v, const std::vector<partition::Part>& parts) {
    const ArrayNode& array = p_.arrays[v];
    if (array.windows > std::numeric_limits<Index>::max()) throw run::TooLarge(run::kUnlimited);
    const Node& node = p_.node(array);
    const std::int64_t bytes = a_.bytes(node.out.channels);
    Team team;
    team.first_load = access(a_.core.rows);
    team.later_load = access(cost::later_load(a_, node));
    team.pass = a_.vector_pass(bytes);
    const Work store{bytes, access(node.out.channels), 0};
    const Work send{bytes, transfer_time(bytes, a_.bandwidth.bus), 0};
    const std::int64_t link = transfer_time(bytes, a_.bandwidth.link);
    for (const partition::Part& part : parts) {
      team.core = static_cast<Index>(part.core);
      team.first = next_group_;
      team.groups = static_cast<Index>(part.groups);
      next_group_ += team.groups;
      team.windows =
          static_cast<Index>(partition::windows_of(array, mapping_.replication[v], part.replica));
      team.transfer = part.at_home() ? store : send;
      if (part.core / a_.cores != part.home / a_.cores) team.transfer.link = link;
      add(team, part.at_home());
    }
  }

  void add(Team& team, bool at_home) {
    const auto number = static_cast<Index>(teams_.all.size());
    if (at_home) {
      team.home = number;
    } else {
      teams_.all[static_cast<std::size_t>(team.home)].others.push_back(number);
      messages_ += static_cast<std::uint64_t>(team.windows);
    }
    teams_.of_core[static_cast<std::size_t>(team.core)].push_back(number);
    teams_.all.push_back(team);
  }

  /// The pixels of a vector node, shared evenly; the first cores have one more.
  void add_shares(std::size_t v) {
    const Node& node = p_.graph.nodes[v];
    const std::int64_t read = cost::pixels_loaded(p_, v);
    const std::int64_t passes =
        cost::vector_passes(p_, v) * a_.vector_pass(a_.bytes(node.in.channels));
    const std::int64_t cores = a_.all_cores();
    const auto share = [&](std::int64_t pixels) {
      return VectorShare{access(pixels * read * node.in.channels), pixels * passes,
                         access(pixels * node.out.channels)};
    };
    const std::int64_t fewest = node.windows() / cores;
    const VectorShare less = fewest > 0 ? share(fewest) : VectorShare{};
    const VectorShare more = share(fewest + 1);
    for (std::int64_t c = 0; c < std::min(cores, node.windows()); ++c) {
      teams_.shares[static_cast<std::size_t>(c)].push_back(c < node.windows() % cores ? more
                                                                                      : less);
    }
  }

  const Architecture& a_;
  const Partition& p_;
  const Mapping& mapping_;
  const run::Guard& guard_;
  Teams teams_;
  Index next_group_ = 0;
  std::uint64_t messages_ = 0;  // of the whole simulation
};

}  // namespace

Teams teams(const Architecture& architecture, const Partition& partition, const Mapping& mapping,
            const run::Guard& guard) {
  return Gathering(architecture, partition, mapping, guard).run();
}

Turns::Turns(const Teams& teams, const std::vector<Index>& of_core) {
  for (const Index team : of_core) {
    left_.push_back({team, teams.all[static_cast<std::size_t>(team)].windows});
  }
  if (!left_.empty()) least_ = std::ranges::min(left_, {}, &Member::windows).windows;
}

void Turns::next_round() {
  ++round_;
  at_ = 0;
  if (round_ < least_) return;
  std::erase_if(left_, [this](const Member& member) { return member.windows <= round_; });
  if (!left_.empty()) least_ = std::ranges::min(left_, {}, &Member::windows).windows;
}

}  // namespace pimbb::crossbar::schedule
