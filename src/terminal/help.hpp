// How the parser speaks: the layout of --help and the words for options that it cannot take.
#pragma once

#include <memory>
#include <string>

namespace CLI {
class App;
class Error;
class FormatterBase;
}  // namespace CLI

namespace pimbb::terminal {

/// CLI11's layout with long explanations wrapped and defaults at their end.
std::shared_ptr<CLI::FormatterBase> help_layout();

/// The message for a command line that does not parse, complete and ending in a newline.
std::string refusal(const CLI::App* app, const CLI::Error& error);

}  // namespace pimbb::terminal
