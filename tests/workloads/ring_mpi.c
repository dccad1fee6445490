// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// An MPI job: a number goes round a ring of ranks 10 times; each turn is a range `turn`, on rank 0 also
// `lap`. With an argument each rank then has a range that sleeps that many milliseconds. Built where mpicc is
// installed.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "nvtx_client.h"
#include "slept.h"

int main(int argc, char** argv) {
  int rank = 0, ranks = 0, token = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int lap = 0; lap < 10; ++lap) {
    if (rank == 0) nvtxRangePushA("lap");
    nvtxRangePushA("turn");
    if (rank != 0) MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ++token;
    MPI_Send(&token, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&token, 1, MPI_INT, ranks - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    nvtxRangePop();
    if (rank == 0) nvtxRangePop();
  }
  if (rank == 0) printf("%d\n", token);
  if (argc > 1) {
    struct Slept slept = {now_ns(), 0, 0, 0};
    nvtxRangePushA("sleep");
    sleep_in_range(&slept, atol(argv[1]));
    nvtxRangePop();
    print_slept(&slept);
  }
  MPI_Finalize();
  return 0;
}
