/* The common part of the generated units and the machine: how routines go on, look ahead, and describe options. */
#ifndef UNIT_H
#define UNIT_H

#define PLACE_OF(place) ((place) & ((1 << UNIT_BITS) - 1))
#define ROUTINE_AT(place) routine_at[place]
extern int16_t routine_at[];
extern const int16_t routine_size[];
extern const int8_t routine_is_anyones[];

/* A frame that is changed while a trial waits above it is saved first. */
#define SAVE_FRAME(r, fp, cur) do { if ((fp) < (r)->floor) save_frame(r, fp, cur); } while (0)

#include "machine.h"

SELDOM void save_frame(R *r, int fp, int routine);

/* Leave those candidates out that are in a set of pieces; return how many there are left. */
HELPER int left_out(int32_t *candidates, int count, PieceSet pieces) {
  int left = 0;
  for (int number = 0; number < count; number++)
    if (!has(pieces, candidates[number])) candidates[left++] = candidates[number];
  return left;
}

/* Return 1 if a hook was judged to answer an event with a bearer, -1 if it was judged not to, 0 if it was not judged. */
HELPER int judged(const int32_t *hooks, int hook, int bearer) {
  for (int one = 0; one < hooks[0]; one++)
    if (hooks[2 + 2 * one] == bearer && (hooks[1 + 2 * one] == hook || hooks[1 + 2 * one] == ~hook))
      return hooks[1 + 2 * one] == hook ? 1 : -1;
  return 0;
}

/* Whether an option can take one more candidate, and there is room for a number of candidates after it. */
HELPER int has_room(R *r, int depth, int count) {
  if (depth >= LONGEST - 1 || r->first + count > CANDIDATES - MOST_CANDIDATES) r->unfit |= UNFIT_OPTIONS;
  return !r->unfit;
}

/* The room for candidates is never less than their number: see size_bounds.py. */
#ifdef CHECK
#define FITS(count) if ((count) > MOST_CANDIDATES) __builtin_trap()
#else
#define FITS(count) ((void)0)
#endif

#include "effects.c"

/* The data for an undo: the state of the run, with a copy of its frame. */
typedef struct {
  int fp, pc, in_option, first, floor, saved;
  int kept; /* whether there is a copy */
  int anyones;
  uint32_t changed;
  uint64_t said;
#ifdef CHECK
  int32_t *copy; /* a copy of everything, to check that the undo is complete */
#endif
} Mark;

void mark(R *r, Mark *here, int fp, int pc);
void undo(R *r, const Mark *here);
void release(R *r, const Mark *here);
int can_fail(const R *r, int fp, int pc);
int can_reach(R *r, int fp, int pc, int fence);
int can_be_done(R *r, int fp, int pc, int fence);
int can_finish(R *r, int fp, int pc);
int is_games_own(const R *r, int fp, int cur);

/* The facts about the places of a unit, and the questions about its choice points. */
enum {
  POINT = 1,
  ENDS = 2,
  ENDS_UNLESS = 4,
  CHANCE = 8,
  TOKEN = 16,
  ANSWER = 32,
  LOOKS = 64,
  SAYS = 128,
  OFFERS = 256, /* an answer, or the rest of one, may be offered there */
  TURNS = 512, /* one after another takes its turn */
  IN_ANSWER = 1024,
  WINDOW = 2048 /* look-aheads count offers there as declined */
};

typedef struct {
  int32_t take, plain;
  int16_t routine, instruction;
  int8_t failure, behind;
  uint16_t flags;
  uint32_t dead; /* the variables for pieces that nothing reads from there on */
} Place;

typedef struct {
  int (*run)(R *);
  int (*decider)(R *);
  void (*context)(R *);
  int (*ends)(R *);
  void (*look)(R *, int, uint64_t, int, int);
  const Place *places;
  int count;
} Unit;

/* ---- option listing: see option_lists.py. `depth` is the number of candidates taken so far. */

/* Goes on in the text of a document, in a frame of its own. */
typedef void Look(R *r, int fp, uint64_t said, int deeper);
typedef int Trial(R *r, int fp);

void add_options(R *r, int depth, const int32_t *last, int count, int act);
void leave_open(R *r, int depth, const int32_t *last, int count, int act);
SELDOM void walk_on(R *r, int depth, int top);
SELDOM void walk_each(R *r, int depth, int top, const int32_t *candidates, int many);
int is_unknown(const R *r, int routine, int piece);
int looked_alike(R *r, int begun, int piece, int depth, int alive);
/* Whether a text of a document can be carried out by any equal piece, and several pieces have it. */
HELPER int is_several(const R *r, int begun, int document) {
  PieceSet bearers = set_in(r->m, OF_DOCUMENT + document);
  return routine_is_anyones[ROUTINE_AT(begun)] && bearers & (bearers - 1);
}

