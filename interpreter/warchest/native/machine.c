/* The native machine: it carries out the code of the units, looks ahead, and lists or draws options.
 *
 * The definitions of the game (see generate.py) and unit.h precede this file. */

#include <stdlib.h>

#include "signals.c"

/* ---- tables of the routines */

int16_t routine_at[UNITS << UNIT_BITS];
static int16_t instruction_at[UNITS << UNIT_BITS];
static int32_t take_at[UNITS << UNIT_BITS], plain_at[UNITS << UNIT_BITS];
static int8_t failure_at[UNITS << UNIT_BITS], behind_at[UNITS << UNIT_BITS];
static uint32_t dead_at[UNITS << UNIT_BITS];
static uint16_t flags_at[UNITS << UNIT_BITS];

enum { NEVER, YIELDS, MAY };

static __attribute__((constructor)) void know_places(void) {
  for (int unit = 0; unit < UNITS; unit++)
    for (int slot = 0; slot < units[unit]->count; slot++) {
      const Place *one = &units[unit]->places[slot];
      int place = unit << UNIT_BITS | slot;
      routine_at[place] = one->routine;
      instruction_at[place] = one->instruction;
      failure_at[place] = one->failure;
      behind_at[place] = one->behind;
      flags_at[place] = (uint16_t)(one->flags | (routine_is_hook[one->routine] ? IN_ANSWER : 0));
      dead_at[place] = one->dead;
      take_at[place] = one->take;
      plain_at[place] = one->plain;
    }
}

#ifdef PROBED
uint64_t counters[PROBED];
#endif

#define UNIT_AT(r) units[(r)->pc >> UNIT_BITS]

/* ---- undo */

enum { BLOCK = 8 };

/* Copy cells, in blocks; cells after the last one may be overwritten. */
static inline void copy_cells(int32_t *restrict to, const int32_t *restrict from, int count) {
  for (int at = 0; at < count; at += BLOCK) memcpy(to + at, from + at, BLOCK * sizeof *to);
}

/* Save a frame; the frames above it may change freely from then on. Return whether there was room for it. */
static inline int keep_frame(R *r, int fp, int routine) {
  int size = HEADER + routine_size[routine];
  if (r->saved > SAVED - size - BLOCK - 2) {
    r->unfit |= UNFIT_DEEP;
    return 0;
  }
  int32_t *to = r->kept + r->saved;
  copy_cells(to, r->st + fp, size);
  to[size] = fp;
  to[size + 1] = size;
  r->saved += size + 2;
  return 1;
}

void save_frame(R *r, int fp, int routine) {
  keep_frame(r, fp, routine);
  r->floor = fp;
}

/* Copy cells, and none after the last one. */
static inline void copy_exactly(int32_t *restrict to, const int32_t *restrict from, int count) {
  if (count >= BLOCK) {
    /* The last block overlaps the one before it. */
    copy_cells(to, from, count - BLOCK);
    memcpy(to + count - BLOCK, from + count - BLOCK, BLOCK * sizeof *to);
  } else {
    for (int at = 0; at < count; at++) to[at] = from[at];
  }
}

static inline void bring_frame(R *r, int end) {
  const int32_t *to = r->kept + end;
  int fp = to[-2], size = to[-1];
#ifdef CHECK
  if (fp < 0 || size < HEADER || end < size + 2 || fp + size > STACK + LOOKED) abort();
#endif
  const int32_t *from = to - 2 - size;
  copy_exactly(r->st + fp, from, size);
}

#ifdef CHECK
#include <stdio.h>

static void check_undone(const R *r, const Mark *here) {
  const int32_t *m = here->copy, *st = here->copy + CELLS;
  int size = here->fp < 0 ? 0 : here->fp + HEADER + routine_size[routine_at[here->pc]];
  int same = !memcmp(r->m, m, sizeof r->m) && !memcmp(r->st, st, (size_t)size * sizeof *r->st);
  if (same && r->changed == here->changed && r->saved == here->saved) return;
  int cell = 0, at = 0;
  while (cell < CELLS && r->m[cell] == m[cell]) cell++;
  while (at < size && r->st[at] == st[at]) at++;
  fprintf(stderr, "not taken back in routine %d, instruction %d: cell %d of %d, %d of the stack (the frame is at %d)\n",
          here->fp < 0 ? -1 : routine_at[here->pc], instruction_at[here->pc], cell, CELLS, at, here->fp);
  abort();
}
#endif

