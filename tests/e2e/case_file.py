# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""Cases written as lines of text (README.md has the table)."""
import re
import shlex


class BadCase(Exception):
    pass


class TextCase:
    def __init__(self, name, where):
        self.name, self.where = name, where
        self.requires, self.full, self.timeout = [], False, 60
        self.steps = []  # (keyword, text)

    def run(self, case):
        result, wanted_exit = None, 0

        def check_exit():
            if result is not None:
                case.equal(result.code, wanted_exit, "exit code")

        for keyword, text in self.steps:
            if keyword in ("SETUP", "CHECK"):
                if keyword == "CHECK":
                    check_exit()
                done = case.run(text)
                case.expect(done.code == 0, f"{keyword} {text}: exit code {done.code}\n{done.stdout}{done.stderr}")
            elif keyword == "RUN":
                check_exit()
                result, wanted_exit = case.run(text), 0
            elif keyword == "EXIT":
                wanted_exit = int(text)
            elif keyword == "EXPECT_SAME_OUTPUT":
                check_exit()
                result = case.same_output(text)
                wanted_exit = result.code
            else:
                self.look(case, result, keyword, text)
        check_exit()

    @staticmethod
    def look(case, result, keyword, text):
        if keyword in ("EXPECT", "EXPECT_NOT", "EXPECT_STDERR", "EXPECT_STDERR_NOT"):
            where = result.stderr if "STDERR" in keyword else result.stdout
            found = re.search(text, where, re.M) is not None
            case.expect(found != keyword.endswith("NOT"), f"{keyword} {text}; got:\n{where[-4000:]}")
        elif keyword == "EXPECT_FILE":
            path, pattern = text.split(None, 1)
            with open(case.path(path), errors="replace") as f:
                content = f.read()
            case.expect(re.search(pattern, content, re.M), f"{keyword} {text}; got:\n{content[-4000:]}")
        elif keyword == "EXPECT_RANGES":
            words, file = split_file(text)
            case.expect_ranges(int(words[0]), " ".join(words[1:]) or None, file)
        elif keyword == "EXPECT_TABLE":
            words, file = split_file(text)
            conditions = []
            for word in words[1:]:
                match = re.match(r"([^=~]+)([=~])(.*)$", word, re.S)
                case.expect(match, f"no column=value: {word}")
                conditions.append(match.groups())
            case.expect_row(words[0], conditions, file)


def split_file(text):
    words = shlex.split(text)
    if len(words) > 2 and words[-2] == "in":
        return words[:-2], words[-1]
    return words, "r.sxt"


STEPS = ("SETUP RUN EXIT EXPECT EXPECT_NOT EXPECT_STDERR EXPECT_STDERR_NOT EXPECT_FILE EXPECT_RANGES EXPECT_TABLE "
         "EXPECT_SAME_OUTPUT CHECK").split()


def parse(path):
    """The cases of a file. A line that ends with a backslash goes on in the next."""
    cases = []
    with open(path) as f:
        lines = f.read().replace("\\\n", " ").split("\n")
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        keyword, _, text = line.partition(" ")
        text = text.strip()
        if keyword == "NAME":
            cases.append(TextCase(text, f"{path}:{number}"))
        elif not cases:
            raise BadCase(f"{path}:{number}: a case begins with NAME")
        elif keyword == "REQUIRES":
            cases[-1].requires += text.split()
        elif keyword == "LABEL" and text == "full":
            cases[-1].full = True
        elif keyword == "TIMEOUT":
            cases[-1].timeout = float(text)
        elif keyword in STEPS:
            cases[-1].steps.append((keyword, text))
        else:
            raise BadCase(f"{path}:{number}: no such line: {keyword}")
    return cases
