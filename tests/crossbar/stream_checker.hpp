// A judge of timed instruction streams that shares nothing with the library but the partition: it
// reads the lines of JSON and checks the rules of docs/crossbar.md one by one.
#pragma once

#include <string>
#include <vector>

#include "pimbb/crossbar/schedule.hpp"

namespace testkit {

/// The lines of the timed stream.
std::vector<std::string> stream_lines(const pimbb::crossbar::Architecture& a,
                                      const pimbb::crossbar::Partition& p,
                                      const pimbb::crossbar::Mapping& mapping,
                                      const pimbb::crossbar::ScheduleOptions& options);

/// What is wrong with the lines; empty: nothing. Every instruction is there once, units keep their
/// order and distances, an array group does one thing at a time, memories and buses serve one
/// transfer at a time, and nothing starts before its operands exist.
std::vector<std::string> stream_complaints(const pimbb::crossbar::Architecture& a,
                                           const pimbb::crossbar::Partition& p,
                                           const pimbb::crossbar::Mapping& mapping,
                                           const pimbb::crossbar::ScheduleOptions& options,
                                           const std::vector<std::string>& lines);

}  // namespace testkit