void mark(R *r, Mark *here, int fp, int pc) {
#ifdef CHECK
  size_t size = fp < 0 ? 0 : (size_t)(fp + HEADER + routine_size[routine_at[pc]]);
  here->copy = malloc(sizeof r->m + size * sizeof *r->st);
  memcpy(here->copy, r->m, sizeof r->m);
  memcpy(here->copy + CELLS, r->st, size * sizeof *r->st);
#endif
  here->fp = fp;
  here->pc = pc;
  here->in_option = r->in_option;
  here->first = r->first;
  here->said = r->said;
  here->anyones = r->anyones;
  here->changed = r->changed;
  here->floor = r->floor;
  here->kept = fp >= 0 && keep_frame(r, fp, routine_at[pc]);
  here->saved = r->saved;
  r->floor = fp;
}

void undo(R *r, const Mark *here) {
  r->fp = here->fp;
  r->pc = here->pc;
  r->in_option = here->in_option;
  r->first = here->first;
  r->said = here->said;
  r->anyones = here->anyones;
  if (r->changed != here->changed) unwind(r, here->changed);
  while (r->saved > here->saved) {
    bring_frame(r, r->saved);
    r->saved -= 2 + r->kept[r->saved - 1];
  }
  if (here->kept) bring_frame(r, here->saved);
  r->floor = here->fp;
#ifdef CHECK
  if (!r->unfit) check_undone(r, here);
#endif
}

void release(R *r, const Mark *here) {
#ifdef CHECK
  free(here->copy);
#endif
  r->saved = here->saved;
  if (here->kept) r->saved -= 2 + r->kept[r->saved - 1];
  r->floor = here->floor;
}

/* ---- failures */

int can_fail(const R *r, int fp, int pc) {
  int failure = failure_at[pc];
  return failure == MAY || (failure == NEVER && r->st[fp + HEADER + FAILS]);
}

/* Whether later work can fail, after the choice point of the run. */
static int can_fail_behind(const R *r) {
  int failure = behind_at[r->pc];
  return failure == MAY || (failure == NEVER && r->st[r->fp + HEADER + FAILS]);
}

int is_games_own(const R *r, int fp, int cur) {
  do
    if (!routine_is_games[cur]) return 0;
  while (descend(r, &fp, &cur));
  return 1;
}

/* ---- carrying out */

/* Whether the work under way must end because of a signal; from time to time the machine checks for one. */
static inline int interrupted(R *r) {
  enum { EVERY = 4096 };
  return signalled || (!(++r->passes & (EVERY - 1)) && watch());
}

static int go(R *r) {
  if (r->m[ENDED] || r->fp < 0) return DONE;
  if (interrupted(r)) {
    r->unfit |= UNFIT_SIGNAL;
    return GIVEN_UP;
  }
  int stop;
  do stop = UNIT_AT(r)->run(r);
  while (stop == ELSEWHERE);
  return stop;
}

/* Take a candidate at the choice point of the run, and go on. */
static inline int resume(R *r, int candidate, int mode) {
  if (r->m[MUST_ASK]) set(r, MUST_ASK, 0);
  r->candidate = candidate;
  r->mode = mode;
  r->pc = take_at[r->pc];
  return go(r);
}

#include "trials.c"

/* ---- hooks */

static void settle_scratch(int32_t *m) {
  for (unsigned number = 0; number < sizeof scratch / sizeof *scratch; number++) m[scratch[number]] = 0;
}

/* Whether two orders of the waiting hooks lead to different states, or a choice is made on the way. The variables in
 * the set `numbers`, all below 32, are numbers of the event, which hooks can change. */
