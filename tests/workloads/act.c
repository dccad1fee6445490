// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// act WORD...: does what the words say, in order; built dynamic, static, static-pie and for another C
// library, so that chains of every kind of program can be written in a test.
//   range NAME N | open NAME | sleep MS | wait (for the end of its input) | print TEXT | exit CODE | signal
//   NUMBER | setenv NAME VALUE | unsetenv NAME exec PROGRAM WORD...     goes on as that program execclean
//   PROGRAM WORD.. the same with an empty environment spawn PROGRAM WORD... ;  starts it by posix_spawn and
//   waits, printing how it ended fork WORD... ;           a child does the words; waits
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nvtx_client.h"

extern char** environ;

static void report_end(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  if (WIFSIGNALED(status))
    printf("child: signal %d\n", WTERMSIG(status));
  else
    printf("child: exit %d\n", WEXITSTATUS(status));
  fflush(stdout);
}

/// Cuts the words before ";" off and returns what follows it; nested lists use their own ";".
static char** end_of_list(char** words) {
  int depth = 0;
  for (; *words; ++words) {
    if (!strcmp(*words, "spawn") || !strcmp(*words, "fork")) ++depth;
    if (!strcmp(*words, ";") && depth-- == 0) {
      *words = 0;
      return words + 1;
    }
  }
  return words;
}

static void act(char** word);

static char** act_once(char** word) {
  const char* what = word[0];
  if (!strcmp(what, "range")) {
    for (int n = atoi(word[2]); n > 0; --n) {
      nvtxRangePushA(word[1]);
      nvtxRangePop();
    }
    return word + 3;
  }
  if (!strcmp(what, "open")) return nvtxRangePushA(word[1]), word + 2;
  if (!strcmp(what, "sleep")) return usleep((useconds_t)atoi(word[1]) * 1000), word + 2;
  if (!strcmp(what, "wait")) {
    char byte;
    while (read(0, &byte, 1) > 0) {
    }
    return word + 1;
  }
  if (!strcmp(what, "print")) return puts(word[1]), fflush(stdout), word + 2;
  if (!strcmp(what, "setenv")) return setenv(word[1], word[2], 1), word + 3;
  if (!strcmp(what, "unsetenv")) return unsetenv(word[1]), word + 2;
  if (!strcmp(what, "exit")) exit(atoi(word[1]));
  if (!strcmp(what, "signal")) return kill(getpid(), atoi(word[1])), word + 2;
  if (!strcmp(what, "exec")) execv(word[1], word + 1);
  if (!strcmp(what, "execclean")) {
    char* none[] = {0};
    execve(word[1], word + 1, none);
  }
  if (!strcmp(what, "spawn") || !strcmp(what, "fork")) {
    char** next = end_of_list(word + 1);
    pid_t pid;
    if (*what == 's') {
      if (posix_spawn(&pid, word[1], 0, 0, word + 1, environ)) exit(96);
    } else if ((pid = fork()) == 0) {
      act(word + 1);
      exit(0);
    }
    report_end(pid);
    return next;
  }
  fprintf(stderr, "act: cannot do %s\n", what);
  exit(95);
}

static void act(char** word) {
  while (*word) word = act_once(word);
}

int main(int argc, char** argv) {
  (void)argc;
  act(argv + 1);
  return 0;
}
