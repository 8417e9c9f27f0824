// Pictures of charts as PNG: a browser of the system draws the page and hands them back.
#pragma once

#include <functional>
#include <string>

namespace pimbb::report {

/// Draws a page in a headless Chromium and calls `take` with each chart's id and its PNG. Throws
/// InputError if there is no Chromium on the path or if it does not draw the page.
void draw_pictures(const std::string& page,
                   const std::function<void(const std::string& id, const std::string& png)>& take);

}  // namespace pimbb::report
