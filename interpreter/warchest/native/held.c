/* Moments of games that are stored outside, so that many games share one machine in turn.
 *
 * A moment consists of cells: their number, the state of the game, the stack, and the options: the number of candidates
 * that each takes, its act (of an outcome of chance its weight), and the candidates. The memory follows, with only those
 * numbers of tokens that are not 0, which its bit sets show; so documents that are not in play take up hardly any room.
 * Last are the keys of the options: the candidates again, as a pickle that Python reads in one call. */

PUBLIC void game_key(const Game *g, uint64_t *out);

enum { KEPT_SIZE, KEPT_STATE, KEPT_FRAME, KEPT_PLACE, KEPT_STACK, KEPT_WAYS, KEPT_MEMORY, KEPT_KEYS, KEPT_HEAD };

static int stack_used(const R *r) { return r->fp < 0 ? 0 : r->fp + HEADER + routine_size[routine_at[r->pc]]; }

static long ways_of(const Game *g) { return g->state == PLAYER ? g->found : g->state == DICE ? g->outcomes : 0; }

/* Go through the tokens in a memory. */
#define FOR_TOKENS(m, token)                                                                       \
  for (int holder_ = 0; holder_ < HOLDERS; holder_++)                                              \
    for (int which_ = 0; which_ < LONGS; which_++)                                                 \
      for (uint64_t left_ = held(m, holder_, which_); left_; left_ &= left_ - 1)                   \
        for (int token = holder_ * documents + 64 * which_ + __builtin_ctzll(left_), one_ = 1; one_; one_ = 0)

/* Store a memory; return the cell after it. */
static int32_t *keep_memory(const int32_t *m, int32_t *to) {
  memcpy(to, m, TOKENS * sizeof *m);
  memcpy(to + TOKENS, m + SIZE, (CELLS - SIZE) * sizeof *m);
  to += TOKENS + CELLS - SIZE;
  FOR_TOKENS(m, token) *to++ = m[TOKENS + token];
  return to;
}

/* Restore a memory. After a fault, the bit sets may be wrong. */
static void stand_memory(R *r, const int32_t *from) {
  int32_t *m = r->m;
  if (r->unfit)
    memset(m + TOKENS, 0, (SIZE - TOKENS) * sizeof *m);
  else
    FOR_TOKENS(m, token) m[TOKENS + token] = 0;
#ifdef CHECK
  for (int token = 0; token < HOLDERS * documents; token++)
    if (m[TOKENS + token]) abort();
#endif
  memcpy(m, from, TOKENS * sizeof *m);
  memcpy(m + SIZE, from + TOKENS, (CELLS - SIZE) * sizeof *m);
  from += TOKENS + CELLS - SIZE;
  FOR_TOKENS(m, token) m[TOKENS + token] = *from++;
}

/* Store all of a game's present moment but the memory. */
static void keep_point(const Game *g, int32_t *to) {
  const R *r = &g->r;
  int32_t *at = to + KEPT_HEAD;
  long ways = ways_of(g);
  to[KEPT_STATE] = g->state;
  to[KEPT_FRAME] = r->fp;
  to[KEPT_PLACE] = r->pc;
  to[KEPT_STACK] = stack_used(r);
  to[KEPT_WAYS] = (int32_t)ways;
  memcpy(at, r->st, (size_t)to[KEPT_STACK] * sizeof *at);
  at += to[KEPT_STACK];
  for (long number = 0; number < ways; number++) {
    const Path *path = &g->paths[number];
    int dice = g->state == DICE, count = dice ? 1 : path->count;
    *at++ = count;
    *at++ = dice ? g->weight[number] : path->act;
    memcpy(at, dice ? &g->outcome[number] : path->taken, (size_t)count * sizeof *at);
    at += count;
  }
  to[KEPT_MEMORY] = (int32_t)(at - to);
}

/* Return the ways to go on from a moment that was kept. */
static const int32_t *ways_kept(const int32_t *from) { return from + KEPT_HEAD + from[KEPT_STACK]; }

/* The operations of pickle: begin a tuple, a number of four bytes, end the tuple, end the text. */
enum { MARKED = '(', NUMBER = 'J', TUPLE = 't', END = '.' };

/* Keep the keys of a moment, a tuple of tuples in the format of pickle. */
static void keep_keys(int32_t *to) {
  const int32_t *way = ways_kept(to);
  uint8_t *const first = (uint8_t *)(to + to[KEPT_KEYS]), *at = first;
  *at++ = MARKED;
  for (int number = 0; number < to[KEPT_WAYS]; number++, way += 2 + way[0]) {
    *at++ = MARKED;
    for (int place = 0; place < way[0]; place++) {
      uint32_t candidate = (uint32_t)way[2 + place];
      *at++ = NUMBER;
      for (int shift = 0; shift < 32; shift += 8) *at++ = (uint8_t)(candidate >> shift);
    }
    *at++ = TUPLE;
  }
  *at++ = TUPLE;
  *at++ = END;
  to[KEPT_SIZE] = to[KEPT_KEYS] + (int32_t)((at - first + 3) / 4);
}

