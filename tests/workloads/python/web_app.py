# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""A web application for gunicorn: every request is 3 ranges in the worker that answers it, and the answer is the worker's
pid. /sleep is a range that sleeps instead, and says how long it did."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import nvtx  # noqa: E402


def application(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    if environ["PATH_INFO"] == "/sleep":
        return [b"slept %d %d\n" % nvtx.sleep("sleep", 0.05)]
    nvtx.ranges("request", 3)
    return [b"%d\n" % os.getpid()]
