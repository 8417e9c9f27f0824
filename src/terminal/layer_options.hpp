// The options that name a layer or a network, for any kind of accelerator.
#pragma once

#include <string>
#include <string_view>

#include "pimbb/io.hpp"
#include "terminal/choices.hpp"
#include "terminal/option_row.hpp"

namespace pimbb::terminal {

OptionRow network_row(std::string& network);
OptionRow layer_row(std::string& layer);
OptionRow batch_row(NetworkOptions& options);
OptionRow dim_row(NetworkOptions& options);
OptionRow skip_row(NetworkOptions& options);

/// Throws InputError if bounds of the layer may be padded, which `what` does not use: "pimbb
/// export", "architectures of kind cim".
void refuse_padding(const Workload& layer, std::string_view what);

Choices network_choices();
Choices layer_choices();  ///< also NETWORK:LAYER of every preset

/// The message for a missing --layer, with layers one can try.
[[noreturn]] void ask_for_layer();

}  // namespace pimbb::terminal
