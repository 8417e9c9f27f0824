// Room and multiplications, in integers of 128 bits.
#include "box.hpp"

#include <algorithm>

#include "../lines.hpp"

namespace pimbb_check::crossbar {
namespace {

/// Least multiplications of an array group of each replica, idle ones included: within a class,
/// those of the fewest replicas.
std::int64_t least_work(std::int64_t windows, std::int64_t least, std::int64_t most) {
  std::int64_t best = INT64_MAX;
  for (std::int64_t r = least; r <= most; r = next_class(windows, r)) {
    best = std::min(best, times(r, ceil_div(windows, r)));
  }
  return best;
}

}  // namespace

Box all_replications(const Problem& p) {
  Box box;
  for (const Family& family : p.families) {
    box.least.push_back(1);
    box.most.push_back(family.windows);
  }
  return box;
}

bool is_empty(const Box& box) {
  for (std::size_t f = 0; f < box.least.size(); ++f) {
    if (box.least[f] > box.most[f]) return true;
  }
  return false;
}

Int128 crossbars_of(const Problem& p, const Counts& replication) {
  Int128 sum = 0;
  for (std::size_t f = 0; f < p.families.size(); ++f) {
    sum += p.families[f].crossbars * replication[f];
  }
  return sum;
}

std::int64_t word_number(const std::string& word) {
  const char* at = word.c_str();
  const std::int64_t value = plain_number(at);
  require(*at == '\0', "a number is wanted");
  return value;
}

void split(std::vector<Box>& open, const Box& box, const std::vector<std::string>& words) {
  require(words.size() == 3, "'split FAMILY REPLICATION' is wanted");
  const auto f = static_cast<std::size_t>(word_number(words[1]));
  const std::int64_t r = word_number(words[2]);
  require(f < box.least.size() && box.least[f] <= r && r < box.most[f],
          "a box is not divided by this");
  open.push_back(box);
  open.back().least[f] = r + 1;
  open.push_back(box);
  open.back().most[f] = r;
}

bool Counting::closes(const Box& box, const std::vector<std::string>& words) const {
  if (words[0] == "empty" && words.size() == 1) {
    require(is_empty(box), "the box is not empty");
    return true;
  }
  if (words[0] == "room" && words.size() == 1) {
    require(crossbars_of(p_, box.least) > p_.all_crossbars(), "the box has room");
    return true;
  }
  require(!is_empty(box), "the box is empty");
  if (words[0] == "load" && words.size() == 1) {
    require(takes_more(work_of_narrow(box, INT64_MAX), p_.cores),
            "the cores have time for the box");
    return true;
  }
  if (words[0] != "wide" || words.size() != 2) return false;
  check_wide(box, word_number(words[1]));
  return true;
}

void Counting::check_wide(const Box& box, std::int64_t width) const {
  require(width <= p_.crossbars, "a width is out of range");
  const Int128 cores = cores_of_narrow(box, width);
  require(cores < 0 || takes_more(work_of_narrow(box, width), cores) ||
              room_of_narrow(box, width) > cores * p_.crossbars,
          "the cores that are left to narrow nodes have room and time for them");
}

Int128 Counting::cores_of_narrow(const Box& box, std::int64_t width) const {
  require(width >= 1, "a width is out of range");
  if (width > p_.crossbars) return p_.cores;
  const std::int64_t left = p_.crossbars % width;
  Int128 count = 0;
  for (const Array& array : p_.arrays) {
    require(array.width >= width || array.width > left,
            "a narrow array group fits beside wide ones");
    if (array.width >= width) count += Int128{array.groups} * box.least[array.family];
  }
  const Int128 most = p_.crossbars / width;
  return std::min<Int128>(p_.cores, most * p_.cores - count);
}

Int128 Counting::narrow_groups(std::size_t family, std::int64_t width) const {
  Int128 groups = 0;
  for (const std::size_t v : p_.families[family].arrays) {
    if (p_.arrays[v].width < width) groups += p_.arrays[v].groups;
  }
  return groups;
}

bool Counting::takes_more(Int128 work, Int128 cores) const {
  return deadline_ && work > cores * starts();
}

Int128 Counting::work_of_narrow(const Box& box, std::int64_t width) const {
  Int128 sum = 0;
  for (std::size_t f = 0; f < p_.families.size(); ++f) {
    const Int128 groups = narrow_groups(f, width);
    if (groups == 0) continue;
    sum += groups * least_work(p_.families[f].windows, box.least[f], box.most[f]);
  }
  return sum;
}

Int128 Counting::room_of_narrow(const Box& box, std::int64_t width) const {
  Int128 sum = 0;
  for (const Array& array : p_.arrays) {
    if (array.width < width) sum += Int128{array.groups} * array.width * box.least[array.family];
  }
  return sum;
}

}  // namespace pimbb_check::crossbar
