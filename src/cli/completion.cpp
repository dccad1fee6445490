// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Completion scripts. All three do the same: commands first, then options of the command with their values,
// behind the program of a recording whatever that program completes, and files.
#include <fmt/format.h>

#include <string>

#include "cli/pages.h"

namespace sextant::cli {

namespace {

bool offered(const Flag& flag, const Command& command) {
  return (flag.commands & command.bit) != 0 && flag.availability == Availability::kNow;
}

bool takes_word(const Flag& flag) {
  return flag.kind != ValueKind::kSwitch && flag.kind != ValueKind::kBool &&
         flag.kind != ValueKind::kOptionalText;
}

/// Values to offer, separated by blanks.
std::string values_of(const Flag& flag) {
  if (flag.kind == ValueKind::kBool) return "true false";
  std::string out;
  for_each_word(flag.choices, '|',
                [&](std::string_view choice) { out += fmt::format("{}{}", out.empty() ? "" : " ", choice); });
  return out;
}

/// In single quotes for the shell.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

std::string first_sentence(std::string_view text) {
  const size_t end = text.find(". ");
  std::string out(text.substr(0, end == std::string_view::npos ? text.size() : end));
  if (out.ends_with('.')) out.pop_back();
  return out;
}

std::string command_names() {
  std::string out;
  for (const Command& command : commands()) out += fmt::format("{}{}", out.empty() ? "" : " ", command.name);
  return out;
}

std::string bash_command(const Command& command) {
  std::string options, with_word, values;
  for (const Flag& flag : flags()) {
    if (!offered(flag, command)) continue;
    options += fmt::format(" --{}{}", flag.long_name, takes_word(flag) ? "=" : "");
    std::string spellings = fmt::format("--{}", flag.long_name);
    if (flag.short_name != 0) spellings += fmt::format("|-{}", flag.short_name);
    if (takes_word(flag)) with_word += fmt::format("{}{}", with_word.empty() ? "" : "|", spellings);
    if (const std::string words = values_of(flag); !words.empty())
      values += fmt::format("        {}) values={} ;;\n", spellings, quoted(words));
  }
  return fmt::format(
      "    {})\n      options={}\n      with_word={}\n      runs_program={}\n      case $previous in\n{}     "
      " "
      "esac ;;\n",
      command.name, quoted(options), quoted("@(" + (with_word.empty() ? "-" : with_word) + ")"),
      command.runs_program ? "1" : "''", values);
}

std::string bash_script() {
  std::string out =
      "# bash completion for sextant; made by `sextant completion bash`\n"
      "_sextant() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
      "command=${COMP_WORDS[1]}\n"
      "  local options= values= with_word= runs_program= at extglob\n"
      "  COMPREPLY=()\n"
      "  # --option=value comes as three words\n"
      "  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then "
      "previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
      "  if ((COMP_CWORD == 1)); then\n";
  out += fmt::format("    COMPREPLY=($(compgen -W {} -- \"$current\"))\n    return\n  fi\n",
                     quoted(command_names()));
  out += "  case $command in\n";
  for (const Command& command : commands()) {
    if (command.bit == kHelp || command.bit == kCompletion) continue;
    out += bash_command(command);
  }
  out += fmt::format("    help) COMPREPLY=($(compgen -W {} -- \"$current\")); return ;;\n",
                     quoted(command_names()));
  out += "    completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$current\")); return ;;\n  esac\n";
  out +=
      "  if [[ $runs_program ]]; then\n"
      "    extglob=$(shopt -p extglob)\n"
      "    shopt -s extglob\n"
      "    for ((at = 2; at < COMP_CWORD; ++at)); do\n"
      "      case ${COMP_WORDS[at]} in\n"
      "        --) ((++at)); break ;;\n"
      "        =) ((++at)) ;;\n"
      "        -*) [[ ${COMP_WORDS[at]} == $with_word && ${COMP_WORDS[at+1]} != = ]] && ((++at)) ;;\n"
      "        *) break ;;\n"
      "      esac\n"
      "    done\n"
      "    $extglob\n"
      "    if ((at < COMP_CWORD)); then\n"
      "      if declare -F _command_offset > /dev/null; then _command_offset $at; else compopt -o default; "
      "fi\n"
      "      return\n"
      "    fi\n"
      "  fi\n"
      "  if [[ $values ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
      "  elif [[ $current == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
      "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
      "  else\n"
      "    compopt -o default\n"
      "  fi\n"
      "}\n"
      "complete -F _sextant sextant\n";
  return out;
}

/// "[text]" of _arguments: brackets and colons would end it.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_script() {
  std::string out =
      "#compdef sextant\n"
      "# zsh completion for sextant; made by `sextant completion zsh`\n"
      "_sextant() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const Command& command : commands())
    out += fmt::format("    {}\n", quoted(fmt::format("{}:{}", command.name, command.summary)));
  out +=
      "  )\n"
      "  if ((CURRENT == 2)); then _describe command commands; return; fi\n"
      "  local command=$words[2]\n"
      "  shift words; ((CURRENT--))\n"
      "  case $command in\n";
  for (const Command& command : commands()) {
    out += fmt::format("    {})\n      _arguments -s", command.name);
    for (const Flag& flag : flags()) {
      if (!offered(flag, command)) continue;
      const std::string words = values_of(flag);
      const std::string action =
          words.empty() ? (takes_word(flag) ? "_files" : "") : fmt::format("({})", words);
      std::string value;
      if (takes_word(flag)) value = fmt::format(":{}:{}", zsh_text(flag.argument), action);
      if (flag.kind == ValueKind::kBool) value = fmt::format("::{}:{}", zsh_text(flag.argument), action);
      const std::string text = fmt::format("[{}]{}", zsh_text(first_sentence(flag.help)), value);
      if (flag.short_name != 0)
        out += fmt::format(" \\\n        {}", quoted(fmt::format("*-{}{}", flag.short_name, text)));
      out += fmt::format(" \\\n        {}",
                         quoted(fmt::format("*--{}{}{}", flag.long_name, value.empty() ? "" : "=", text)));
    }
    if (command.runs_program)
      out += " \\\n        '*::program:_normal'";
    else if (command.bit == kCompletion)
      out += " \\\n        '1:shell:(bash zsh fish)'";
    else if (command.bit == kHelp)
      out += fmt::format(" \\\n        '1:command:({})'", command_names());
    else
      out += " \\\n        '*:file:_files'";
    out += " ;;\n";
  }
  return out +
         "  esac\n"
         "}\n"
         "compdef _sextant sextant\n";
}

std::string fish_script() {
  std::string out =
      "# fish completion for sextant; made by `sextant completion fish`\n"
      "complete -c sextant -n __fish_use_subcommand -f\n";
  for (const Command& command : commands())
    out += fmt::format("complete -c sextant -n __fish_use_subcommand -a {} -d {}\n", command.name,
                       quoted(command.summary));
  for (const Command& command : commands()) {
    const std::string when = fmt::format("'__fish_seen_subcommand_from {}'", command.name);
    for (const Flag& flag : flags()) {
      if (!offered(flag, command)) continue;
      out += fmt::format("complete -c sextant -n {} -l {}", when, flag.long_name);
      if (flag.short_name != 0) out += fmt::format(" -s {}", flag.short_name);
      const std::string words = values_of(flag);
      if (takes_word(flag)) out += " -r";
      if (!words.empty() && takes_word(flag)) out += fmt::format(" -f -a {}", quoted(words));
      out += fmt::format(" -d {}\n", quoted(first_sentence(flag.help)));
    }
  }
  out += "complete -c sextant -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
  return out + fmt::format("complete -c sextant -n '__fish_seen_subcommand_from help' -f -a {}\n",
                           quoted(command_names()));
}

}  // namespace

Result<std::string> completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  return fail(ErrorCode::kUsage, fmt::format("no completion for the shell '{}': bash, zsh, fish", shell));
}

}  // namespace sextant::cli
