#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Refuses includes that the layering does not allow.

  check_layers.py [ROOT]

Reads the DEPS of every sextant_library() and sextant_declares() in ROOT/src and every `#include "folder/..."` below it. A folder may include
itself, what it declares, and what those declare. Special rules:
  cli/    uses everything but agent/: it is where all meet
  agent/  uses base, event, and of spool only layouts, writer, filter and launcher: nothing of the reader's side runs in a target
  tests   (*_test.cpp) may also use what target_link_libraries(unit_NAME ...) of their folder names
Exit code 1 with one line for each offence.
"""
import os
import re
import sys

LIBRARY = re.compile(r"\bsextant_(?:library|declares)\s*\(\s*(\w+)([^)]*)\)")
TEST_LINK = re.compile(r"target_link_libraries\s*\(\s*unit_(\w+)\s+([^)]*)\)")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
SOURCES = (".h", ".cpp", ".cc", ".c", ".inc", ".S")
AGENT_MAY = {"agent", "base", "event", "spool"}
AGENT_SPOOL = re.compile(r"spool/\w*(format|writer|filter|launcher|opencl)\w*\.(h|def)$")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def declared(src):
    """folder -> set of declared folders; folder -> extra folders of its tests"""
    deps, test_deps = {}, {}
    for folder, _, files in os.walk(src):
        if "CMakeLists.txt" not in files:
            continue
        text = re.sub(r"#[^\n]*", "", read(os.path.join(folder, "CMakeLists.txt")))
        for name, arguments in LIBRARY.findall(text):
            # DEPS a b c, up to the next keyword (in capitals)
            listed = re.search(r"\bDEPS\b((?:\s+[a-z]\w*)*)", arguments)
            deps[name] = set(listed.group(1).split()) if listed else set()
        for name, listed in TEST_LINK.findall(text):
            test_deps.setdefault(name, set()).update(re.findall(r"\bsextant_(\w+)", listed))
    return deps, test_deps


def find_cycle(deps):
    done, path = set(), []

    def visit(name):
        if name in path:
            return path[path.index(name):] + [name]
        if name in done:
            return None
        path.append(name)
        for dep in sorted(deps.get(name, ())):
            cycle = visit(dep)
            if cycle:
                return cycle
        path.pop()
        done.add(name)
        return None

    for name in sorted(deps):
        cycle = visit(name)
        if cycle:
            return cycle
    return None


def reachable(start, deps):
    seen, todo = set(), list(start)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(deps.get(name, ()))
    return seen


def check(root):
    src = os.path.join(root, "src")
    deps, test_deps = declared(src)
    offences = []
    cycle = find_cycle(deps)
    if cycle:
        offences.append("src: the declared dependencies go in a circle: " + " -> ".join(cycle))
    for name in sorted(deps):
        for dep in sorted(deps[name]):
            if dep not in deps:
                offences.append(f"src/{name}/CMakeLists.txt: DEPS names {dep}, which is no library")
            elif dep == "agent":
                offences.append(f"src/{name}/CMakeLists.txt: nothing may depend on the agent")
    folders = {f for f in os.listdir(src) if os.path.isdir(os.path.join(src, f))}
    for folder, _, files in sorted(os.walk(src)):
        for file in sorted(files):
            if not file.endswith(SOURCES):
                continue
            path = os.path.join(folder, file)
            where = os.path.relpath(path, root)
            layer = os.path.relpath(path, src).split(os.sep)[0]
            if layer not in folders:
                offences.append(f"{where}: a source file outside the folders of src/")
                continue
            is_test = "_test." in file
            text = read(path)
            for match in INCLUDE.finditer(text):
                why = refusal(layer, match.group(1), is_test, folders, deps, test_deps)
                if why:
                    line = text.count("\n", 0, match.start(1)) + 1
                    offences.append(f"{where}:{line}: {why}")
    return offences


def refusal(layer, include, is_test, folders, deps, test_deps):
    """Why `layer` may not include this path, or None"""
    target = include.split("/")[0]
    if "/" not in include or target not in folders:
        if include.startswith("sextant/"):
            return None
        return f'"{include}" is not rooted at src/ (or use <...> for what is not ours)'
    if target == layer:
        return None
    if target in ("agent", "cli") and not (is_test and target in test_deps.get(layer, ())):
        return f"{layer} may not include {include}: nothing includes {target}/"
    if layer == "cli":
        return None
    if layer == "agent":
        if is_test:
            return None
        if target not in AGENT_MAY:
            return f"agent may not include {include}: only base, event, spool/format and spool/writer run in a target"
        if target == "spool" and not AGENT_SPOOL.search(include):
            return f"agent may not include {include}: only spool's format and writer run in a target"
        return None
    if layer not in deps:
        return f"src/{layer} has no sextant_library() or sextant_declares() that declares what it uses"
    start = set(deps[layer]) | (test_deps.get(layer, set()) if is_test else set())
    if target not in reachable(start, deps):
        return f"{layer} may not include {include}: {target} is not in its DEPS"
    return None


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    offences = check(root)
    for offence in offences:
        print(offence)
    print(f"check_layers: {len(offences)} offence(s)" if offences else "check_layers: all includes are declared")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
