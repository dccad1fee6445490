// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "event/opencl_commands.h"

#include <algorithm>
#include <array>

namespace sextant::event {

namespace {

using enum Transfer;

constexpr std::array kCommands = {
    OpenclCommand{0x11F0, kOpenclKernel, kNone, "[OpenCL kernel]"},
    OpenclCommand{0x11F1, kOpenclKernel, kNone, "[OpenCL task]"},
    OpenclCommand{0x11F2, kOpenclKernel, kNone, "[OpenCL native kernel]"},
    OpenclCommand{0x11F3, kOpenclMemory, kToHost, "[OpenCL read buffer]"},
    OpenclCommand{0x11F4, kOpenclMemory, kToDevice, "[OpenCL write buffer]"},
    OpenclCommand{0x11F5, kOpenclMemory, kWithinDevice, "[OpenCL copy buffer]"},
    OpenclCommand{0x11F6, kOpenclMemory, kToHost, "[OpenCL read image]"},
    OpenclCommand{0x11F7, kOpenclMemory, kToDevice, "[OpenCL write image]"},
    OpenclCommand{0x11F8, kOpenclMemory, kWithinDevice, "[OpenCL copy image]"},
    OpenclCommand{0x11F9, kOpenclMemory, kWithinDevice, "[OpenCL copy image to buffer]"},
    OpenclCommand{0x11FA, kOpenclMemory, kWithinDevice, "[OpenCL copy buffer to image]"},
    OpenclCommand{0x11FB, kOpenclMemory, kMap, "[OpenCL map buffer]"},
    OpenclCommand{0x11FC, kOpenclMemory, kMap, "[OpenCL map image]"},
    OpenclCommand{0x11FD, kOpenclMemory, kMap, "[OpenCL unmap]"},
    OpenclCommand{0x11FE, kOpenclSync, kNone, "[OpenCL marker]"},
    OpenclCommand{0x11FF, kOpenclSync, kNone, "[OpenCL acquire OpenGL objects]"},
    OpenclCommand{0x1200, kOpenclSync, kNone, "[OpenCL release OpenGL objects]"},
    OpenclCommand{0x1201, kOpenclMemory, kToHost, "[OpenCL read buffer rectangle]"},
    OpenclCommand{0x1202, kOpenclMemory, kToDevice, "[OpenCL write buffer rectangle]"},
    OpenclCommand{0x1203, kOpenclMemory, kWithinDevice, "[OpenCL copy buffer rectangle]"},
    OpenclCommand{0x1204, kOpenclSync, kNone, "[OpenCL user event]"},
    OpenclCommand{0x1205, kOpenclSync, kNone, "[OpenCL barrier]"},
    OpenclCommand{0x1206, kOpenclMemory, kWithinDevice, "[OpenCL migrate memory objects]"},
    OpenclCommand{0x1207, kOpenclMemory, kFill, "[OpenCL fill buffer]"},
    OpenclCommand{0x1208, kOpenclMemory, kFill, "[OpenCL fill image]"},
    OpenclCommand{0x1209, kOpenclSync, kNone, "[OpenCL SVM free]"},
    OpenclCommand{0x120A, kOpenclMemory, kWithinDevice, "[OpenCL SVM copy]"},
    OpenclCommand{0x120B, kOpenclMemory, kFill, "[OpenCL SVM fill]"},
    OpenclCommand{0x120C, kOpenclMemory, kMap, "[OpenCL SVM map]"},
    OpenclCommand{0x120D, kOpenclMemory, kMap, "[OpenCL SVM unmap]"},
    OpenclCommand{0x120E, kOpenclMemory, kWithinDevice, "[OpenCL SVM migrate]"},
};

}  // namespace

std::span<const OpenclCommand> opencl_commands() {
  return kCommands;
}

const OpenclCommand* find_opencl_command(uint64_t number) {
  const auto at = std::lower_bound(kCommands.begin(), kCommands.end(), number,
                                   [](const OpenclCommand& c, uint64_t n) { return c.number < n; });
  return at == kCommands.end() || at->number != number ? nullptr : &*at;
}

std::string_view opencl_command_label(uint64_t number) {
  const OpenclCommand* command = find_opencl_command(number);
  return command == nullptr ? std::string_view("[OpenCL command]") : command->label;
}

}  // namespace sextant::event
