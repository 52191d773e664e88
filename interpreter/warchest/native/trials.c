/* Looking ahead: whether pending work can be carried out. */

/* A choice in deep recursion that a look-ahead has explored: its place, followed by its variables and the memory. */
typedef struct Vain {
  struct Vain *before;
  int pc;
  int32_t cells[];
} Vain;

/* A choice on the way to the present state of the run, with its frame at that time, and the candidate that was taken;
 * and the failed choices so far. */
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

/* Whether a change is the first one of its cell, of those from `changed` on. */
static int is_first(const R *r, uint32_t changed, uint32_t one) {
  int cell = r->log[one & (CHANGES - 1)].cell;
  for (uint32_t other = changed; other < one; other++)
    if (r->log[other & (CHANGES - 1)].cell == cell) return 0;
  return 1;
}

/* Whether the memory is as it was after a number of changes; cells that play no part may differ. */
static int is_unchanged(const R *r, uint32_t changed) {
  for (uint32_t one = changed; one < r->changed; one++) {
    const Change *now = &r->log[one & (CHANGES - 1)];
    if (r->m[now->cell] != now->old && !is_scratch(now->cell) && is_first(r, changed, one)) return 0;
  }
  return 1;
}

/* Whether the run has returned to a choice that it passed before, with nothing changed meanwhile. */
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

/* Whether a candidate would close a cycle: it was taken before at this point, and nothing has changed since. */
static int closes(const R *r, const Passed *way, int candidate) {
  for (; way; way = way->before)
    if (way->pc == r->pc && way->candidate == candidate && is_round(r, way)) return 1;
  return 0;
}

/* Return the greatest number of waiting frames at the same instruction of the same code. */
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

/* Whether a choice has been explored before, or too many have; it is remembered. */
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

/* Whether a choice on a way leads only into ever deeper recursion. */
static int is_vain(R *r, const Passed *way) {
  int again = 0;
  Vain **vain = way->vain;
  for (; way; way = way->before) again += way->pc == r->pc;
  if (again < NESTED) return 0;
  int deep = nesting(r);
  return deep >= NESTED && (deep > DEEPEST || was_in_vain(r, vain));
}

/* Whether the run that stopped with `stop` can be completed by some choices; its state stays the same. */
static int completes(R *r, int stop, const Passed *way) {
  if (stop != CHOICE_POINT) return stop != FAIL && stop != GIVEN_UP;
  if (flags_at[r->pc] & CHANCE) return 1;
  if (!has_room(r, 0, r->count) || (way && is_vain(r, way))) return 0;
  int count = r->count, first = r->first, mode = r->mode, able = 0;
  r->first += count;
  Mark here;
  mark(r, &here, r->fp, r->pc);
  Vain *vain = NULL;
  Passed passed = {way, r->fp, r->pc, 0, here.saved, here.saved, here.changed, way ? way->vain : &vain};
  int open = flags_at[r->pc] & WINDOW || (r->declining && flags_at[r->pc] & OFFERS);
  int declines = open && r->candidates[first] < 0;
  for (int number = 0; number < (declines ? 1 : count) && !able && !r->unfit; number++) {
    passed.candidate = r->candidates[first + number];
    if (closes(r, way, passed.candidate)) continue;
    able = completes(r, resume(r, passed.candidate, LOOKING_AHEAD), &passed);
    undo(r, &here);
  }
  forget_vain(vain);
  release(r, &here);
  r->first = first;
  r->count = count;
  r->mode = mode;
  return able;
}

static int try_out(R *r, Mark *here) {
  int played = r->played_fp, budget = r->budget, declining = r->declining, mode = r->mode;
  r->mode = LOOKING_AHEAD;
  r->played_fp = -2;
  r->budget = BUDGET;
  r->declining = 1;
  if (r->lookahead > DEEPEST_TRIAL) r->unfit |= UNFIT_DEEP;
  look_ahead(r, 1);
  int able = !r->unfit && (failure_at[r->pc] == NEVER || completes(r, go(r), NULL));
  look_ahead(r, -1);
  r->budget = budget;
  r->declining = declining;
  r->played_fp = played;
  r->mode = mode;
  undo(r, here);
  release(r, here);
  return able;
}

/* Whether the routine under way can go on up to a fence. */
int can_reach(R *r, int fp, int pc, int fence) {
  Mark here;
  mark(r, &here, fp, pc);
  r->fp = fp;
  r->pc = pc;
  r->st[fp + HEADER + FENCE] = fence;
  r->st[fp + HEADER + FAILS] = 0;
  return try_out(r, &here);
}

/* The same, from a frame of the listing; the run stays at its choice point. */
int can_be_done(R *r, int fp, int pc, int fence) {
  int frame = r->fp, at = r->pc, count = r->count;
  int able = can_reach(r, fp, pc, fence);
  r->fp = frame;
  r->pc = at;
  r->count = count;
  return able;
}

/* Whether an answer that has just begun can be carried out; the work below it is ignored. */
int can_finish(R *r, int fp, int pc) {
  Mark here;
  mark(r, &here, fp, pc);
  r->fp = fp;
  r->pc = pc;
  fence_frame(r->st + fp + HEADER);
  return try_out(r, &here);
}
