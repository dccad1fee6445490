# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""A web application for gunicorn: every request is 3 ranges in the worker that answers it; / tells the worker's pid."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import nvtx  # noqa: E402


def application(environ, start_response):
    nvtx.ranges("request", 3)
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"%d\n" % os.getpid()]