int hook_matters(R *r, int fp, int here, int fails, int32_t *e, int queue, uint32_t numbers, int size, NextHook *next) {
  int32_t first[32];
  int differs = 0, count = e[queue], played_fp = r->played_fp, played_pc = r->played_pc;
  if (r->ordered == MOST_ORDERED) {
    r->unfit |= UNFIT_DEEP;
    return 0;
  }
  int32_t *end = r->orders + (size_t)(2 * r->ordered++) * CELLS, *now = end + CELLS;
  for (int number = 0; number < count && !differs && !r->unfit; number++) {
    Mark start;
    mark(r, &start, fp, here);
    look_ahead(r, 1);
    r->played_fp = fp;
    r->played_pc = here;
    int begun = next(r, fp, here, fails, e, number);
    r->fp = begun == here ? fp : fp + size + HEADER;
    r->pc = begun;
    if (go(r) != PLAYED) {
      differs = 1;
    } else {
      int32_t *to = number ? now : end;
      memcpy(to, r->m, sizeof r->m);
      settle_scratch(to);
      differs = number && memcmp(now, end, sizeof r->m);
      for (int place = 0; place < 32; place++) {
        if (!(numbers >> place & 1)) continue;
        if (!number) first[place] = e[place];
        differs |= e[place] != first[place];
      }
    }
    look_ahead(r, -1);
    r->played_fp = played_fp;
    r->played_pc = played_pc;
    undo(r, &start);
    release(r, &start);
  }
  r->ordered--;
  return differs;
}

/* Return the player who decides about an answer whose offer names no player: the player whose document gives it; for
 * a rule of the game, the affected player. */
int whose_answer(const R *r, int bearer, int affected) {
  if (bearer >= 0) return r->m[PIECES + DECIDER + bearer * STRIDE];
  return bearer == -1 || !CODES_FIT ? affected : was_once(bearer, W_DECIDER, PLAYERS + 1, 1);
}

/* Return the number of answers that are decided next: all that wait, if they are offers to one player. */
int answers_asked(R *r, const int32_t *e, const int32_t *queue, Whose *whose) {
  int first = whose(r, e, queue[1], queue[2]);
  for (int number = 0; number < queue[0]; number++) {
    int hook = queue[1 + 2 * number];
    if (!hook_is_optional[hook] || whose(r, e, hook, queue[2 + 2 * number]) != first) return 1;
  }
  return queue[0];
}

/* Whether a state rule is already being carried out for a thing. */
int is_settling(const R *r, int fp, int routine, int thing) {
  int cur = 0;
  while (descend(r, &fp, &cur))
    if (cur == routine && r->st[fp + HEADER + AGENT + 1] == thing) return 1;
  return 0;
}

/* Whether the event comes from this very answer. */
int is_under_way(const R *r, int fp, int hook, int bearer) {
  int cur = 0;
  while (descend(r, &fp, &cur))
    if (cur == hook_routine[hook] && r->st[fp + HEADER] == bearer) return 1;
  return 0;
}

/* Whether the event that ordered this one is no event of some verbs, by the same agent. */
int is_outermost(const R *r, int fp, const uint32_t *verbs, int agent) {
  int cur = 0;
  while (descend(r, &fp, &cur)) {
    if (routine_is_hook[cur]) return 1;
    int verb = routine_event[cur];
    if (verb >= 0 && verbs[verb >> 5] >> (verb & 31) & 1 && r->st[fp + HEADER + AGENT] == agent) return 0;
  }
  return 1;
}

void put_first(int32_t *queue, int which) {
  int32_t hook = queue[1 + 2 * which], bearer = queue[2 + 2 * which];
  memmove(queue + 3, queue + 1, (size_t)which * 2 * sizeof *queue);
  queue[1] = hook;
  queue[2] = bearer;
}

#include "options.c"

/* ---- chance: equal things are one outcome */

/* The greatest sum of the weights of all outcomes. */
enum { MOST_WEIGHT = INT32_MAX };

/* Whether an outcome can be drawn if the weights of all have this sum; otherwise the machine gives up. */
static int can_draw(R *r, int64_t all) {
  if (all > 0 && all <= MOST_WEIGHT) return 1;
  r->unfit |= UNFIT_NUMBER;
  return 0;
}