void draw_here(R *r, int count, int tokens, int together);
int settle(R *r, int fp, int back, int fails, int32_t *next);

/* Whether the changes have immediate consequences. */
HELPER int follows(R *r) { return r->m[UNSETTLED] && !r->m[POSTPONED] && settle(r, 0, 0, 0, NULL) >= 0; }

/* ---- probes: see lowering/probes.py */

#ifdef PROBED
extern uint64_t counters[PROBED];

/* Count that an instruction is carried out, or only tried. */
HELPER void tally(const R *r, int done, int tried) { counters[r->lookahead > 0 ? tried : done]++; }

/* Count whether a condition holds, and return the result. */
HELPER _Bool noted(const R *r, int held, int failed, int tried_held, int tried_failed, _Bool holds) {
  counters[r->lookahead > 0 ? (holds ? tried_held : tried_failed) : (holds ? held : failed)]++;
  return holds;
}

/* Count a set as empty, with one member, or with many. */
HELPER void sized(int none, int one, int many, int size) { counters[size > 1 ? many : size ? one : none]++; }
#endif

/* ---- going on */

/* The variables of the present frame. Each case loads them again: with so large a number of cases they would not stay
 * in a register. */
#define FRAME_HERE int32_t *const e = r->st + fp + HEADER; (void)e

#define STOP(signal, place) do { r->fp = fp; r->pc = (place); return (signal); } while (0)
#define LEAVE(place) STOP(ELSEWHERE, place)
#define GIVE_UP(why) do { r->unfit |= (why); STOP(GIVEN_UP, pc); } while (0)
#define GO(place) do { pc = (place); goto dispatch; } while (0)
#define FINISHED do { r->fp = -1; r->pc = 0; return DONE; } while (0)
#define ROUND_AGAIN if (--r->budget < 0 || signalled) GIVE_UP(UNFIT_ENDLESS)

/* Whether the run is beyond the option that is listed, so that a candidate that has just been taken need not be followed
 * further if no later step can fail. */
#define UNTRIED(r) ((r)->mode == LOOKING_AHEAD || ((r)->mode == WALKING && !(r)->in_option))
#define ENOUGH(place, sure) if (UNTRIED(r) && (sure)) STOP(HORIZON, place)
#define STOP_IF_CERTAIN(sure, place) if (r->lookahead && r->played_fp < -1 && !r->in_option && (sure)) STOP(CERTAIN, place)

/* When a known option is carried out, its next candidate is taken, and beyond an option, candidates that would fail at
 * once are left out; with probes, conditions are still tested. */
#ifdef PROBED
#define TAKE_AHEAD(take) ((void)0)
#define BEYOND(r) 0
#else
#define BEYOND(r) UNTRIED(r)
#define TAKE_AHEAD(take)                     \
  do {                                       \
    if (r->left && r->lookahead == r->ahead_in) { \
      r->left--;                             \
      r->candidate = *r->ahead++;            \
      r->mode = r->lookahead ? WALKING : FOR_GOOD; \
      GO(take);                              \
    }                                        \
  } while (0)
#endif

/* When whole games are played, chance is drawn on the way. */
#define DRAW_AHEAD(take, tokens, together)   \
  do {                                       \
    if (r->draws > 0 && !r->lookahead) {        \
      draw_here(r, count, tokens, together); \
      GO(take);                              \
    }                                        \
  } while (0)

#define HEAD(frame, below, back, fails_) \
  ((frame)[BELOW] = (below), (frame)[RETURN] = (back), (frame)[FAILS] = (fails_), (frame)[FENCE] = -1)

/* Fence the frame of an answer: the work below it is ignored. */
HELPER void fence_frame(int32_t *frame) {
  frame[FAILS] = 0;
  frame[FENCE] = AT_END;
}

/* Whether there is no room for a frame at the end of the stack, or of the frames of listings above it. */
HELPER int is_full(int fp) { return fp < STACK || fp > STACK + LOOKED - MOST_CELLS; }

#define CLIMB(size)                                       \
  do {                                                    \
    fp += (size) + HEADER;                                \
    if (fp > STACK - MOST_CELLS && is_full(fp)) GIVE_UP(UNFIT_STACK); \
  } while (0)

#define DOWN                                              \
  do {                                                    \
    if (e[BELOW] < 0) FINISHED;                           \
    pc = e[RETURN];                                       \
    fp = e[BELOW];                                        \
    SAVE_FRAME(r, fp, routine_at[pc]);                    \
  } while (0)

/* `RETURN_n` goes directly to the place where routine n mostly goes on. */
#define DESCEND(routine) do { DOWN; RETURN_##routine goto dispatch; } while (0)

