// Values as doubles and as fractions.
#include "answers/top_json.hpp"

namespace pimbb::answers {
namespace {

files::Json count_json(const ClassCount& count) {
  files::Json json = files::Json::object();
  json["classes"] = count.classes;
  json["mappings"] = files::exact_number(count.mappings);
  return json;
}

files::Json total_json(const ClassTotal& total) {
  files::Json json = files::Json::object();
  json["classes"] = total.classes;
  json["all"] = total.all;
  json["mappings"] = total.mappings ? files::exact_number(*total.mappings) : files::Json(nullptr);
  return json;
}

}  // namespace

files::Json top_range_json(const TopRange& range) {
  files::Json json = files::Json::object();
  if (!range.within) {
    json["k"] = range.most;
    return json;
  }
  json["within"] = files::exact_number(*range.within);
  json["most"] = range.most;
  return json;
}

void add_class_counts(files::Json& json, const ClassCount& optimal, std::uint64_t tied,
                      const std::optional<ClassCount>& within) {
  json["optimal"] = count_json(optimal);
  json["tied"] = tied;
  if (within) json["within"] = count_json(*within);
}

void add_class_totals(files::Json& json, const std::optional<ClassTotal>& optimal,
                      const ClassTotal& tied, const std::optional<ClassTotal>& within) {
  if (optimal) json["optimal"] = total_json(*optimal);
  json["tied"] = {{"classes", tied.classes}, {"all", tied.all}};
  if (within) json["within"] = total_json(*within);
}

void add_top_bound(files::Json& json, const Rational& bound) {
  json["bound"] = bound.to_double();
  json["exact"] = {{"bound", bound.to_string()}};
}

files::Json class_json(std::size_t rank, const std::vector<std::string>& goals,
                       const std::vector<Rational>& values, const std::optional<Rational>& mappings,
                       const std::string& text) {
  files::Json json = files::Json::object();
  json["rank"] = rank + 1;
  json["values"] = files::Json::object();
  json["exact"] = files::Json::object();
  for (std::size_t g = 0; g < values.size(); ++g) {
    json["values"][goals[g]] = values[g].to_double();
    json["exact"][goals[g]] = values[g].to_string();
  }
  if (mappings) json["mappings"] = files::exact_number(*mappings);
  json["text"] = text;
  return json;
}

}  // namespace pimbb::answers
