#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Refuses files over 1000 lines and functions over 100.

  check_sizes.py [ROOT]

Looks at C, C++, Python, shell and CMake files outside build/. ALLOWED lists exceptions, each with its reason.
Exit code 1 with one line for each offence; an exception that is no longer needed is an offence too.
"""
import ast
import os
import re
import sys

MAX_FILE_LINES = 1000
MAX_FUNCTION_LINES = 100

# path -> reason (whole file), or (path, function) -> reason
ALLOWED = {
    ("src/stats/cuda_reports_test.cpp", "cases"): "a table of reports and the rows that they must print",
}

C_FAMILY = (".h", ".hpp", ".c", ".cc", ".cpp")
TEXT_KINDS = C_FAMILY + (".py", ".sh", ".cmake")
SKIPPED_FOLDERS = {".git", "build", ".cache", "node_modules", "__pycache__", "corpus", "third_party"}


def source_files(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS)
        for file in sorted(files):
            path = os.path.join(folder, file)
            if file.endswith(TEXT_KINDS) or file == "CMakeLists.txt" or (
                    "." not in file and os.access(path, os.X_OK) and is_script(path)):
                yield path


def is_script(path):
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def blank_literals(text):
    """Comments, strings, character literals and preprocessor lines replaced by spaces; line breaks stay."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])\'(?:\\.|[^\'\\\n])+\''
        r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.S | re.M)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)


def c_functions(text):
    """(name, first line, lines) of every function body in a C or C++ file"""
    text = blank_literals(text)
    stack, head_start, found = [], 0, []
    for match in re.finditer(r"[{};]", text):
        symbol, at = match.group(0), match.start()
        if symbol == "{":
            inside = stack[-1][0] if stack else "namespace"
            stack.append((classify(text[head_start:at], inside), head_start, at))
        elif symbol == "}" and stack:
            kind, start, opened = stack.pop()
            if kind == "function":
                head = re.sub(r"\b(public|private|protected)\s*:(?!:)", lambda m: " " * len(m.group(0)), text[start:opened])
                first = text.count("\n", 0, start + len(head) - len(head.lstrip())) + 1
                last = text.count("\n", 0, at) + 1
                found.append((function_name(head), first, last - first + 1))
        head_start = match.end()
    return found


def classify(head, inside):
    if inside in ("function", "block"):
        return "block"
    if re.search(r"\bnamespace\b|\bextern\s*$", head):
        return "namespace"
    if re.search(r"\b(class|struct|union|enum)\b[^()]*$", head):
        return "type"
    return "function" if ")" in head and not re.search(r"=\s*$", head) else "block"


def function_name(head):
    names = re.findall(r"(~?[\w:]+|operator\s*[^\s(]+)\s*\(", head)
    return names[0] if names else "(unnamed)"


def python_functions(text):
    return [(node.name, node.lineno, node.end_lineno - node.lineno + 1) for node in ast.walk(ast.parse(text))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def check(root, allowed=None):
    allowed = ALLOWED if allowed is None else allowed
    offences, used = [], set()

    def offend(key, text):
        if key in allowed:
            used.add(key)
        else:
            offences.append(text)

    for path in source_files(root):
        where = os.path.relpath(path, root)
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        lines = text.count("\n")
        if lines > MAX_FILE_LINES:
            offend(where, f"{where}: {lines} lines, more than {MAX_FILE_LINES}: split it by what it is for")
        functions = c_functions(text) if path.endswith(C_FAMILY) else python_functions(text) if path.endswith(".py") else []
        for name, first, length in functions:
            if length > MAX_FUNCTION_LINES:
                offend((where, name), f"{where}:{first}: {name} has {length} lines, more than {MAX_FUNCTION_LINES}")
    for key in allowed:
        if key not in used:
            offences.append(f"tools/check_sizes.py: the exception for {key} is not needed any more")
    return offences


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    offences = check(root)
    for offence in offences:
        print(offence)
    print(f"check_sizes: {len(offences)} offence(s)" if offences else "check_sizes: all files and functions are small enough")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
