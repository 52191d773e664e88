/* A measure of the present computer: a small interpreter works with memory, branches and an undo log.
 *
 * A unit is a walk of some thousand steps through a program that is made from a seed; it changes cells, counts bits,
 * looks into tables, and takes some of it back, as the native machine does. */
#include <stdint.h>

enum { CELLS = 2048, CODES = 512, STEPS = 4000, LOGGED = 1024 };

static uint32_t cells[CELLS], codes[CODES], log_cell[LOGGED], log_old[LOGGED];

static uint32_t next(uint32_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 17;
  *seed ^= *seed << 5;
  return *seed;
}

static uint32_t walk(uint32_t seed) {
  uint32_t at = 0, sum = 0, logged = 0;
  for (int step = 0; step < STEPS; step++) {
    uint32_t code = codes[at % CODES], cell = (code >> 8 ^ sum) % CELLS, value = cells[cell];
    at++;
    switch (code % 8) {
      case 0: sum += value; break;
      case 1: at += value & 7; break;
      case 2:
        for (uint32_t left = value & 0xFFFF; left; left &= left - 1) sum += cells[(cell + (uint32_t)__builtin_ctz(left)) % CELLS];
        break;
      case 3:
        if (logged == LOGGED) break;
        log_cell[logged] = cell;
        log_old[logged++] = value;
        cells[cell] = next(&seed);
        break;
      case 4:
        for (int back = 0; back < 4 && logged; back++) cells[log_cell[logged - 1]] = log_old[logged - 1], logged--;
        break;
      case 5: if (value > sum) at += code >> 24; break;
      case 6: sum = (uint32_t)((uint64_t)sum * (code | 1) >> 7); break;
      default: sum ^= cells[(cell + value % 37) % CELLS] % 11;
    }
  }
  while (logged) logged--, cells[log_cell[logged]] = log_old[logged];
  return sum;
}

/* Take a number of walks, and return a sum of their results. */
__attribute__((visibility("default"))) uint32_t calibrate(int units) {
  uint32_t seed = 2463534242u, sum = 0;
  for (int one = 0; one < CELLS; one++) cells[one] = next(&seed);
  for (int one = 0; one < CODES; one++) codes[one] = next(&seed);
  for (int unit = 0; unit < units; unit++) sum += walk(next(&seed));
  return sum;
}
