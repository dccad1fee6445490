/* SPDX-FileCopyrightText: The Sextant authors */
/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose lines the test of source_place.cpp knows. Compiled with -g -O0. */
#define NOT_INLINED __attribute__((noinline))

static int g_line;

/* Where this call returns to: just behind the call. */
NOT_INLINED void* return_address(void) {
  return __builtin_return_address(0);
}

/* A frame in itself, and the line of the call that it is in. */
void* example_frame(int* line) {
  void* address = (*line = __LINE__, return_address());
  g_line = *line; /* no tail call */
  return address;
}

static NOT_INLINED void* inner(int* line) {
  void* address = (*line = __LINE__, return_address());
  return address;
}

/* Another function of the same file: together they leave one place for it. */
void* example_inner(int* line) {
  return inner(line);
}

#define R4(x) x x x x
#define R256(x) R4(R4(R4(R4(x))))

/* Larger than a page: alone it leaves several places where the file may be loaded. */
void* example_large(int* line) {
  *line = __LINE__ - 1;
  volatile int sum = 0;
  R256(sum += *line; sum *= 3;)
  return return_address();
}
