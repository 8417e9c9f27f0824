#include "report/page.hpp"

namespace pimbb::report {
namespace {

std::string escaped(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (c == '&') {
      all += "&amp;";
    } else if (c == '<') {
      all += "&lt;";
    } else {
      all += c;
    }
  }
  return all;
}

/// JSON inside a script element: no text in it may look like the element's end.
std::string script_data(const Json& json) {
  std::string all;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      all += "\\u003c";
    } else {
      all += c;
    }
  }
  return all;
}

}  // namespace

std::string page_of(const Report& report) {
  std::string page(page_template());
  const auto fill = [&page](std::string_view mark, const std::string& text) {
    page.replace(page.find(mark), mark.size(), text);
  };
  fill("@DATA@", script_data(report_json(report)));  // the last mark: no text hides the other one
  fill("@TITLE@", escaped(report.title));
  return page;
}

}  // namespace pimbb::report
