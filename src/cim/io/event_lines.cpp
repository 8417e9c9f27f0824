// One line an event.
#include "cim/io/event_lines.hpp"

#include <limits>

#include "files/csv.hpp"
#include "files/json_text.hpp"

namespace pimbb::cim::io {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;  // bytes

cost::Units checked_units(const Architecture& a, const Workload& layer) {
  cost::Units units(a);
  units.check_range(a, layer);
  return units;
}

}  // namespace

EventLines::EventLines(const Architecture& architecture, const Workload& workload,
                       const Mapping& mapping, Padding padding, EventFormat format)
    : a_(architecture),
      format_(format),
      layer_(padded(workload, padding, mapping.unrolled())),
      units_(checked_units(architecture, layer_)),
      elements_(layer_),
      nest_(architecture, units_, layer_, elements_, mapping),
      total_(cost::count_events(nest_)) {}

void EventLines::write(std::optional<std::int64_t> limit,
                       const std::function<bool(std::string_view)>& write) {
  const std::int64_t most = limit.value_or(std::numeric_limits<std::int64_t>::max());
  std::string text;
  if (format_ == EventFormat::csv)
    text = files::csv_header({"event", "tensor", "from", "to", "loop", "start", "end"});
  bool wanted = true;
  latency_ = cost::walk_timeline(nest_, [&](const cost::Event& event) {
    if (written_ == most) return false;
    add(text, event);
    ++written_;
    if (text.size() >= kPiece) {
      wanted = write(text);
      text.clear();
    }
    return wanted;
  });
  if (wanted && !text.empty()) write(text);
}

std::optional<Rational> EventLines::latency() const {
  if (!latency_) return std::nullopt;
  return units_.cycles(*latency_);
}

std::string EventLines::level(std::uint8_t m) const {
  return m == cost::kMac ? std::string("MAC") : a_.levels[m].name;
}

void EventLines::add(std::string& text, const cost::Event& event) const {
  const bool is_product = event.kind == cost::EventKind::product;
  const std::string kind(cost::kEventNames[static_cast<std::size_t>(event.kind)]);
  const bool inwards = event.kind == cost::EventKind::load;
  const std::string from = level(inwards ? event.outer : event.inner);
  const std::string to = level(inwards ? event.inner : event.outer);
  const Rational start = units_.cycles(event.start);
  const Rational end = units_.cycles(event.end);
  if (format_ == EventFormat::csv) {
    const std::string loop = event.loop ? std::to_string(*event.loop) : "";
    files::CsvRow row;
    row.add(kind).add(is_product ? "" : name(event.tensor));
    row.add(is_product ? "" : from).add(is_product ? "" : to).add(loop);
    text += row.add(start.to_string()).add(end.to_string()).text();
    return;
  }
  files::Json json = files::Json::object();
  json["event"] = kind;
  if (!is_product) {
    json["tensor"] = std::string(name(event.tensor));
    json["from"] = from;
    json["to"] = to;
    if (event.loop) json["loop"] = *event.loop;
  }
  json["start"] = files::exact_number(start);
  json["end"] = files::exact_number(end);
  text += json.dump() + "\n";
}

}  // namespace pimbb::cim::io
