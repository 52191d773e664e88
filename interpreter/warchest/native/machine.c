/* The native machine: it carries out what the units were made of, looks ahead, and lists or draws options.
 *
 * In front of this stand the definitions of the game (see generate.py), and unit.h. */

#include <stdlib.h>

/* ---- what has been made of the routines */

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
      flags_at[place] = one->flags;
      dead_at[place] = one->dead;
      take_at[place] = one->take;
      plain_at[place] = one->plain;
    }
}

#ifdef COUNT
uint64_t counters[COUNTERS];
#endif

#define UNIT_AT(r) units[(r)->pc >> UNIT_BITS]

/* ---- taking back */

enum { BLOCK = 8 };

/* Copy cells, in blocks; cells behind the last one may be overwritten. */
static inline void copy_cells(int32_t *restrict to, const int32_t *restrict from, int count) {
  for (int at = 0; at < count; at += BLOCK) memcpy(to + at, from + at, BLOCK * sizeof *to);
}

/* Keep a frame as it is; what is above it may change freely from then on. Return whether there was room for it. */
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

static inline void bring_frame(R *r, int end) {
  const int32_t *to = r->kept + end;
  int fp = to[-2], size = to[-1], whole = size & ~(BLOCK - 1);
#ifdef CHECK
  if (fp < 0 || size < HEADER || end < size + 2 || fp + size > STACK) abort();
#endif
  const int32_t *from = to - 2 - size;
  copy_cells(r->st + fp, from, whole);
  for (int at = whole; at < size; at++) r->st[fp + at] = from[at];
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
  here->joined = r->joined;
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
  r->joined = here->joined;
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

/* ---- whether anything can fail */

int can_fail(const R *r, int fp, int pc) {
  int failure = failure_at[pc];
  return failure == MAY || (failure == NEVER && r->st[fp + HEADER + FAILS]);
}

/* Whether anything can fail behind the choice point where the run stands. */
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

static int go(R *r) {
  if (r->m[ENDED] || r->fp < 0) return DONE;
  int stop;
  do stop = UNIT_AT(r)->run(r);
  while (stop == ELSEWHERE);
  return stop;
}

/* Take a candidate up where the run stands, and go on. */
static inline int resume(R *r, int candidate, int mode) {
  if (r->m[MUST_ASK]) set(r, MUST_ASK, 0);
  r->candidate = candidate;
  r->mode = mode;
  r->pc = take_at[r->pc];
  return go(r);
}

/* ---- looking ahead */

/* A choice deep within itself that a look-ahead has looked into: its place, and behind it its variables and the memory. */
typedef struct Vain {
  struct Vain *before;
  int pc;
  int32_t cells[];
} Vain;

/* A choice on the way to where the run stands, with its frame as it was, and the candidate that was taken; and the
 * choices that were in vain so far. */
typedef struct Passed {
  const struct Passed *before;
  int fp, pc, candidate, kept, saved;
  uint32_t changed;
  Vain **vain;
  int anyones; /* see R */
} Passed;

static const int16_t scratch[] = {ROUND, TURN, MUST_ASK, UNSETTLED, LAST, POSTPONED};

static int is_scratch(int cell) {
  for (unsigned number = 0; number < sizeof scratch / sizeof *scratch; number++)
    if (scratch[number] == cell) return 1;
  return 0;
}

/* Whether the memory is as it was when so many changes had been made; cells that play no part may differ. */
static int is_unchanged(const R *r, uint32_t changed) {
  for (uint32_t one = changed; one < r->changed; one++) {
    const Change *now = &r->log[one & (CHANGES - 1)];
    int first = 1;
    for (uint32_t other = changed; other < one && first; other++)
      first = r->log[other & (CHANGES - 1)].cell != now->cell;
    if (first && r->m[now->cell] != now->old && !is_scratch(now->cell)) return 0;
  }
  return 1;
}

/* Whether the run has come back to a choice that it passed before, with nothing changed meanwhile. */
static int is_round(const R *r, const Passed *before) {
  if (before->pc != r->pc) return 0;
  int size = routine_size[routine_at[r->pc]], fp = r->st[r->fp];
  const int32_t *then = r->kept + before->kept - 2 - size;
  if (memcmp(then, r->st + r->fp + HEADER, (size_t)size * sizeof *then)) return 0;
  int below = then[BELOW];
  while (fp >= 0 && fp != below) fp = r->st[fp];
  if (fp != below) return 0;
  for (int end = r->saved; end > before->saved; end -= 2 + r->kept[end - 1])
    if (r->kept[end - 2] <= below) return 0;
  return is_unchanged(r, before->changed);
}

/* Whether a candidate would close a round: it was taken before where the run stands, and nothing has changed since. */
static int closes(const R *r, const Passed *way, int candidate) {
  for (; way; way = way->before)
    if (way->pc == r->pc && way->candidate == candidate && is_round(r, way)) return 1;
  return 0;
}

/* Return how many times the same code waits at the same place for what is being carried out. */
static int nesting(const R *r) {
  int most = 0;
  for (int fp = r->fp; r->st[fp] >= 0; fp = r->st[fp]) {
    int count = 0, place = plain_at[r->st[fp + 1]];
    for (int at = fp; r->st[at] >= 0; at = r->st[at]) count += plain_at[r->st[at + 1]] == place;
    if (count > most) most = count;
  }
  return most;
}

enum { NESTED = 2, DEEPEST = 40, MOST_VAIN = 300, DEEPEST_OPTION = 8, DEEPEST_TRIAL = 20, BUDGET = 50000 };

/* Whether a choice has been looked into before, or too many have; it is remembered. */
static int was_in_vain(R *r, Vain **vain) {
  size_t size = (size_t)routine_size[routine_at[r->pc]] * sizeof *r->st;
  const int32_t *e = r->st + r->fp + HEADER;
  int count = 0;
  for (const Vain *one = *vain; one; one = one->before, count++)
    if (one->pc == r->pc && !memcmp(one->cells, r->m, sizeof r->m) && !memcmp(one->cells + CELLS, e, size)) return 1;
  if (count == MOST_VAIN) return 1;
  Vain *made = malloc(sizeof *made + sizeof r->m + size);
  if (!made) {
    r->unfit |= UNFIT_DEEP;
    return 1;
  }
  made->before = *vain;
  made->pc = r->pc;
  memcpy(made->cells, r->m, sizeof r->m);
  memcpy(made->cells + CELLS, e, size);
  *vain = made;
  return 0;
}

static void forget_vain(Vain *one) {
  while (one) {
    Vain *before = one->before;
    free(one);
    one = before;
  }
}

/* Whether a choice leads nowhere that has come up on a way: it goes deeper and deeper. */
static int is_vain(R *r, const Passed *way) {
  int again = 0;
  Vain **vain = way->vain;
  for (; way; way = way->before) again += way->pc == r->pc;
  if (again < NESTED) return 0;
  int deep = nesting(r);
  return deep >= NESTED && (deep > DEEPEST || was_in_vain(r, vain));
}

/* Whether the run that stopped with `stop` can be completed by some choices; it is left where it was. */
static int completes(R *r, int stop, const Passed *way) {
  if (stop != SITE) return stop != FAIL && stop != GIVEN_UP;
  if (flags_at[r->pc] & CHANCE) return 1;
  if (!has_room(r, 0, r->count) || (way && is_vain(r, way))) return 0;
  int count = r->count, first = r->first, able = 0;
  r->first += count;
  Mark here;
  mark(r, &here, r->fp, r->pc);
  Vain *vain = NULL;
  Passed passed = {way, r->fp, r->pc, 0, here.saved, here.saved, here.changed, way ? way->vain : &vain};
  int declines = r->declining && flags_at[r->pc] & OFFERS && r->candidates[first] < 0;
  for (int number = 0; number < (declines ? 1 : count) && !able && !r->unfit; number++) {
    passed.candidate = r->candidates[first + number];
    if (closes(r, way, passed.candidate)) continue;
    able = completes(r, resume(r, passed.candidate, TRYING), &passed);
    undo(r, &here);
  }
  forget_vain(vain);
  release(r, &here);
  r->first = first;
  r->count = count;
  return able;
}

static int try_out(R *r, Mark *here) {
  int played = r->played_fp, budget = r->budget, declining = r->declining;
  r->played_fp = -2;
  r->budget = BUDGET;
  r->declining = 1;
  if (r->trying++ > DEEPEST_TRIAL) r->unfit |= UNFIT_DEEP;
  int able = !r->unfit && (failure_at[r->pc] == NEVER || completes(r, go(r), NULL));
  r->trying--;
  r->budget = budget;
  r->declining = declining;
  r->played_fp = played;
  undo(r, here);
  release(r, here);
  return able;
}

/* Whether the routine that is being carried out can be carried on up to a fence. */
int can_reach(R *r, int fp, int pc, int fence) {
  Mark here;
  mark(r, &here, fp, pc);
  r->fp = fp;
  r->pc = pc;
  r->st[fp + HEADER + FENCE] = fence;
  r->st[fp + HEADER + FAILS] = 0;
  return try_out(r, &here);
}

/* Whether an answer that has just been begun can be carried out, whatever becomes of what waits below it. */
int can_finish(R *r, int fp, int pc) {
  Mark here;
  mark(r, &here, fp, pc);
  r->fp = fp;
  r->pc = pc;
  fence_frame(r->st + fp + HEADER);
  return try_out(r, &here);
}

/* ---- hooks */

static void settle_scratch(int32_t *m) {
  for (unsigned number = 0; number < sizeof scratch / sizeof *scratch; number++) m[scratch[number]] = 0;
}

/* Whether two orders of the hooks that wait lead to different states, or somebody has to choose on the way. */
int hook_matters(R *r, int fp, int here, int fails, int32_t *e, int queue, int size, NextHook *next) {
  int differs = 0, count = e[queue], played_fp = r->played_fp, played_pc = r->played_pc;
  int32_t end[CELLS], now[CELLS];
  for (int number = 0; number < count && !differs && !r->unfit; number++) {
    Mark start;
    mark(r, &start, fp, here);
    r->trying++;
    r->played_fp = fp;
    r->played_pc = here;
    int begun = next(r, fp, here, fails, e, number);
    r->fp = begun == here ? fp : fp + size + HEADER;
    r->pc = begun;
    if (go(r) != PLAYED) {
      differs = 1;
    } else {
      int32_t *to = number ? now : end;
      memcpy(to, r->m, sizeof end);
      settle_scratch(to);
      differs = number && memcmp(now, end, sizeof end);
    }
    r->trying--;
    r->played_fp = played_fp;
    r->played_pc = played_pc;
    undo(r, &start);
    release(r, &start);
  }
  return differs;
}

/* Return who decides about an answer that is not said of somebody: whose document gives it, and of a rule of the game the
 * affected. */
int whose_answer(const R *r, int bearer, int affected) {
  if (bearer >= 0) return r->m[PIECES + DECIDER + bearer * STRIDE];
  return bearer == -1 || !CODES_FIT ? affected : was_once(bearer, W_DECIDER, PLAYERS + 1, 1);
}

/* Return how many answers are decided about next: all that wait, if they are offers to one player. */
int answers_asked(R *r, const int32_t *e, const int32_t *queue, Whose *whose) {
  int first = whose(r, e, queue[1], queue[2]);
  for (int number = 0; number < queue[0]; number++) {
    int hook = queue[1 + 2 * number];
    if (!hook_is_optional[hook] || whose(r, e, hook, queue[2 + 2 * number]) != first) return 1;
  }
  return queue[0];
}

/* Whether a routine that follows at once is being carried out for a thing already. */
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

/* Whether no event of some verbs, by the same agent, is what ordered this one. */
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

/* ---- options */

enum { MOST_OPTIONS = 1 << 13 };

/* A path through choice points, and the act that it comes to; one that is open may still prove impossible. */
typedef struct {
  int16_t count, act, open;
  int32_t taken[LONGEST];
} Path;

/* Where a text has begun for which it makes no difference which piece carries it out. */
enum { MOST_MET = 16, MET_CELLS = 512, MET_CHANGES = 64 };

typedef struct {
  int depth, fp, pc, changed;
  int32_t taken[LONGEST], st[MET_CELLS];
  Change change[MET_CHANGES]; /* cells that have been changed since the option began, and what is in them */
} Met;

typedef struct Game {
  R r;
  uint32_t begun; /* the number of changes when the options began */
  int mets;
  Met met[MOST_MET];
  int drawing, favourite; /* whether one option is drawn while they are found, and the act that is preferred */
  int found, preferred;   /* the number of options, and of those with that act */
  int open;               /* the number of options that are left open */
  Path *paths;
  Path drawn;
  int outcomes, all, outcome[MOST_CANDIDATES], weight[MOST_CANDIDATES];
  uint64_t random;
  int state;
  int8_t entered[UNITS << UNIT_BITS];
  int32_t start[CELLS]; /* the memory from which whole games begin */
} Game;

static inline uint32_t draw(Game *g, uint32_t below) {
  g->random ^= g->random << 13;
  g->random ^= g->random >> 7;
  g->random ^= g->random << 17;
  return (uint32_t)((g->random >> 32) * below >> 32);
}

int act_said(uint64_t said) {
  if (!((uint32_t)said & ~WITHIN)) return (int)(said >> WAY_SAID);
  return (int)(said & NAME ? said & NAME : said >> NAMES & NAME);
}

static void put_path(const R *r, Path *to, int depth, int act, const int32_t *last) {
#ifdef CHECK
  if (depth + (last != NULL) > LONGEST) abort();
#endif
  to->count = (int16_t)(depth + (last != NULL));
  to->act = (int16_t)act;
  to->open = 0;
  copy_cells(to->taken, r->taken, depth);
  if (last) to->taken[depth] = *last;
}

static SELDOM __attribute__((noinline)) void put_options(Game *g, int depth, const int32_t *last, int count, int act) {
  R *r = &g->r;
  for (int number = 0; number < count; number++, g->found++) {
    if (g->found >= MOST_OPTIONS) {
      r->unfit |= UNFIT_OPTIONS;
      return;
    }
    put_path(r, &g->paths[g->found], depth, act, last ? last + number : NULL);
  }
}

static __attribute__((noinline)) void keep_drawn(Game *g, int depth, const int32_t *last, int act) {
  put_path(&g->r, &g->drawn, depth, act, last);
}

/* Collect options: one path, or one for each of some last candidates; or draw one of all that have been found so far. */
void add_options(R *r, int depth, const int32_t *last, int count, int act) {
  Game *g = (Game *)r;
  if (!g->drawing) {
    put_options(g, depth, last, count, act);
    return;
  }
  int among = g->found += count;
  if (act == g->favourite)
    among = g->preferred += count;
  else if (g->preferred)
    return;
  /* The first one with the favourite act is taken, whatever was drawn before. */
  int which = among > 1 ? (int)draw(g, (uint32_t)among) : 0;
  if (which < count) keep_drawn(g, depth, last ? last + which : NULL, act);
}

/* Collect such options, and leave it open whether what follows them can be done. */
void leave_open(R *r, int depth, const int32_t *last, int count, int act) {
  Game *g = (Game *)r;
  int first = g->found;
  put_options(g, depth, last, count, act);
  for (int number = first; number < g->found; number++, g->open++) g->paths[number].open = 1;
}

static int decider(R *r) { return UNIT_AT(r)->decider(r); }

static int ends_here(R *r) {
  int flags = flags_at[r->pc];
  return flags & ENDS || (flags & ENDS_UNLESS && UNIT_AT(r)->ends(r));
}

/* Bring up to date what the frames above one say of the work that waits. */
static void renew_fails(R *r, int below) {
  int above[STACK / HEADER], count = 0;
  for (int fp = r->fp; fp != below; fp = r->st[fp]) above[count++] = fp;
  while (count--) {
    int32_t *frame = r->st + above[count] + HEADER;
    frame[FAILS] = can_fail(r, frame[BELOW], frame[RETURN]);
  }
}

/* Whether the answer that the options belong to can be carried out from where the run stopped, with no offer accepted;
 * one that is over needs nothing more. */
static int completes_answer(R *r, int stop) {
  int fp = r->fp, cur = routine_at[r->pc], declining = r->declining;
  if (r->answer < 0) return 1;
  while (fp > r->answer && descend(r, &fp, &cur)) continue;
  if (fp != r->answer || !routine_is_hook[cur]) return 1;
  int32_t fence = r->st[fp + HEADER + FENCE];
  fence_frame(r->st + fp + HEADER);
  renew_fails(r, fp);
  r->declining = 1;
  int able = !can_fail(r, r->fp, r->pc) || completes(r, stop, NULL);
  r->declining = declining;
  r->st[fp + HEADER + FENCE] = fence;
  if (fence == AT_END)
    return able;
  renew_fails(r, r->st[fp]);
  return able;
}

/* ---- texts that are the same whoever carries them out: see mattering.py */

/* Whether nobody asks about a piece that is the agent in the frame of a routine. */
static int is_unknown(const R *r, int routine, int piece) {
  int document = r->m[PIECES + DOCUMENT + piece * STRIDE];
  for (const int16_t *one = asked_documents + routine_first_asked[routine]; *one != -1; one++)
    if (*one == document || *one == EVERYBODY) return 0;
  return 1;
}

/* Whether it makes no difference what a variable of a frame is, nothing aside. */
static int is_idle(const R *r, int place, int routine, int cell, int32_t value) {
  if (cell > 31 || !(dead_at[place] >> cell & 1) || value < 0) return 0;
  return cell != AGENT || is_unknown(r, routine, value);
}

/* Whether the run stands where it stood before, but for what makes no difference. */
static int is_met(const Game *g, const Met *met) {
  const R *r = &g->r;
  if (met->fp != r->fp || met->pc != r->pc) return 0;
  for (int one = 0; one < met->changed; one++)
    if (r->m[met->change[one].cell] != met->change[one].old) return 0;
  for (uint32_t one = g->begun; one < r->changed; one++) {
    const Change *change = &r->log[one & (CHANGES - 1)];
    int known = 0;
    for (int other = 0; other < met->changed && !known; other++) known = met->change[other].cell == change->cell;
    for (uint32_t first = g->begun; first < one && !known; first++)
      known = r->log[first & (CHANGES - 1)].cell == change->cell;
    if (!known && r->m[change->cell] != change->old) return 0;
  }
  for (int fp = r->fp, place = r->pc;;) {
    const int32_t *here = r->st + fp + HEADER, *then = met->st + fp + HEADER;
    int routine = routine_at[place], size = routine_size[routine];
    for (int cell = 0; cell < size; cell++)
      if (here[cell] != then[cell] &&
          !(is_idle(r, place, routine, cell, here[cell]) && is_idle(r, place, routine, cell, then[cell])))
        return 0;
    if (here[BELOW] != then[BELOW]) return 0;
    if (here[BELOW] < 0) return 1;
    if (here[RETURN] != then[RETURN]) return 0;
    place = here[RETURN];
    fp = here[BELOW];
  }
}

/* Keep where the run stands, behind so many candidates. */
static void keep_met(Game *g, int depth) {
  R *r = &g->r;
  int top = r->fp + HEADER + routine_size[routine_at[r->pc]];
  uint32_t changed = r->changed - g->begun;
  if (g->mets == MOST_MET || top > MET_CELLS || changed > MET_CHANGES) {
    r->unfit |= UNFIT_OPTIONS;
    return;
  }
  Met *met = &g->met[g->mets++];
  met->depth = depth;
  met->fp = r->fp;
  met->pc = r->pc;
  met->changed = (int)changed;
  for (uint32_t one = 0; one < changed; one++) {
    int cell = r->log[(g->begun + one) & (CHANGES - 1)].cell;
    met->change[one] = (Change){cell, r->m[cell]};
  }
  memcpy(met->taken, r->taken, sizeof met->taken);
  memcpy(met->st, r->st, (size_t)top * sizeof *met->st);
}

/* Return where the run has stood before if such a text has begun behind the last choice; else keep that, and return
 * NULL. */
static Met *met_before(R *r, int depth, const Passed *way) {
  Game *g = (Game *)r;
  if (r->anyones == (way ? way->anyones : 0)) return NULL;
  for (int number = 0; number < g->mets; number++)
    if (is_met(g, &g->met[number])) return &g->met[number];
  keep_met(g, depth);
  return NULL;
}

/* Leave out the options that have been collected with the candidates that first led to a place, and one more, if any. */
static void give(Game *g, const Met *met, int depth) {
  int left = 0;
  for (int number = 0; number < g->found && !g->drawing; number++) {
    Path *path = &g->paths[number];
    if (path->count >= depth && !memcmp(path->taken, met->taken, (size_t)depth * sizeof *met->taken))
      g->open -= path->open;
    else
      g->paths[left++] = *path;
  }
  if (!g->drawing) g->found = left;
}

/* Leave to a piece the candidates that are not collected for another one, for whose text all has been collected; return
 * how many these are. Of several that take turns, each goes first by its own text, and not by that of another one. */
static int left_to_it(R *r, Met *met, int count) {
  Game *g = (Game *)r;
  int fp = r->fp, cur = routine_at[r->pc], depth = met->depth;
  while (!routine_is_anyones[cur])
    if (!descend(r, &fp, &cur)) return 0;
  if (g->drawing || routine_turn[cur] < 0) return 0;
  int own = r->st[fp + HEADER + THIS], is_turn = flags_at[r->pc] & TURNS && fp == r->fp;
  if (!is_turn && r->st[fp + HEADER + routine_turn[cur]] != own) return 0;
  if (!is_turn) {
    give(g, met, depth);
    return count;
  }
  if (depth == LONGEST) return 0;
  met->taken[depth] = own;
  give(g, met, depth + 1);
  for (int number = 0; number < count; number++)
    if (r->candidates[r->first + number] == own) {
      r->candidates[r->first] = own;
      return 1;
    }
  return 0;
}

static void from_point(R *r, int depth, const Passed *way);

/* Go on from where taking a candidate has led. */
static void after(R *r, int stop, int depth, const Passed *way) {
  if (stop == FAIL || stop == GIVEN_UP) return;
  if (stop == SITE) {
    if (r->joined && !(flags_at[r->pc] & CHANCE) && decider(r) == r->walker) {
      from_point(r, depth, way);
      return;
    }
  }
  if (met_before(r, depth, way)) return;
  if (stop == SITE) {
    if (can_fail(r, r->fp, r->pc)) {
      if (r->hasty) leave_open(r, depth, NULL, 1, act_said(r->said));
      if (r->hasty || !completes_answer(r, stop) || !completes(r, stop, NULL)) return;
    }
  }
  add_options(r, depth, NULL, 1, act_said(r->said));
}

/* Collect the options that begin with some candidates by carrying them out. */
static void walk(R *r, const int32_t *candidates, int count, int depth, const Passed *way) {
  Mark here;
  mark(r, &here, r->fp, r->pc);
  Passed passed = {way, r->fp, r->pc, 0, here.saved, here.saved, here.changed, NULL, here.anyones};
  int answers = r->alone && flags_at[r->pc] & ANSWER;
  for (int number = 0; number < count && !r->unfit; number++) {
    int candidate = r->taken[depth] = passed.candidate = candidates[number];
    int stop = resume(r, candidate, WALKING);
    after(r, answers && candidate < 0 ? EDGE : stop, depth + 1, &passed);
    undo(r, &here);
  }
  release(r, &here);
}

/* Carry out what has been taken from `depth` up to `end`, from where the run stands, and collect the options behind it:
 * those that begin with `many` candidates of the point there, or all where there are none. */
static void walk_along(R *r, int depth, int end, const Passed *way, const int32_t *candidates, int many) {
  if (depth == end) {
    walk(r, candidates, many, end, way);
    return;
  }
  Mark here;
  mark(r, &here, r->fp, r->pc);
  Passed passed = {way, r->fp, r->pc, r->taken[depth], here.saved, here.saved, here.changed, NULL, here.anyones};
  int answers = r->alone && flags_at[r->pc] & ANSWER, left = end - depth - 1, stop = resume(r, passed.candidate, WALKING);
  if (!left && !many)
    after(r, answers && passed.candidate < 0 ? EDGE : stop, end, &passed);
  else if (stop == SITE)
    walk_along(r, depth + 1, end, &passed, candidates, many);
  else if (left || stop != FAIL)
    r->unfit |= UNFIT_STOPPED;
  undo(r, &here);
  release(r, &here);
}

enum { MOST_MADE = 256 };

/* Collect the options behind what has been taken up to `depth`, and then any of some candidates, by carrying that out;
 * what comes before them is carried out once. */
void walk_each(R *r, int depth, int top, const int32_t *candidates, int many) {
  Looking *looking = &r->looking;
  uint32_t made = r->changed - looking->changed;
  int was = looking->top;
  Change now[MOST_MADE];
  if (r->unfit || made > MOST_MADE) {
    r->unfit |= UNFIT_CHANGES;
    return;
  }
  /* What looking on has changed itself is taken back meanwhile. */
  for (uint32_t number = made; number-- > 0;) {
    const Change *one = &r->log[(looking->changed + number) & (CHANGES - 1)];
    now[number] = (Change){one->cell, r->m[one->cell]};
    r->m[one->cell] = one->old;
  }
  r->changed = looking->changed;
  looking->top = top;
  walk_along(r, looking->depth, depth, looking->way, candidates, many);
  looking->top = was;
  for (uint32_t number = 0; number < made; number++) set(r, now[number].cell, now[number].old);
}

/* Collect the options behind what has been taken up to `depth` by carrying that out. */
void walk_on(R *r, int depth, int top) { walk_each(r, depth, top, NULL, 0); }

/* Collect the options that begin with the candidates where the run stands, on a copy of its frame. */
static void look_on(R *r, int count, int depth, const Passed *way) {
  Looking outer = r->looking;
  int size = HEADER + routine_size[routine_at[r->pc]];
  copy_cells(r->st + outer.top, r->st + r->fp, size);
  r->looking = (Looking){way, depth, outer.top, r->changed};
  UNIT_AT(r)->look(r, outer.top, r->said, depth, count);
  r->looking = outer;
}

/* Leave out the candidates that close a round; return how many are left. */
static int drop_closing(R *r, const Passed *way) {
  int32_t *candidates = r->candidates + r->first;
  int left = 0;
  for (int number = 0; number < r->count; number++)
    if (!closes(r, way, candidates[number])) candidates[left++] = candidates[number];
  return left;
}

/* Collect the options that begin at a choice point, where the run stands with its candidates. */
static void from_point(R *r, int depth, const Passed *way) {
  if (r->unfit || !has_room(r, depth, r->count)) return;
  int all = r->count, count = all, first = r->first, ends = ends_here(r), again = 0;
  Met *met = met_before(r, depth, way);
  if (met) {
    count = r->count = left_to_it(r, met, count);
    if (!count) {
      r->count = all;
      return;
    }
  }
  for (const Passed *one = way; one && !again; one = one->before) again = one->pc == r->pc;
  if (again) {
    if (nesting(r) > DEEPEST_OPTION) return;
    count = drop_closing(r, way);
  }
  int8_t *entered = &r->entered[r->pc], was = *entered;
  *entered = 1;
  if (ends && !can_fail_behind(r)) {
    add_options(r, depth, r->candidates + first, count, act_said(r->said));
  } else if (!ends && count == all && flags_at[r->pc] & LOOKS && !r->m[POSTPONED]) {
    look_on(r, count, depth, way);
  } else {
    r->first += count;
    walk(r, r->candidates + first, count, depth, way);
    r->first = first;
  }
  *entered = was;
  r->count = all;
}

/* Return the frame of the answer within which a player chooses: the outermost of his own, else the innermost of all; -1
 * where there is none. */
static int answer_of(const R *r, int player) {
  int fp = r->fp, cur = routine_at[r->pc], found = -1;
  do
    if (routine_is_hook[cur] && (found < 0 || r->st[fp + HEADER + YOU] == player)) found = fp;
  while (descend(r, &fp, &cur));
  return found;
}

/* Whether the choice where the run stands is made within an answer, or about one. */
static int is_answering(const R *r) { return flags_at[r->pc] & ANSWER || answer_of(r, -1) >= 0; }

/* Begin to walk through options where the run stands at a choice point. */
static void begin_options(R *r) {
  r->trying++;
  r->joined = 1;
  r->said = 0;
  r->anyones = 0;
  ((Game *)r)->begun = r->changed;
  ((Game *)r)->mets = 0;
  r->looking.top = STACK;
  r->walker = decider(r);
  r->answer = r->hasty || flags_at[r->pc] & ANSWER ? -1 : answer_of(r, -1);
  r->declining = !r->hasty && r->answer < 0 && !(flags_at[r->pc] & ANSWER); /* in haste, nothing is looked into that an offer could stand in */
  r->fenced = r->alone ? answer_of(r, r->walker) : -1;
  if (r->fenced < 0) return;
  fence_frame(r->st + r->fenced + HEADER);
  renew_fails(r, r->fenced);
}

/* The run stands at the choice point again, with so many candidates. */
static void end_options(R *r, int count) {
  if (r->fenced >= 0) {
    r->st[r->fenced + HEADER + FENCE] = -1;
    renew_fails(r, r->st[r->fenced]);
  }
  r->fenced = -1;
  r->declining = 0;
  r->joined = 0;
  r->trying--;
  r->count = count;
}

/* Find all options where the run stands at a choice point; if it is `alone`, see R. */
static void find(Game *g, int alone) {
  R *r = &g->r;
  int count = r->count;
  r->alone = alone;
  g->found = g->preferred = g->open = 0;
  begin_options(r);
  if (flags_at[r->pc] & SAYS) UNIT_AT(r)->context(r);
  from_point(r, 0, NULL);
  end_options(r, count);
}

static void settle_options(Game *g, int enough);

/* Find all options where the run stands at a choice point, as many of them for sure as tell whether there is a choice.
 *
 * Whatever becomes of the work below, an answer can be given, and an offer to another player is made. */
static void find_options(Game *g) {
  R *r = &g->r;
  find(g, 0);
  settle_options(g, 2);
  if (g->found > 1 || r->unfit || !is_answering(r)) return;
  const Path *only = g->drawing ? &g->drawn : &g->paths[0];
  int active = ACTIVE < 0 || r->m[ACTIVE] < 0 ? 0 : r->m[ACTIVE];
  if (g->found && (only->count > 1 || only->taken[0] >= 0 || decider(r) == active)) return;
  find(g, 1);
  settle_options(g, 2);
}

/* ---- options that were left open */

/* Whether what follows an option can be done; where it cannot, the option is left out. */
static int holds(Game *g, int number) {
  R *r = &g->r;
  Path *one = &g->paths[number];
  int count = r->count, hasty = r->hasty, found = g->found;
  if (!one->open) return 1;
  g->open--;
  one->open = 0;
  copy_cells(r->taken, one->taken, one->count);
  r->hasty = 0;
  r->budget = 4 * BUDGET;
  begin_options(r);
  walk_along(r, 0, one->count, NULL, NULL, 0);
  end_options(r, count);
  r->hasty = hasty;
  if (g->found > found) {
    g->found = found;
    return 1;
  }
  g->found--;
  memmove(one, one + 1, (size_t)(g->found - number) * sizeof *one);
  return 0;
}

/* Look into options that were left open, until so many are sure. */
static void settle_options(Game *g, int enough) {
  int number = 0;
  while (number < g->found && g->open && g->found - g->open < enough && !g->r.unfit) number += holds(g, number);
}

/* Take candidates up, one after another. */
static int follow(R *r, const int32_t *taken, int count) {
  int stop = SITE;
  r->joined = 1;
  r->said = 0;
  r->anyones = 0;
  ((Game *)r)->begun = r->changed;
  ((Game *)r)->mets = 0;
  r->ahead = taken;
  r->ahead_in = r->trying;
  for (r->left = count; r->left && stop == SITE;) {
    r->left--;
    stop = resume(r, *r->ahead++, FOR_GOOD);
  }
  if (!r->left) return stop;
  r->left = 0;
  r->unfit |= UNFIT_STOPPED;
  return GIVEN_UP;
}

/* ---- chance: equal things are one outcome */

/* Return how much a candidate counts where chance decides: tokens by their number. */
static inline int weight_of(const R *r, int candidate) {
  return flags_at[r->pc] & TOKEN ? r->m[TOKENS + candidate] : 1;
}

static void find_outcomes(Game *g, int tokens) {
  R *r = &g->r;
  int outcomes = 0;
  const int32_t *candidates = r->candidates + r->first;
  uint64_t seen[LONGS] = {0};
  g->all = 0;
  for (int number = 0, count = r->count; number < count; number++) {
    int one = candidates[number], weight = tokens ? r->m[TOKENS + one] : 1, same = outcomes;
    int document = tokens ? document_of(one) : 0;
    if (tokens && !(seen[document >> 6] >> (document & 63) & 1))
      seen[document >> 6] |= 1ull << (document & 63);
    else
      for (same = 0; same < outcomes && (tokens ? document_of(g->outcome[same]) != document : g->outcome[same] != one);)
        same++;
    g->all += weight;
    if (same < outcomes) {
      g->weight[same] += weight;
    } else if (same == MOST_CANDIDATES) {
      r->unfit |= UNFIT_OPTIONS;
    } else {
      g->outcome[outcomes] = one;
      g->weight[outcomes++] = weight;
    }
  }
  g->outcomes = outcomes;
}

static int draw_outcome(Game *g) {
  int number = 0;
  for (int left = (int)draw(g, (uint32_t)g->all); left >= g->weight[number]; number++) left -= g->weight[number];
  return g->outcome[number];
}

/* Draw one of several kinds of tokens that lie in one place. */
static int draw_token(Game *g, const int32_t *tokens, int count) {
  const int32_t *many = g->r.m + TOKENS;
  int all = 0;
  for (int number = 0; number < count; number++) all += many[tokens[number]];
  for (int left = (int)draw(g, (uint32_t)all); left >= many[*tokens]; tokens++) left -= many[*tokens];
  return *tokens;
}

/* Draw one of some candidates where the run stands, and let it be taken up at once. */
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
  r->joined = 1;
  r->said = 0;
  r->changed = 0;
  r->saved = r->floor = 0;
  r->budget = 4 * BUDGET;
  if (r->m[MUST_ASK]) set(r, MUST_ASK, 0);
}

