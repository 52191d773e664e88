/* The functions called from outside. A game is at a decision: a player's, or of chance; or it is over, or lost. */

#include <stdlib.h>

#define PUBLIC __attribute__((visibility("default")))

PUBLIC void game_free(Game *g) {
  free(g->r.orders);
  free(g->paths);
  free(g);
}

PUBLIC Game *game_new(const int32_t *sheets) {
  Game *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  g->paths = malloc(MOST_OPTIONS * sizeof *g->paths);
  g->r.orders = malloc((size_t)(2 * MOST_ORDERED) * CELLS * sizeof *g->r.orders);
  if (!g->paths || !g->r.orders) {
    game_free(g);
    return NULL;
  }
  g->r.sheets = sheets;
  g->r.entered = g->entered;
  g->random = 1;
  g->weigher = -1;
  forget_all(&g->r);
  return g;
}

/* Settle the outcomes of chance that the machine itself draws. */
static void seed_draws(Game *g, uint64_t seed) {
  g->random = (seed + 1) * 0x9E3779B97F4A7C15ull;
  if (!g->random) g->random = 1;
  for (int times = 0; times < 8; times++) draw(g, 2);
}

PUBLIC int game_state(const Game *g) { return g->state; }

PUBLIC int game_unfit(const Game *g) { return (int)g->r.unfit; }

PUBLIC void game_put_memory(Game *g, const int32_t *cells) {
  memcpy(g->r.m, cells, sizeof g->r.m);
  derive(&g->r);
}

PUBLIC const int32_t *game_memory(const Game *g) { return g->r.m; }

/* Restore a stack, at its frame `fp`, before the instruction at a place. */
PUBLIC void game_put_stack(Game *g, const int32_t *cells, int count, int fp, int place) {
  forget_all(&g->r);
  memcpy(g->r.st, cells, (size_t)count * sizeof *cells);
  g->r.fp = fp;
  g->r.pc = place;
}

/* Put a game at its end, after its memory was loaded. */
PUBLIC int game_put_ended(Game *g) {
  forget_all(&g->r);
  return g->state = OVER;
}

/* Run on to the next decision. */
static int go_on(Game *g) {
  int stop = go(&g->r);
  look_again(&g->r);
  return advance(g, stop);
}

PUBLIC int game_go_on(Game *g) {
  go_on(g);
  unwatch();
  return g->state;
}

/* Write the frames, the innermost first: routine, instruction, and the first of the variables. */
PUBLIC int game_frames(const Game *g, int32_t *out) {
  int count = 0;
  for (int fp = g->r.fp, pc = g->r.pc; fp >= 0; pc = g->r.st[fp + 1], fp = g->r.st[fp], count++) {
    out[3 * count] = routine_at[pc];
    out[3 * count + 1] = instruction_at[pc];
    out[3 * count + 2] = fp + HEADER;
  }
  return count;
}

PUBLIC const int32_t *game_stack(const Game *g) { return g->r.st; }

PUBLIC int game_decider(Game *g) { return decider(&g->r); }

PUBLIC int game_options(const Game *g) { return (int)g->found; }

/* Write the candidates that an option takes, followed by its act; return their number. */
PUBLIC int game_option(const Game *g, int number, int32_t *out) {
  const Path *one = &g->paths[number];
  memcpy(out, one->taken, (size_t)one->count * sizeof *out);
  out[one->count] = one->act;
  return one->count;
}

static int take(Game *g, int number) {
  const Path *one = &g->paths[number];
  return advance(g, follow(&g->r, one->taken, one->count));
}

PUBLIC int game_take(Game *g, int number) {
  take(g, number);
  unwatch();
  return g->state;
}

PUBLIC int game_outcomes(const Game *g, int32_t *outcomes, int32_t *weights) {
  memcpy(outcomes, g->outcome, (size_t)g->outcomes * sizeof *outcomes);
  memcpy(weights, g->weight, (size_t)g->outcomes * sizeof *weights);
  return g->outcomes;
}

static int take_outcome(Game *g, int outcome) {
  int32_t one = outcome;
  return advance(g, follow(&g->r, &one, 1));
}

PUBLIC int game_roll(Game *g, int outcome) {
  take_outcome(g, outcome);
  unwatch();
  return g->state;
}

/* List the options of the present decision again. */
static int look(Game *g) {
  if (g->state == OVER || g->state == LOST) return g->state;
  return advance(g, go(&g->r));
}

/* Play on at random, taking an option of a favourite act whenever there is one; return the number of decisions. */
static int play(Game *g, int cap) {
  R *r = &g->r;
  r->draws = cap;
  while (r->draws > 0 && (g->state == PLAYER || g->state == DICE)) {
    r->draws--;
    if (g->state == DICE)
      take_outcome(g, draw_outcome(g));
    else
      advance(g, follow(r, g->best.taken, g->best.count));
  }
  int decisions = cap - r->draws;
  r->draws = 0;
  return decisions;
}

/* Write the result of a game: state, winner, decisions, rounds, turns. */
enum { TOLD = 5 };

static void tell(const Game *g, int decisions, int32_t *out) {
  out[0] = g->state;
  out[1] = g->r.m[WINNER];
  out[2] = decisions;
  out[3] = g->r.m[ROUND];
  out[4] = g->r.m[TURN];
}

/* Play whole games from a setup. */
PUBLIC void game_playouts(
    Game *g, const int32_t *cells, int setup, int favourite, int cap, const uint64_t *seeds, int games, int32_t *out) {
  watch();
  g->keeps = DRAWN;
  g->favourite = favourite;
  game_put_memory(g, cells);
  memcpy(g->start, g->r.m, sizeof g->start);
  for (int number = 0; number < games; number++) {
    int decisions = 0;
    if (signalled) {
      out[TOLD * number] = LOST;
      continue;
    }
    seed_draws(g, seeds[number]);
    memcpy(g->r.m, g->start, sizeof g->start);
    if (set_up(g, setup_places[setup]) != LOST && begin_play(g) != LOST) decisions = play(g, cap);
    tell(g, decisions, out + TOLD * number);
  }
  g->keeps = EACH;
  unwatch();
}

#ifdef TRAINED
extern void __gcov_dump(void);

/* Write down, for the compiler, how often all code was carried out. */
PUBLIC void game_trained(void) { __gcov_dump(); }
#endif

#ifdef PROBED
PUBLIC uint64_t *game_counters(void) { return counters; }
PUBLIC int game_counter_count(void) { return PROBED; }
#endif

#include "held.c"
#include "valued.c"
#include "games.c"
#include "search.c"
#include "lanes.c"
#include "batch.c"
#include "perft.c"
