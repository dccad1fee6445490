#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
#
# probe_test.sh PROBE FAKE_LIBRARY   what sextant-probe prints with made-up libraries, with ones that fail, with none
set -euo pipefail
probe=$1 fake=$2
folder=$(dirname "$fake")
failed=0

check() {
  if [[ $2 != "$3" ]]; then
    printf 'FAILED %s\n--- wanted\n%s\n--- got\n%s\n' "$1" "$3" "$2"
    failed=1
  fi
}

check "two GPUs and a lost one" "$(LD_LIBRARY_PATH=$folder "$probe" nvml)" "driver 550.54.15
gpu NVIDIA H100 80GB HBM3
architecture 9
brand 14
mig 1
virtualization 1
process compute 4711
process compute 4712
gpu Tesla T4
architecture 6
brand 2
virtualization 1
gpu 
problem GPU 2: NVML error 15"
check "no processes in old versions" "$(FAKE_NVML=old LD_LIBRARY_PATH=$folder "$probe" nvml | grep -c process || true)" 0
check "NVML that does not start" "$(FAKE_NVML=error LD_LIBRARY_PATH=$folder "$probe" nvml)" "problem NVML does not start: error 9"
if [[ -z $(ldconfig -p 2>/dev/null | grep libnvidia-ml.so.1) && ! -e /usr/lib/wsl/lib/libnvidia-ml.so.1 ]]; then
  [[ $("$probe" nvml) == "problem "*libnvidia-ml.so.1* ]] || { echo "FAILED no library: $("$probe" nvml)"; failed=1; }
fi
counters() { LD_LIBRARY_PATH=$folder "$probe" counters "$folder/libcupti.so"; }
check "counters that open are closed at once" "$(counters)" "counters 0 0
closed
counters 1 0
closed"
check "counters that are busy" "$(FAKE_CUPTI=26 counters)" "counters 0 26
counters 1 26"
check "CUDA that does not start" "$(FAKE_CUDA=100 counters)" "problem CUDA does not start: error 100"
check "a libcupti without metrics over time" "$(LD_LIBRARY_PATH=$folder "$probe" counters "$fake")" \
  "problem this libcupti has no metrics over time: CUDA 12.6 or later has"
if "$probe" 2>/dev/null; then echo "FAILED wrong usage is no error"; failed=1; fi
exit $failed
