// Each change draws what it needs, then tests whether there is room.
#include "crossbar/heuristic/mutation.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace pimbb::crossbar::heuristic {
namespace {

struct Gene {
  std::size_t core = 0;
  Share share;
};

class Mutation {
 public:
  Mutation(const Architecture& a, const Partition& p, const std::vector<Family>& families,
           const Mapping& parent, SplitMix64& random)
      : a_(a), p_(p), families_(families), random_(random), filling_(a, p, parent) {}

  bool apply() {
    static constexpr std::array<bool (Mutation::*)(), 5> kChanges{
        &Mutation::add_replica, &Mutation::remove_replica, &Mutation::split, &Mutation::gather,
        &Mutation::exchange};
    return (this->*kChanges[draw(random_, kChanges.size())])();
  }

  [[nodiscard]] const Mapping& mapping() const { return filling_.mapping(); }

 private:
  const Family* random_conv() {
    std::vector<const Family*> convs;
    for (const Family& family : families_) {
      if (family.is_conv) convs.push_back(&family);
    }
    return convs.empty() ? nullptr : convs[draw(random_, convs.size())];
  }

  bool add_replica() {
    const Family* conv = random_conv();
    if (conv == nullptr || filling_.replication(conv->first) >= conv->windows) return false;
    for (std::size_t v = conv->first; v < conv->first + conv->parts; ++v) {
      ++filling_.replication(v);
      if (!put_anywhere(filling_, v, p_.arrays[v].groups, random_)) return false;
    }
    return true;
  }

  bool remove_replica() {
    const Family* conv = random_conv();
    if (conv == nullptr || filling_.replication(conv->first) < 2) return false;
    for (std::size_t v = conv->first; v < conv->first + conv->parts; ++v) {
      --filling_.replication(v);
      std::int64_t left = p_.arrays[v].groups;
      const std::size_t cores = mapping().cores.size();
      const std::size_t start = draw(random_, cores);
      for (std::size_t i = 0; left > 0; ++i) {
        const std::size_t core = (start + i) % cores;
        const std::int64_t here = std::min(left, filling_.held(core, v));
        if (here == 0) continue;
        filling_.take(core, v, here);
        left -= here;
      }
    }
    return true;
  }

  template <class Predicate>
  std::optional<Gene> random_gene(const Predicate& wanted) {
    std::vector<Gene> genes;
    for (std::size_t c = 0; c < mapping().cores.size(); ++c) {
      for (const Share& share : mapping().cores[c]) {
        if (wanted(share)) genes.push_back({c, share});
      }
    }
    if (genes.empty()) return std::nullopt;
    return genes[draw(random_, genes.size())];
  }

  [[nodiscard]] std::int64_t crossbars(const Share& share) const {
    return share.groups * p_.arrays[share.array].width;
  }

  /// Moves so many array groups of the gene into another core, one of `cores` that has room.
  template <class Predicate>
  bool move(const Gene& gene, std::int64_t groups, const Predicate& wanted) {
    std::vector<std::size_t> cores;
    for (std::size_t c = 0; c < mapping().cores.size(); ++c) {
      if (c != gene.core && wanted(c) && filling_.room(c, gene.share.array) >= groups) {
        cores.push_back(c);
      }
    }
    if (cores.empty()) return false;
    filling_.take(gene.core, gene.share.array, groups);
    filling_.put(cores[draw(random_, cores.size())], gene.share.array, groups);
    return true;
  }

  /// A part of a gene of more than a quarter of a core into another core.
  bool split() {
    const auto gene = random_gene([&](const Share& share) {
      return share.groups > 1 && 4 * crossbars(share) > a_.core.crossbars;
    });
    if (!gene) return false;
    const auto most = static_cast<std::size_t>(gene->share.groups - 1);
    const auto groups = static_cast<std::int64_t>(1 + draw(random_, most));
    return move(*gene, groups, [](std::size_t) { return true; });
  }

  /// A gene of at most two array groups and 1/24 of a core into a core that has the node.
  bool gather() {
    const auto gene = random_gene([&](const Share& share) {
      return share.groups <= 2 && 24 * crossbars(share) <= a_.core.crossbars;
    });
    if (!gene) return false;
    return move(*gene, gene->share.groups,
                [&](std::size_t c) { return filling_.held(c, gene->share.array) > 0; });
  }

  /// The least equal number of crossbars of two nodes in two cores.
  bool exchange() {
    const auto any = [](const Share&) { return true; };
    const auto one = random_gene(any);
    const auto other = random_gene(any);
    if (!one || one->core == other->core || one->share.array == other->share.array) return false;
    const std::int64_t w1 = p_.arrays[one->share.array].width;
    const std::int64_t w2 = p_.arrays[other->share.array].width;
    const std::int64_t n1 = std::lcm(w1, w2) / w1;
    const std::int64_t n2 = std::lcm(w1, w2) / w2;
    if (one->share.groups < n1 || other->share.groups < n2) return false;
    filling_.take(one->core, one->share.array, n1);
    filling_.take(other->core, other->share.array, n2);
    if (filling_.room(other->core, one->share.array) < n1 ||
        filling_.room(one->core, other->share.array) < n2) {
      return false;
    }
    filling_.put(other->core, one->share.array, n1);
    filling_.put(one->core, other->share.array, n2);
    return true;
  }

  const Architecture& a_;
  const Partition& p_;
  const std::vector<Family>& families_;
  SplitMix64& random_;
  Filling filling_;
};

}  // namespace

bool put_anywhere(Filling& filling, std::size_t array, std::int64_t groups, SplitMix64& random) {
  std::vector<std::size_t> cores;
  for (; groups > 0; --groups) {
    cores.clear();
    for (std::size_t c = 0; c < filling.mapping().cores.size(); ++c) {
      if (filling.room(c, array) > 0) cores.push_back(c);
    }
    if (cores.empty()) return false;
    filling.put(cores[draw(random, cores.size())], array, 1);
  }
  return true;
}

std::optional<Mapping> mutated(const Architecture& a, const Partition& p,
                               const std::vector<Family>& families, const Mapping& parent,
                               SplitMix64& random) {
  Mutation mutation(a, p, families, parent, random);
  if (!mutation.apply()) return std::nullopt;
  if (a.core.enforce_local_memory && find_violation(a, p, mutation.mapping())) return std::nullopt;
  return mutation.mapping();
}

}  // namespace pimbb::crossbar::heuristic
