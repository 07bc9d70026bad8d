#pragma once

#include <stdio.h>
#include <string.h>

#include "CBench.h"

/* Calls `each` for the rows of a file that `bench rows` wrote. */
static void read_rows(const char *path, void (*each)(const struct bench_row *row)) {
  struct bench_row rows[4096];
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  size_t count;
  while ((count = fread(rows, sizeof *rows, 4096, file)))
    for (size_t index = 0; index < count; index++) each(&rows[index]);
  fclose(file);
}

static void show(const char *name, void (*body)(void), void (*rest)(void)) {
  double median, most;
  bench_percentiles(body, rest, &median, &most);
  printf("%s\t%f\t%f\n", name, median, most);
}
