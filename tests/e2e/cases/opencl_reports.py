# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""What is told of a recording with OpenCL: the example program computes on PoCL, with faults that have to be found."""
import csv
import io
import json
import re

POCL = "file:/etc/OpenCL/vendors/pocl.icd"


def table(c, report, options=""):
    out = c.run(f"sextant stats -q -f csv -r {report} {options} r.sxt", 0).stdout
    return list(csv.DictReader(io.StringIO(out.strip())))


@case("the faults of the example are found, and its work is told", requires=POCL)
def _(c):
    result = c.run(["sextant", "profile", "-q", "-t", "nvtx,opencl", "-o", "r", c.build + "/examples/pipeline", "2"], exit_code=0)
    steps = int(re.search(r"(\d+) steps in 2 epochs", result.stdout).group(1))
    c.equal(steps, 24, "steps")
    c.expect("computing on" in result.stderr, result.stderr)

    kernels = {row["Name"]: int(row["Instances"]) for row in table(c, "opencl_gpu_kern_sum")}
    c.equal(kernels, dict.fromkeys(("embedding", "attention", "mlp", "backward", "optimizer"), steps), "kernels")
    memory = {row["Operation"]: int(row["Count"]) for row in table(c, "opencl_gpu_mem_time_sum")}
    c.equal(memory, {"[OpenCL write buffer]": 2 * steps, "[OpenCL fill buffer]": steps, "[OpenCL read buffer]": steps}, "memory")
    c.equal({row["Num Calls"] for row in table(c, "opencl_api_sum") if row["Name"] == "clFinish"}, {str(3 * steps)}, "clFinish")
    c.equal(sum(int(row["Count"]) for row in table(c, "opencl_kern_exec_sum")), 5 * steps, "kernels with their launch")
    projected = {row["Range"]: int(row["Total GPU Ops"]) for row in table(c, "nvtx_gpu_proj_sum")}
    c.equal((projected["step"], projected["forward"], projected["backward"]), (9 * steps, 3 * steps, 2 * steps), "projected")
    queues = {row["Queue"]: (int(row["Kernels"]), int(row["Mem Ops"])) for row in table(c, "device_queue_sum")}
    c.equal(queues, {"1": (5 * steps, 3 * steps), "2": (0, steps)}, "queues")
    device, = table(c, "device_overlap_sum")
    c.equal((device["API"], int(device["Kernels"]), int(device["Mem Ops"])), ("OpenCL", 5 * steps, 4 * steps), "device")
    c.equal(table(c, "cuda_gpu_kern_sum"), [], "CUDA's kernels")

    findings = json.loads(c.run("sextant analyze -q --json r.sxt", 0).stdout)["findings"]
    blocking = [f for f in findings if f["rule"] == "opencl_memcpy_sync"]
    c.equal({f["what"].split(" held")[0] for f in blocking},
            {f"{steps} calls of clEnqueueWriteBuffer", f"{steps} calls of clEnqueueReadBuffer"}, "blocking copies")
    waits = [f["what"] for f in findings if f["rule"] == "opencl_api_sync"]
    c.expect(len(waits) == 1 and f"{3 * steps} times in a loop" in waits[0], f"waits: {waits}")
    gaps = [f["gain_at_most_ns"] for f in findings if f["rule"] == "gpu_gaps"]
    c.expect(gaps and max(gaps) >= 700_000_000, f"gaps: {gaps}")


@case("without a platform the example says so and goes on")
def _(c):
    c.env["OCL_ICD_VENDORS"] = c.env["OPENCL_VENDOR_PATH"] = c.path("")
    result = c.run(["sextant", "profile", "-q", "-t", "nvtx,opencl", "-o", "r", c.build + "/examples/pipeline", "2"], exit_code=0)
    c.expect("sleeping instead of computing" in result.stderr and "24 steps" in result.stdout, result.stdout + result.stderr)
    c.equal(table(c, "opencl_gpu_kern_sum"), [], "kernels")
