/* Options: the possible choices at the run's choice point, as paths of candidates. */

enum { MOST_OPTIONS = 1 << 13 };

/* A path through choice points, and the act that it leads to; one that is open may still prove impossible. */
typedef struct {
  int16_t count, act, open;
  int32_t taken[LONGEST];
} Path;

/* A moment at which a text began that any equal piece could carry out. */
enum { MOST_MET = 16, MET_CELLS = 512, MET_CHANGES = 64 };

typedef struct {
  int depth, fp, pc, changed;
  int32_t taken[LONGEST], st[MET_CELLS];
  Change change[MET_CHANGES]; /* the cells that have changed since the option began, with their values then */
} Met;

/* A place at which the look-ahead reached such a text for one of several equal pieces. */
enum { MOST_ALIKE = 8, ALIKE_CHANGES = 16 };

typedef struct {
  int begun, depth, piece;
  uint32_t made, changed;
  int32_t taken[LONGEST];
  Change change[ALIKE_CHANGES];
} Alike;

/* The options that are kept when they are found: each; one that is drawn; those left open, and the one with the highest
 * mark of the others, for the number that a bot will draw; or none, so that only their number counts. */
enum { EACH, DRAWN, HIGHEST, NONE };

typedef struct Game {
  R r;
  uint32_t begun; /* the number of changes when the options began */
  int mets, alikes;
  int keeps, favourite;   /* the options that are kept, and the preferred act where one is drawn */
  int found, preferred;   /* the number of options, and of those with that act */
  int kept;               /* the number of options in `paths` */
  int open;               /* the number of options that are left open */
  int enough;             /* the number of options, none of them open, at which the listing ends; 0: it never does */
  int foreseen;           /* the option that the bot at play will draw; -1 if this is unknown (see games.c) */
  int weigher, weigh_turn; /* the player who values options (-1: none), and in which turn: see valued.c */
  const struct Bots *bots; /* the bots at play, and their generator; NULL without any (see games.c) */
  const struct Chance *chance;
  Path *paths;
  Path best; /* the option that is drawn, or has the highest mark */
  const int8_t *favours; /* for marks: the favourite acts of the bot that draws a number, and this number */
  uint32_t number;
  int liked; /* whether the best option so far is of a favourite act; -1 without one */
  uint64_t highest;
  int outcomes, all, outcome[MOST_CANDIDATES], weight[MOST_CANDIDATES];
  uint64_t random;
  int state;
  int8_t entered[UNITS << UNIT_BITS];
  int32_t start[CELLS]; /* the initial memory of whole games */
  Met met[MOST_MET];
  Alike alike[MOST_ALIKE];
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

static __attribute__((noinline)) void put_options(Game *g, int depth, const int32_t *last, int count, int act) {
  R *r = &g->r;
  Path *to = g->paths + g->kept;
  if (g->kept + count > MOST_OPTIONS) {
    r->unfit |= UNFIT_OPTIONS;
    return;
  }
  for (int number = 0; number < count; number++) put_path(r, to++, depth, act, last ? last + number : NULL);
  g->found += count;
  g->kept += count;
  if (g->enough && g->found - g->open >= g->enough) r->unfit |= FOUND_ENOUGH;
}

static __attribute__((noinline)) void keep_best(Game *g, int depth, const int32_t *last, int act) {
  put_path(&g->r, &g->best, depth, act, last);
}

/* Return the mark of an option for a number, with one more candidate in it, or with several. */
HELPER uint64_t marked(uint64_t mark, int32_t taken) {
  mark = (mark ^ (uint32_t)taken) * 0x9E3779B97F4A7C15ull;
  return mark ^ mark >> 32;
}

HELPER uint64_t all_marked(uint64_t mark, const int32_t *taken, int count) {
  for (int at = 0; at < count; at++) mark = marked(mark, taken[at]);
  return mark;
}

/* Return the mark of an option with all its candidates: the order of options does not determine which has the
 * highest. */
HELPER uint64_t ended_mark(uint64_t mark) {
  mark = (mark ^ mark >> 30) * 0xBF58476D1CE4E5B9ull;
  mark = (mark ^ mark >> 27) * 0x94D049BB133111EBull;
  return mark ^ mark >> 31;
}

/* Keep the option with the highest mark, among those of a favourite act if there are any. */
static __attribute__((noinline)) void mark_options(Game *g, int depth, const int32_t *last, int count, int act) {
  int likes = g->favours[act], best = -1;
  g->found += count;
  if (likes < g->liked || !count) return;
  uint64_t before = all_marked(g->number, g->r.taken, depth), highest = g->highest;
  if (likes > g->liked) {
    best = 0;
    highest = 0;
  }
  for (int number = 0; number < count; number++) {
    uint64_t found = ended_mark(last ? marked(before, last[number]) : before);
    best = found > highest ? number : best; /* no branch: a processor cannot predict it */
    highest = found > highest ? found : highest;
  }
  if (best < 0) return;
  g->liked = likes;
  g->highest = highest;
  keep_best(g, depth, last ? last + best : NULL, act);
}

/* Collect options: one path, or one for each of some last candidates; or draw one of all found so far. */
void add_options(R *r, int depth, const int32_t *last, int count, int act) {
  Game *g = (Game *)r;
  switch (g->keeps) {
    case EACH: put_options(g, depth, last, count, act); return;
    case HIGHEST: mark_options(g, depth, last, count, act); return;
    case NONE: g->found += count; return;
  }
  int among = g->found += count;
  if (act == g->favourite)
    among = g->preferred += count;
  else if (g->preferred)
    return;
  /* The first one with the favourite act is taken, whatever was drawn before. */
  int which = among > 1 ? (int)draw(g, (uint32_t)among) : 0;
  if (which < count) keep_best(g, depth, last ? last + which : NULL, act);
}

/* Collect such options, and leave it open whether they can be completed. */
void leave_open(R *r, int depth, const int32_t *last, int count, int act) {
  Game *g = (Game *)r;
  int first = g->kept;
  g->open += count;
  put_options(g, depth, last, count, act);
  for (int number = first; number < g->kept; number++) g->paths[number].open = 1;
}

static int decider(R *r) { return UNIT_AT(r)->decider(r); }

static int ends_here(R *r) {
  int flags = flags_at[r->pc];
  return flags & ENDS || (flags & ENDS_UNLESS && UNIT_AT(r)->ends(r));
}

/* Update the marks of the frames above one for whether the waiting work can fail. */
static void renew_fails(R *r, int below) {
  int above[STACK / HEADER], count = 0;
  for (int fp = r->fp; fp != below; fp = r->st[fp]) above[count++] = fp;
  while (count--) {
    int32_t *frame = r->st + above[count] + HEADER;
    frame[FAILS] = can_fail(r, frame[BELOW], frame[RETURN]);
  }
}

/* Whether the answer that the options belong to can be carried out from the stop of the run, with no offer accepted;
 * an answer that is over is complete. */
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

#include "met.c"

static void from_point(R *r, int depth, const Passed *way);

/* Go on from the stop that was reached by taking a candidate. */
static void after(R *r, int stop, int depth, const Passed *way) {
  if (stop == FAIL || stop == GIVEN_UP) return;
  if (stop == CHOICE_POINT && r->in_option && !(flags_at[r->pc] & CHANCE) && decider(r) == r->walker) {
    from_point(r, depth, way);
    return;
  }
  if (met_before(r, depth, way)) return;
  if (stop == CHOICE_POINT && can_fail(r, r->fp, r->pc)) {
    if (r->hasty) leave_open(r, depth, NULL, 1, act_said(r->said));
    if (r->hasty || !completes_answer(r, stop) || !completes(r, stop, NULL)) return;
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
    after(r, answers && candidate < 0 ? HORIZON : stop, depth + 1, &passed);
    undo(r, &here);
  }
  release(r, &here);
}

/* Carry out the candidates taken from `depth` up to `end`, from the present state of the run, and collect the options
 * after them: those that begin with `many` candidates of the point there, or all if there are none. */
static void walk_along(R *r, int depth, int end, const Passed *way, const int32_t *candidates, int many) {
  if (depth == end) {
    walk(r, candidates, many, end, way);
    return;
  }
  Mark here;
  mark(r, &here, r->fp, r->pc);
  Passed passed = {way, r->fp, r->pc, r->taken[depth], here.saved, here.saved, here.changed, NULL, here.anyones};
  int answers = r->alone && flags_at[r->pc] & ANSWER, left = end - depth - 1;
  int stop = resume(r, passed.candidate, WALKING);
  if (!left && !many)
    after(r, answers && passed.candidate < 0 ? HORIZON : stop, end, &passed);
  else if (stop == CHOICE_POINT)
    walk_along(r, depth + 1, end, &passed, candidates, many);
  else if (left || stop != FAIL)
    r->unfit |= UNFIT_STOPPED;
  undo(r, &here);
  release(r, &here);
}

enum { MOST_MADE = 256 };

/* Collect the options after the candidates taken up to `depth`, and then any of some candidates, by carrying these
 * out; what precedes them is carried out once. */
void walk_each(R *r, int depth, int top, const int32_t *candidates, int many) {
  Looking *looking = &r->looking;
  uint32_t made = r->changed - looking->changed;
  int was = looking->top;
  Change now[MOST_MADE];
  if (r->unfit) return;
  if (made > MOST_MADE) {
    r->unfit |= UNFIT_CHANGES;
    return;
  }
  /* The listing's own changes are undone meanwhile. */
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

/* Collect the options after the candidates taken up to `depth` by carrying these out. */
void walk_on(R *r, int depth, int top) { walk_each(r, depth, top, NULL, 0); }

/* Collect the options that begin with the candidates at the run's choice point, on a copy of its frame. */
static void look_on(R *r, int count, int depth, const Passed *way) {
  Looking outer = r->looking;
  int size = HEADER + routine_size[routine_at[r->pc]];
  copy_cells(r->st + outer.top, r->st + r->fp, size);
  r->looking = (Looking){way, depth, outer.top, r->changed};
  UNIT_AT(r)->look(r, outer.top, r->said, depth, count);
  r->looking = outer;
}

/* Leave out the candidates that close a cycle; return the number of the others. */
static int drop_closing(R *r, const Passed *way) {
  int32_t *candidates = r->candidates + r->first;
  int left = 0;
  for (int number = 0; number < r->count; number++)
    if (!closes(r, way, candidates[number])) candidates[left++] = candidates[number];
  return left;
}

/* Collect the options that begin at a choice point, where the run is with its candidates. */
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

/* Return the frame of the innermost answer under way; -1 where there is none. */
HELPER int innermost_answer(const R *r) {
  int fp = r->hooked ? r->fp : -1;
  for (int place = r->pc; fp >= 0 && !(flags_at[place] & IN_ANSWER); fp = r->st[fp]) place = r->st[fp + 1];
  return fp;
}

/* Return the frame of the answer within which a player chooses: the outermost of the player's own, or the innermost
 * of all; -1 if there is none. */
static int answer_of(const R *r, int player) {
  int found = innermost_answer(r), cur = 0;
  for (int fp = found; fp >= 0 && descend(r, &fp, &cur);)
    if (routine_is_hook[cur] && r->st[fp + HEADER + YOU] == player) found = fp;
  return found;
}

/* Begin to walk through options whose consequences must be possible, within an answer or about one. */
HELPER void begin_sure(R *r) {
  int about = flags_at[r->pc] & ANSWER;
  r->answer = about ? -1 : innermost_answer(r);
  r->declining = r->answer < 0 && !about;
}

static void fence_answer(R *r) {
  r->fenced = answer_of(r, r->walker);
  if (r->fenced < 0) return;
  fence_frame(r->st + r->fenced + HEADER);
  renew_fails(r, r->fenced);
}

static void unfence_answer(R *r) {
  if (r->fenced < 0) return;
  r->st[r->fenced + HEADER + FENCE] = -1;
  renew_fails(r, r->st[r->fenced]);
  r->fenced = -1;
}

/* Begin to walk through the options at the run's choice point. */
HELPER void begin_options(R *r) {
  Game *g = (Game *)r;
  g->begun = r->changed;
  g->mets = g->alikes = 0;
  look_ahead(r, 1);
  r->mode = WALKING;
  r->in_option = 1;
  r->said = 0;
  r->anyones = 0;
  r->looking.top = STACK;
  r->walker = decider(r);
  if (!r->hasty) begin_sure(r); /* in haste, no answer is searched for that an offer could be in */
  if (r->alone) fence_answer(r);
}

/* The run is at the choice point again, with a number of candidates. */
HELPER void end_options(R *r, int count) {
  if (r->alone) unfence_answer(r);
  r->answer = -1;
  r->declining = 0;
  r->in_option = 0;
  r->mode = FOR_GOOD;
  look_ahead(r, -1);
  r->count = count;
}

/* Whether the player who values options goes on in the same turn, and knows enough for that. */
SELDOM static int goes_on(Game *g) {
  R *r = &g->r;
  return !r->shown && r->m[TURN] == g->weigh_turn && decider(r) == g->weigher;
}

static void settle_options(Game *g, int enough);
static const int8_t *favours_known(const Game *g, uint32_t *number);

/* Find all options at the run's choice point, or enough; if it is `alone`, see R. */
HELPER __attribute__((always_inline)) void find(Game *g, int alone) {
  R *r = &g->r;
  int count = r->count;
  r->alone = alone;
  if (g->weigher >= 0) g->enough = goes_on(g) ? 0 : 2; /* two prove that there is a choice */
  if (g->keeps != DRAWN) {
    g->favours = favours_known(g, &g->number);
    g->keeps = g->favours ? HIGHEST : EACH;
  }
  do {
    if (r->unfit) g->keeps = EACH;
    r->unfit &= ~(uint32_t)KEEP_EACH;
    g->found = g->preferred = g->open = g->kept = 0;
    g->foreseen = g->liked = -1;
    begin_options(r);
    if (flags_at[r->pc] & SAYS) UNIT_AT(r)->context(r);
    from_point(r, 0, NULL);
    end_options(r, count);
  } while (r->unfit & KEEP_EACH);
  if (g->liked >= 0) g->paths[g->kept++] = g->best;
  r->unfit &= ~(uint32_t)FOUND_ENOUGH;
  g->enough = 0;
}

SELDOM static void find_alone(Game *g) {
  find(g, 1);
  settle_options(g, 2);
}

/* Find all options at the run's choice point, enough of them checked to show whether there is a choice.
 *
 * Answers, and offers to other players, do not depend on the work below. */
static void find_options(Game *g) {
  R *r = &g->r;
  int answering = innermost_answer(r) >= 0;
  r->hooked = answering;
  find(g, 0);
  settle_options(g, 2);
  if (g->found > 1 || r->unfit) return;
  const Path *only = g->keeps == DRAWN ? &g->best : &g->paths[0];
  int active = ACTIVE < 0 || r->m[ACTIVE] < 0 ? 0 : r->m[ACTIVE];
  if (g->found && (only->count > 1 || only->taken[0] >= 0 || decider(r) == active)) return;
  if (flags_at[r->pc] & ANSWER || answering) find_alone(g);
}

/* ---- options that were left open */

/* Return the option with the highest mark for a drawn number, among those with a favourite act if there are any. */
static int pick(const Game *g, uint32_t drawn, const int8_t *favours) {
  int best = -1, liked = 0;
  uint64_t highest = 0;
  if (g->kept == 1) return 0;
  for (int number = 0; number < g->kept; number++) {
    const Path *path = &g->paths[number];
    int likes = favours[path->act];
    if (likes < liked) continue;
    uint64_t found = ended_mark(all_marked(drawn, path->taken, path->count));
    if (best >= 0 && likes == liked && found <= highest) continue;
    best = number;
    liked = likes;
    highest = found;
  }
  return best;
}

/* Whether an option can be completed; if not, it is left out. */
static int holds(Game *g, int number) {
  R *r = &g->r;
  Path *one = &g->paths[number];
  int count = r->count, hasty = r->hasty, found = g->found, keeps = g->keeps;
  if (!one->open) return 1;
  g->open--;
  one->open = 0;
  copy_cells(r->taken, one->taken, one->count);
  g->keeps = NONE;
  r->hasty = 0;
  r->budget = 4 * BUDGET;
  begin_options(r);
  r->first += count; /* keeps the candidates: options can be listed here once more */
  walk_along(r, 0, one->count, NULL, NULL, 0);
  r->first -= count;
  end_options(r, count);
  r->hasty = hasty;
  g->keeps = keeps;
  if (g->found > found) {
    g->found = found;
    return 1;
  }
  g->found--;
  g->kept--;
  if (g->foreseen >= number) g->foreseen = g->foreseen > number ? g->foreseen - 1 : -1;
  memmove(one, one + 1, (size_t)(g->kept - number) * sizeof *one);
  return 0;
}

/* Check options that were left open, until a number of them are sure. */
static void settle_options(Game *g, int enough) {
  int number = 0;
  if (!g->open || g->found - g->open >= enough) return;
  if (g->favours) g->foreseen = pick(g, g->number, g->favours);
  if (g->foreseen >= 0) holds(g, g->foreseen);
  while (number < g->kept && g->open && g->found - g->open < enough && !g->r.unfit) number += holds(g, number);
}

/* Take candidates, one after another. */
static int follow(R *r, const int32_t *taken, int count) {
  int stop = CHOICE_POINT;
  r->in_option = 1;
  r->said = 0;
  r->ahead = taken;
  r->ahead_in = r->lookahead;
  for (r->left = count; r->left && stop == CHOICE_POINT;) {
    r->left--;
    stop = resume(r, *r->ahead++, FOR_GOOD);
  }
  if (!r->left) return stop;
  r->left = 0;
  r->unfit |= UNFIT_STOPPED;
  return GIVEN_UP;
}