/* Keep a game's present moment, unless it is lost, where there is room for as many options as a moment can have. */
PUBLIC void game_keep(const Game *g, int32_t *to) {
  if (g->state == LOST) return;
  keep_point(g, to);
  to[KEPT_KEYS] = (int32_t)(keep_memory(g->r.m, to + to[KEPT_MEMORY]) - to);
  keep_keys(to);
}

/* Restore the work under way at a moment. */
static void stand_frames(R *r, const int32_t *from) {
  forget_all(r);
  memcpy(r->st, from + KEPT_HEAD, (size_t)from[KEPT_STACK] * sizeof *r->st);
  r->fp = from[KEPT_FRAME];
  r->pc = from[KEPT_PLACE];
}

/* Find the options, or the outcomes of chance, of a stored moment. */
static void find_kept(Game *g, const int32_t *from) {
  const int32_t *at = ways_kept(from);
  g->state = from[KEPT_STATE];
  g->all = 0;
  g->found = g->outcomes = g->open = 0;
  for (int number = 0; number < from[KEPT_WAYS]; number++) {
    int count = *at++, rank = *at++;
    if (g->state == DICE) {
      g->outcome[g->outcomes] = *at;
      g->weight[g->outcomes++] = rank;
      g->all += rank;
    } else {
      Path *path = &g->paths[g->found++];
      path->count = (int16_t)count;
      path->act = (int16_t)rank;
      path->open = 0;
      memcpy(path->taken, at, (size_t)count * sizeof *at);
    }
    at += count;
  }
  g->kept = g->found;
}

/* Return to a stored moment. */
PUBLIC void game_stand(Game *g, const int32_t *from) {
  stand_memory(&g->r, from + from[KEPT_MEMORY]);
  stand_frames(&g->r, from);
  find_kept(g, from);
}

/* Return the number of options, or of outcomes of chance; in the last two bits, the state of the game; between them,
 * the player who decides: 0 is chance. */
PUBLIC int game_ways(Game *g) {
  int player = g->state == PLAYER ? 1 + decider(&g->r) : 0;
  return (int)(ways_of(g) << 8 | (player & 63) << 2 | g->state);
}

/* Take the option, or the outcome of chance, of a number, and keep the moment that it leads to. */
PUBLIC int game_choose(Game *g, int number, int32_t *to) {
  if (g->state == DICE)
    game_roll(g, g->outcome[number]);
  else
    game_take(g, number);
  game_keep(g, to);
  return game_ways(g);
}

/* Whether a memory is the stored one, except for the numbers of the round and the turn. */
static int is_stored(const int32_t *m, const int32_t *then) {
  const int32_t *tokens = then + TOKENS + CELLS - SIZE;
  int same = !memcmp(m + TURN + 1, then + TURN + 1, (TOKENS - TURN - 1) * sizeof *m);
  same = same && !memcmp(m + SIZE, then + TOKENS, (CELLS - SIZE) * sizeof *m);
  if (same) FOR_TOKENS(m, token) same &= m[TOKENS + token] == *tokens++;
  return same;
}

/* Return whether play that begins from the memory of a moment alone stops at that moment: 1 if it does, 0 if not; -1
 * if that is unknown here. `timed` are pairs of a cell that a new turn or round resets, which keeps its value here,
 * and its piece, or -1. */
PUBLIC int game_opens(Game *g, const int32_t *from, const int32_t *timed, int cells) {
  R *r = &g->r;
  const int32_t *stack = from + KEPT_HEAD, *then = from + from[KEPT_MEMORY];
  stand_memory(r, then);
  PieceSet live = set_in(r->m, LIVE);
  forget_all(r);
  begin_frame(r, PLAY, -1, 0);
  int stop = go(r);
  unwatch();
  if (r->unfit) return -1;
  if (stop != CHOICE_POINT) return 0;
  for (int number = 0; number < cells; number++) {
    int cell = timed[2 * number], piece = timed[2 * number + 1];
    if (!then[cell] || (piece >= 0 && !has(live, piece))) continue;
    r->m[cell] = then[cell];
    r->m[MUST_ASK] = 1;
  }
  if (r->fp == from[KEPT_FRAME] && r->pc == from[KEPT_PLACE] && stack_used(r) == from[KEPT_STACK] &&
      !memcmp(r->st, stack, (size_t)from[KEPT_STACK] * sizeof *stack) && is_stored(r->m, then))
    return 1;
  uint64_t fresh[2], kept[2];
  game_key(g, fresh);
  game_stand(g, from);
  game_key(g, kept);
  return fresh[0] == kept[0] && fresh[1] == kept[1] ? -1 : 0;
}
