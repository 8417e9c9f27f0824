// One line an event: the columns of its list, and those of its place.
#include "dram_pim/io/link_lines.hpp"

#include <fmt/compile.h>

#include <algorithm>
#include <iterator>

#include "files/csv.hpp"

namespace pimbb::dram_pim::io {
namespace {

using device::LinkEvent;
using device::LinkEvents;
using device::LinkPlace;

constexpr std::size_t kLinkPiece = std::size_t{1} << 16;  // bytes of text handed out at once, about
constexpr std::string_view kLinkHeader =
    "index,phase,event,level,link,child,children,tensor,sums,additions,bytes,start,end,busy,energy,"
    "r,s,p,q,c,k,n,g\n";

/// The cells without the end of the line.
std::string cells(const files::CsvRow& row) {
  std::string text = row.text();
  text.pop_back();
  return text;
}

bool is_block(const LinkEvents& events) {
  return events.event == LinkEvent::down || events.event == LinkEvent::up;
}

/// Sums over `count` events of a list.
void add_to(LinkTotals& totals, const LinkEvents& events, std::int64_t count) {
  if (events.event == LinkEvent::down) {
    totals.bytes_in += count * events.bytes;
    totals.busy_in += count * events.busy;
    totals.link_energy += count * events.energy;
  } else if (events.event == LinkEvent::up) {
    totals.bytes_out += count * events.bytes;
    totals.busy_out += count * events.busy;
    totals.link_energy += count * events.energy;
  } else if (events.event == LinkEvent::add) {
    totals.additions += count * events.additions;
    totals.reduce_energy += count * events.energy;
  }
}

}  // namespace

LinkLines::LinkLines(const Device& device, device::LinkStream stream,
                     std::optional<std::int64_t> limit)
    : device_(device),
      stream_(std::move(stream)),
      total_(stream_.total()),
      limit_(std::min(limit.value_or(total_), total_)),
      common_(common(stream_.events().front())),
      text_(kLinkHeader) {}

std::string_view LinkLines::next() {
  if (written_ > 0) text_.clear();  // before the first line there is the header
  while (text_.size() < kLinkPiece && written_ < limit_) {
    const LinkEvents& events = stream_.events()[list_];
    write_line(events, in_list_);
    ++written_;
    if (++in_list_ < events.count()) continue;
    in_list_ = 0;
    if (++list_ < stream_.events().size()) common_ = common(stream_.events()[list_]);
  }
  return text_;
}

LinkLines::Common LinkLines::common(const LinkEvents& events) const {
  const bool adds = events.event == LinkEvent::add;
  files::CsvRow before;
  before.add(device::kLinkPhaseNames[static_cast<std::size_t>(events.phase)]);
  before.add(device::kLinkEventNames[static_cast<std::size_t>(events.event)]);
  before.add(events.level ? device_.levels[*events.level].name : adds ? "host" : "");
  files::CsvRow after;
  after.add(events.children > 0 ? std::to_string(events.children) : "");
  after.add(events.tensor ? name(*events.tensor) : "");
  after.add(events.sums > 0 ? std::to_string(events.sums) : "");
  after.add(adds ? events.additions.to_string() : "");
  after.add(is_block(events) ? events.bytes.to_string() : "");
  after.add(events.start.to_string()).add(events.end.to_string()).add(events.busy.to_string());
  after.add(events.energy.to_string());
  return {cells(before), cells(after)};
}

void LinkLines::write_line(const LinkEvents& events, std::int64_t k) {
  const LinkPlace place = stream_.place(events, k);
  auto out = std::back_inserter(text_);
  fmt::format_to(out, FMT_COMPILE("{},{},"), written_, common_.before);
  if (events.level) fmt::format_to(out, FMT_COMPILE("{}"), place.link);
  text_ += ',';
  if (is_block(events)) fmt::format_to(out, FMT_COMPILE("{}"), place.child);
  text_ += ',';
  text_ += common_.after;
  for (const Dim j : kAllDims) {
    text_ += ',';
    if (!events.tensor || !relevant(*events.tensor, j)) continue;
    fmt::format_to(out, FMT_COMPILE("{}"), place.first[index(j)]);
  }
  text_ += '\n';
}

template <class Visit>
void LinkLines::for_written(const Visit& visit) const {
  for (std::size_t l = 0; l < stream_.events().size() && l <= list_; ++l) {
    const LinkEvents& events = stream_.events()[l];
    const std::int64_t count = l < list_ ? events.count() : in_list_;
    if (count > 0) visit(events, count);
  }
}

std::vector<LinkTotals> LinkLines::levels() const {
  std::vector<LinkTotals> totals(device_.levels.size());
  for_written([&](const LinkEvents& events, std::int64_t count) {
    if (events.level) add_to(totals[*events.level], events, count);
  });
  return totals;
}

LinkTotals LinkLines::all() const {
  LinkTotals totals;
  for_written([&](const LinkEvents& events, std::int64_t count) { add_to(totals, events, count); });
  return totals;
}

Rational LinkLines::end() const {
  Rational last;
  for_written([&](const LinkEvents& events, std::int64_t) { last = max(last, events.end); });
  return last;
}

}  // namespace pimbb::dram_pim::io
