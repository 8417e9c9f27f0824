// What a simulation adds to the document of a mapping.
#pragma once

#include "files/json_text.hpp"
#include "pimbb/crossbar/schedule.hpp"

namespace pimbb::crossbar::io {

/// The member `simulation`, and in `memory` the peaks `live` and `exact` of the simulated schedule.
/// Under the policy `ag`, which delays multiplications, there is no `live`.
void add_simulation(files::Json& document, const Architecture& architecture,
                    const Partition& partition, const ScheduleOptions& options,
                    const Simulation& simulation);

}  // namespace pimbb::crossbar::io