/* Return the weight of a candidate of chance: tokens count by their number. */
static inline int weight_of(const R *r, int candidate) {
  return flags_at[r->pc] & TOKEN ? r->m[TOKENS + candidate] : 1;
}

static void find_outcomes(Game *g, int tokens) {
  R *r = &g->r;
  int outcomes = 0;
  const int32_t *candidates = r->candidates + r->first;
  uint64_t seen[LONGS] = {0};
  int64_t all = 0;
  for (int number = 0, count = r->count; number < count; number++) {
    int one = candidates[number], weight = tokens ? r->m[TOKENS + one] : 1, same = outcomes;
    int document = tokens ? document_of(one) : 0;
    if (tokens && !(seen[document >> 6] >> (document & 63) & 1))
      seen[document >> 6] |= 1ull << (document & 63);
    else
      for (same = 0; same < outcomes && (tokens ? document_of(g->outcome[same]) != document : g->outcome[same] != one);)
        same++;
    all += weight;
    if (all > MOST_WEIGHT) break;
    if (same < outcomes) {
      g->weight[same] += weight;
    } else if (same == MOST_CANDIDATES) {
      r->unfit |= UNFIT_OPTIONS;
    } else {
      g->outcome[outcomes] = one;
      g->weight[outcomes++] = weight;
    }
  }
  g->all = can_draw(r, all) ? (int)all : 0;
  g->outcomes = outcomes;
}

static int draw_outcome(Game *g) {
  int number = 0;
  for (int left = (int)draw(g, (uint32_t)g->all); number < g->outcomes - 1 && left >= g->weight[number]; number++)
    left -= g->weight[number];
  return g->outcome[number];
}

/* Draw one of several kinds of tokens in one place. */
static int draw_token(Game *g, const int32_t *tokens, int count) {
  const int32_t *many = g->r.m + TOKENS;
  int64_t all = 0;
  for (int number = 0; number < count; number++) all += many[tokens[number]];
  if (!can_draw(&g->r, all)) return *tokens;
  for (int left = (int)draw(g, (uint32_t)all); left >= many[*tokens]; tokens++) left -= many[*tokens];
  return *tokens;
}

/* Draw one of some candidates at the run's choice point, and have it taken at once. */
void draw_here(R *r, int count, int tokens, int together) {
  Game *g = (Game *)r;
  r->count = count;
  int decides = 1;
  if (together) {
    r->candidate = draw_token(g, r->candidates + r->first, count);
  } else {
    find_outcomes(g, tokens);
    decides = g->outcomes > 1 || r->m[MUST_ASK];
    r->candidate = decides ? draw_outcome(g) : g->outcome[0];
  }
  r->draws -= decides;
  r->mode = FOR_GOOD;
  r->in_option = 1;
  r->said = 0;
  r->changed = 0;
  r->saved = r->floor = 0;
  r->budget = 4 * BUDGET;
  if (r->m[MUST_ASK]) set(r, MUST_ASK, 0);
}

/* ---- from one decision to the next */

enum { OVER, PLAYER, DICE, LOST };

/* Restore the values that acts had before the events between the innermost frame and another frame. */
static void leave_events(R *r, int last) {
  for (int fp = r->fp, pc = r->pc; VALUES;) {
    int routine = routine_at[pc];
    const int32_t *kept = routine_values + routine_first_value[routine];
    if (instruction_at[pc] <= routine_ending[routine])
      for (; *kept >= 0; kept += 2) set(r, kept[1], r->st[fp + HEADER + kept[0]]);
    if (fp == last) return;
    pc = r->st[fp + 1];
    fp = r->st[fp];
  }
}

/* Let the innermost text under way lapse, as it has proved impossible. */
static int lapse(R *r) {
  for (int pass = 0; pass < 3; pass++)
    for (int fp = r->fp, pc = r->pc; fp >= 0;) {
      int routine = routine_at[pc], below = r->st[fp];
      pc = r->st[fp + 1];
      if (routine_lapses[routine] == 1 + pass) {
        if (below < 0) {
          r->unfit |= UNFIT_DEAD_END;
          return GIVEN_UP;
        }
        leave_events(r, fp);
        r->fp = below;
        r->pc = plain_at[pc];
        return go(r);
      }
      fp = below;
    }
  r->unfit |= UNFIT_DEAD_END;
  return GIVEN_UP;
}

