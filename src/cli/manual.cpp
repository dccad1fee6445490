// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Manual pages: man(7) macros only, so that every man program shows them.
#include <fmt/format.h>

#include <string>

#include "cli/pages.h"

namespace sextant::cli {

namespace {

/// Text as roff takes it: backslashes and hyphens as such, no line that begins with a control character.
std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string title(std::string_view name) {
  std::string upper;
  for (const char c : name) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return fmt::format(".TH {} 1 \"\" \"sextant {}\" \"User commands\"\n.nh\n.ad l\n", roff(upper),
                     SEXTANT_VERSION);
}

std::string option_entry(const Flag& flag) {
  std::string out = ".TP\n";
  if (flag.short_name != 0) out += fmt::format("\\fB\\-{}\\fR, ", flag.short_name);
  out += fmt::format("\\fB\\-\\-{}\\fR", roff(flag.long_name));
  if (!flag.argument.empty()) {
    const bool may_stand_alone = flag.kind == ValueKind::kBool || flag.kind == ValueKind::kOptionalText;
    const std::string value = fmt::format("=\\fI{}\\fR", roff(flag.argument));
    out += may_stand_alone ? fmt::format("[{}]", value) : value;
  }
  out += '\n' + roff(flag.help);
  if (flag.kind == ValueKind::kList && !flag.choices.empty()) {
    out += "\nValues:";
    for_each_word(flag.choices, '|', [&](std::string_view choice) { out += " " + roff(choice); });
    out += '.';
  }
  if (!flag.fallback.empty()) out += fmt::format("\nDefault: {}.", roff(flag.fallback));
  return out + "\n";
}

void append_examples(std::string* out, std::string_view examples) {
  if (examples.empty()) return;
  *out += ".SH EXAMPLES\n.nf\n" + roff(examples) + "\n.fi\n";
}

constexpr std::string_view kFiles =
    ".SH ENVIRONMENT\nSEXTANT_COMMAND_OPTION, as in SEXTANT_PROFILE_BUFFER_SIZE, is the option where the "
    "command "
    "line does not give it.\nSEXTANT_LOG is the level of messages.\n"
    ".SH FILES\n$XDG_CONFIG_HOME/sextant/config or ~/.config/sextant/config: sections [COMMAND] with lines "
    "OPTION = VALUE, for what neither the command line nor a variable gives.\n";

std::string overview() {
  std::string out = title("sextant");
  out +=
      ".SH NAME\nsextant \\- record what GPU programs do and answer questions about it\n"
      ".SH SYNOPSIS\n\\fBsextant\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n.SH COMMANDS\n";
  for (const Command& command : commands())
    out += fmt::format(".TP\n\\fBsextant {}\\fR {}\n{}. See sextant\\-{}(1).\n", roff(command.name),
                       roff(command.usage), roff(command.summary), roff(command.name));
  append_examples(&out, "sextant profile ./program\nsextant stats report1.sxt");
  return out.append(kFiles);
}

}  // namespace

std::string manual_page(const Command* command) {
  if (command == nullptr) return overview();
  std::string out = title(fmt::format("sextant-{}", command->name));
  out += fmt::format(
      ".SH NAME\nsextant\\-{} \\- {}\n.SH SYNOPSIS\n\\fBsextant {}\\fR {}\n.SH DESCRIPTION\n{}.\n{}\n",
      roff(command->name), roff(command->summary), roff(command->name), roff(command->usage),
      roff(command->summary), roff(command->details));
  out += ".SH OPTIONS\n";
  std::string later;
  for (const Flag& flag : flags()) {
    if ((flag.commands & command->bit) == 0) continue;
    if (flag.availability == Availability::kNow)
      out += option_entry(flag);
    else
      later += fmt::format("{}\\-\\-{}", later.empty() ? "" : ", ", roff(flag.long_name));
  }
  if (!later.empty())
    out += ".SH OPTIONS OF NSYS\nUnderstood, and ignored by this release:\n" + later + ".\n";
  append_examples(&out, command->examples);
  out.append(kFiles);
  return out + ".SH SEE ALSO\nsextant(1)\n";
}

}  // namespace sextant::cli
