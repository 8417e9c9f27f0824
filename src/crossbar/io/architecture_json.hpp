// An accelerator as a document.
#pragma once

#include "files/json_text.hpp"
#include "pimbb/crossbar/architecture.hpp"

namespace pimbb::crossbar::io {

/// An architecture with the keys of its file, none left out: parse_architecture() reads it back.
files::Json architecture_json(const Architecture& architecture);

}  // namespace pimbb::crossbar::io