/* The option listing was interrupted, with choice points still marked as entered. */
static int give_up(Game *g) {
  memset(g->entered, 0, sizeof g->entered);
  return g->state = LOST;
}

/* Go on until a decision must be asked. Steps that lapse, and single options, could follow each other endlessly. */
static int advance(Game *g, int stop) {
  R *r = &g->r;
  for (int left = 4 * BUDGET;;) {
    left -= 1 + 4 * BUDGET - r->budget;
    if (left < 0 || signalled) r->unfit |= UNFIT_ENDLESS;
    r->budget = 4 * BUDGET;
    if (r->unfit || stop == GIVEN_UP) return give_up(g);
    if (stop == DONE || r->m[ENDED]) return g->state = OVER;
    if (stop != CHOICE_POINT) {
      stop = lapse(r);
      continue;
    }
    if (!r->notes) r->changed = 0;
    r->saved = r->floor = 0;
    int asked = r->m[MUST_ASK];
    if (flags_at[r->pc] & CHANCE) {
      find_outcomes(g, flags_at[r->pc] & TOKEN);
      if (g->outcomes > 1 || asked) return g->state = r->unfit ? LOST : DICE;
      int32_t only = g->outcome[0];
      stop = follow(r, &only, 1);
      continue;
    }
    asked = asked && (!(flags_at[r->pc] & ANSWER) || r->candidates[r->first] < 0);
    find_options(g);
    if (r->unfit) return give_up(g);
    if (!g->found) {
      stop = lapse(r);
      continue;
    }
    if (g->found > 1 || asked) return g->state = PLAYER;
    const Path *only = g->keeps == DRAWN ? &g->best : &g->paths[0];
    stop = follow(r, only->taken, only->count);
  }
}

/* Begin a frame whose variables are not set yet. */
static void begin_frame(R *r, int place, int below, int back) {
  int fp = below < 0 ? 0 : below + HEADER + routine_size[routine_at[back]];
  int32_t *e = r->st + fp + HEADER;
  memset(e, -1, (size_t)routine_size[routine_at[place]] * sizeof *e);
  HEAD(e, below, back, 0);
  if (below >= 0) e[FAILS] = can_fail(r, below, back);
  r->fp = fp;
  r->pc = place;
}

static void forget_all(R *r) {
  r->changed = r->unfit = 0;
  r->lookahead = r->notes = r->in_option = r->left = r->draws = r->declining = r->alone = 0;
  r->fenced = r->answer = -1;
  r->hooked = 1;
  r->floor = r->saved = r->first = 0;
  r->played_fp = -2;
  r->ordered = 0;
  r->budget = 4 * BUDGET;
  r->said = 0;
  r->fp = -1;
  r->pc = 0;
}

/* State rules that are due already take effect with the first event. */
static void look_again(R *r) {
  if (settle(r, r->fp, 0, 0, NULL) >= 0) r->m[UNSETTLED] = 1;
}

/* Carry out a setup; chance is drawn. */
static int set_up(Game *g, int setup) {
  R *r = &g->r;
  forget_all(r);
  r->m[MUST_ASK] = 0;
  begin_frame(r, setup, -1, 0);
  int stop = go(r);
  while (stop == CHOICE_POINT) {
    find_outcomes(g, flags_at[r->pc] & TOKEN);
    if (r->unfit || !(flags_at[r->pc] & CHANCE)) break;
    stop = resume(r, draw_outcome(g), FOR_GOOD);
    r->changed = 0;
  }
  if (stop != DONE || r->unfit || r->m[ENDED]) return g->state = LOST;
  return g->state = PLAYER;
}

static int begin_play(Game *g) {
  R *r = &g->r;
  forget_all(r);
  begin_frame(r, PLAY, -1, 0);
  begin_frame(r, OPENING, 0, PLAY);
  int stop = go(r);
  look_again(r);
  return advance(g, stop);
}

#include "interface.c"