/* ---- from one decision to the next */

enum { OVER, PLAYER, DICE, LOST };

/* Leave out what has proved impossible: the innermost text that is under way. */
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
        r->fp = below;
        r->pc = plain_at[pc];
        return go(r);
      }
      fp = below;
    }
  r->unfit |= UNFIT_DEAD_END;
  return GIVEN_UP;
}

/* The options were left in the middle, with choice points still noted as entered. */
static int give_up(Game *g) {
  memset(g->entered, 0, sizeof g->entered);
  return g->state = LOST;
}

static int advance(Game *g, int stop) {
  R *r = &g->r;
  for (;;) {
    r->budget = 4 * BUDGET;
    if (r->unfit || stop == GIVEN_UP) return give_up(g);
    if (stop == DONE || r->m[ENDED]) return g->state = OVER;
    if (stop != SITE) {
      stop = lapse(r);
      continue;
    }
    r->changed = 0;
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
    const Path *only = g->drawing ? &g->drawn : &g->paths[0];
    stop = follow(r, only->taken, only->count);
  }
}

/* Begin a frame in which nothing stands yet. */
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
  r->trying = r->joined = r->left = r->draws = r->declining = r->alone = 0;
  r->fenced = -1;
  r->floor = r->saved = r->first = 0;
  r->played_fp = -2;
  r->budget = 4 * BUDGET;
  r->said = 0;
  r->fp = -1;
  r->pc = 0;
}

/* What should have followed already follows with the first thing that happens. */
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
  while (stop == SITE) {
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