/* The end of an act that is decided together with its parts is the end of an option, too. */
#define DESCEND_JOINED(routine)                                   \
  do {                                                            \
    DOWN;                                                         \
    if (r->in_option) {                                              \
      r->in_option = 0;                                              \
      if (r->lookahead && !can_fail(r, fp, pc)) STOP(HORIZON, pc);      \
    }                                                             \
    RETURN_##routine goto dispatch;                               \
  } while (0)

/* ---- the description of an option: the last act before a document's own text takes over, or the first act that
 * names it, or the definition that was chosen last */

enum { NAMES = 12, NAME = (1 << NAMES) - 1, SAID = 1 << 30, WAY_SAID = 32 };
#define WITHIN (1u << 31)

HELPER void say_role(uint64_t *said) { *said |= SAID; }

HELPER void say_within(uint64_t *said) { *said |= WITHIN | SAID; }

HELPER void say_first(uint64_t *said, uint64_t act) {
  if (!(*said & (WITHIN | NAME << NAMES))) *said |= act << NAMES;
  *said |= SAID;
}

HELPER void say_act(uint64_t *said, uint64_t act) {
  if (!(*said & WITHIN)) *said = (*said & ~(uint64_t)NAME) | act;
  say_first(said, act);
}

HELPER void say_way(uint64_t *said, uint64_t act) { *said = (uint32_t)*said | act << WAY_SAID; }

/* Return the description with a definition, a first and a last act, and so on; 0 is none. */
HELPER uint64_t saying(uint64_t said, uint64_t way, uint64_t first, uint64_t last, uint64_t flags) {
  if (last && !(said & WITHIN)) said = (said & ~(uint64_t)NAME) | last;
  if (first && !(said & (WITHIN | NAME << NAMES))) said |= first << NAMES;
  if (way) said = (uint32_t)said | way << WAY_SAID;
  return said | flags;
}

SELDOM int act_said(uint64_t said);

/* Return the act that names an option with this description; mostly its own code determines it. */
HELPER int act_of(uint64_t said, uint64_t way, uint64_t first, uint64_t last, uint64_t flags) {
  return last && !(said & WITHIN) ? (int)last : act_said(saying(said, way, first, last, flags));
}

/* ---- sets and lists */

HELPER int members_of(PieceSet set, int32_t *out) {
  int count = 0;
  for (PieceSet left = set; left; left &= left - 1) out[count++] = first_of(left);
  return count;
}

HELPER int is_among(const int32_t *list, int count, int one) {
  for (int number = 0; number < count; number++)
    if (list[number] == one) return 1;
  return 0;
}

/* Take the first member out of the rest of a set in a loop. */
HELPER void take_out(int32_t *list, int which) {
  list[0] = 1;
  list[1]--;
  memmove(list + 2 + which, list + 3 + which, (size_t)(list[1] - which) * sizeof *list);
  list[2 + list[1]] = -1;
}

/* Take a chosen member out of the rest of a set. */
HELPER void begin_member(int32_t *list, int one) {
  int left = 0;
  for (int number = 0; number < list[1]; number++)
    if (list[2 + number] != one) list[2 + left++] = list[2 + number];
  for (int number = left; number < list[1]; number++) list[2 + number] = -1;
  list[0] = 1;
  list[1] = left;
}

/* ---- waiting hooks: their number, and pairs of a hook and its bearer */

extern const int8_t hook_is_certain[], hook_is_optional[], hook_lapses[];
extern const int16_t hook_routine[];
typedef int NextHook(R *r, int fp, int here, int fails, int32_t *e, int which);

int hook_matters(R *r, int fp, int here, int fails, int32_t *e, int queue, uint32_t numbers, int size,
                 NextHook *next);
typedef int Whose(R *r, const int32_t *e, int hook, int bearer);

int answers_asked(R *r, const int32_t *e, const int32_t *queue, Whose *whose);
int whose_answer(const R *r, int bearer, int affected);
int is_under_way(const R *r, int fp, int hook, int bearer);
int is_settling(const R *r, int fp, int routine, int thing);
int is_outermost(const R *r, int fp, const uint32_t *verbs, int agent);
void put_first(int32_t *queue, int which);

HELPER void take_hook(int32_t *queue, int which, int *hook, int *bearer) {
  *hook = queue[1 + 2 * which];
  *bearer = queue[2 + 2 * which];
  queue[0]--;
  memmove(queue + 1 + 2 * which, queue + 3 + 2 * which, (size_t)(queue[0] - which) * 2 * sizeof *queue);
  queue[1 + 2 * queue[0]] = queue[2 + 2 * queue[0]] = -1;
}

HELPER void drop_hooks(int32_t *queue, int count) {
  queue[0] -= count;
  memmove(queue + 1, queue + 1 + 2 * count, (size_t)queue[0] * 2 * sizeof *queue);
}

#endif
