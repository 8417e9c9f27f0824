// The layout of --help, and the error messages of the command line parser.
#pragma once

#include <memory>
#include <string>

namespace CLI {
class App;
class Error;
class FormatterBase;
}  // namespace CLI

namespace pimbb::terminal {

/// CLI11's layout with long explanations wrapped and defaults after them.
std::shared_ptr<CLI::FormatterBase> help_layout();

/// The complete message for an invalid command line, with a newline at the end.
std::string refusal(const CLI::App* app, const CLI::Error& error);

}  // namespace pimbb::terminal
