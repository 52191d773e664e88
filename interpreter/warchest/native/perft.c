/* Turn successors: the different states at the end of a turn.
 *
 * A state is identified by a key of 128 bits, in which pieces are identified by their places and not by their
 * numbers. */

typedef struct {
  uint64_t one, other;
} Key;

static inline void feed_both(Key *key, uint64_t one, uint64_t other) {
  key->one = (key->one ^ one) * 0x9E3779B97F4A7C15ull;
  key->one ^= key->one >> 29;
  key->other = (key->other + other) * 0xC2B2AE3D27D4EB4Full;
  key->other ^= key->other >> 31;
}

static inline void feed(Key *key, int32_t value) { feed_both(key, (uint32_t)value, (uint32_t)value); }

/* Four cells at a time go into two keys, so that neither waits for the other. */
static void feed_cells(Key *key, const int32_t *cells, int count) {
  Key beside = {7, 11};
  uint64_t two[2];
  int number = 0;
  for (; number + 4 <= count; number += 4) {
    memcpy(two, cells + number, sizeof two);
    feed_both(key, two[0], two[0]);
    feed_both(&beside, two[1], two[1]);
  }
  for (; number < count; number++) feed(key, cells[number]);
  feed_both(key, beside.one, beside.other);
}

static void feed_trails(Key *key, const R *r, int piece) {
  for (int trail = 0; trail < PIECE_TRAILS; trail++) {
    int steps = r->m[cell_of(piece) + trail_cell[trail]];
    if (steps > 0) feed_cells(key, r->m + TRAILS + (trail_row[trail] + piece) * DEEP, steps);
  }
}

/* Trails of others than pieces have the first rows; after the last step of each are zeros. */
static void feed_other_trails(Key *key, const R *r) {
  feed_cells(key, r->m + TRAILS, (PIECE_TRAILS ? trail_row[0] - 1 : TRAIL_ROWS) * DEEP);
}

/* Replace the number of a piece, or of the piece that a token is in, by its rank. */
static int32_t ranked(int32_t value, int is_token, const int8_t *rank) {
  if (!is_token) return value >= 0 && value < ROOM ? rank[value] : -1;
  int holder = value < 0 ? 0 : holder_of(value);
  return holder < IN_PIECE ? value : (IN_PIECE + rank[holder - IN_PIECE]) * documents + document_of(value);
}

static void feed_frame(Key *key, const R *r, int fp, int pc, const int8_t *rank) {
  int routine = routine_at[pc], size = routine_size[routine];
  int32_t cells[MOST_CELLS];
  memcpy(cells, r->st + fp + HEADER, (size_t)size * sizeof *cells);
  /* The cells after the rest of a list may have any contents. */
  for (const int16_t *list = routine_lists + routine_first_list[routine]; *list >= 0; list += 3) {
    int left = list[2] ? 1 + 2 * (cells[*list] > 0 ? cells[*list] : 0) : 2 + (cells[*list + 1] > 0 ? cells[*list + 1] : 0);
    for (int at = left; at < list[1]; at++) cells[*list + at] = -1;
  }
  for (const int16_t *mention = routine_mentions + routine_first_mention[routine]; *mention; mention++) {
    int kind = *mention / MOST_PLACES, tokens = kind == 2 || kind == 4;
    int32_t *variable = cells + *mention % MOST_PLACES;
    int count = kind == 3 || kind == 4 ? variable[1] : kind == 5 ? variable[0] : 1;
    int32_t *one = kind >= 3 ? variable + 2 : variable;
    for (; count-- > 0; one += kind == 5 ? 2 : 1) *one = ranked(*one, tokens, rank);
  }
  feed(key, pc);
  feed_cells(key, cells, size);
}

/* Return the number of records of the same value of the same piece that are older than one of them. */
static int order_of(const R *r, int record) {
  const int32_t *it = r->m + record;
  int older = 0;
  FOR_GRANTS(r, one)
    older += r->m[one + HAS] == it[HAS] && r->m[one + WHAT] == it[WHAT] && r->m[one + ORDER] < it[ORDER];
  return older;
}

/* All temporary values and bonuses, in any order. */
static void feed_grants(Key *key, const R *r, const int8_t *rank) {
  Key all = {0, 0};
  FOR_GRANTS(r, one) {
    Key record = {1, 2};
    int has = r->m[one + HAS], away = has < 0;
    feed(&record, r->m[one + CLAUSE]);
    feed(&record, ranked(away ? -1 - has : has, 0, rank));
    feed(&record, away);
    feed(&record, r->m[one + WHAT]);
    feed(&record, r->m[one + AMOUNT]);
    feed(&record, ranked(r->m[one + BY], 0, rank));
    feed(&record, r->m[one + YOU_THEN]);
    feed(&record, order_of(r, one));
    all.one += record.one;
    all.other += record.other;
  }
  key->one ^= all.one;
  key->other ^= all.other;
}

static Key key_of(const R *r) {
  Key key = {3, 5};
  int32_t pieces[ROOM];
  int8_t rank[ROOM];
  int count = members_of(set_in(r->m, LIVE), pieces), fields = PIECES + ROOM * STRIDE;
  memset(rank, -1, sizeof rank);
  by_place(r, pieces, count);
  for (int number = 0; number < count; number++) {
    rank[pieces[number]] = (int8_t)number;
    feed_cells(&key, r->m + cell_of(pieces[number]), STRIDE);
    feed_trails(&key, r, pieces[number]);
    feed_cells(&key, r->m + TOKENS + (IN_PIECE + pieces[number]) * documents, documents);
  }
  feed_cells(&key, r->m + fields, GRANTED - fields);
  feed_other_trails(&key, r);
  feed_cells(&key, r->m + TOKENS, IN_PIECE * documents);
  feed_grants(&key, r, rank);
  feed(&key, r->m[WINNER]);
  feed(&key, r->m[ENDED]);
  if (r->m[ENDED]) return key;
  feed(&key, r->m[POSTPONED]);
  feed(&key, r->m[MUST_ASK]);
  for (int fp = r->fp, pc = r->pc; fp >= 0; pc = r->st[fp + 1], fp = r->st[fp]) feed_frame(&key, r, fp, pc, rank);
  return key;
}

PUBLIC void game_key(const Game *g, uint64_t *out) {
  Key key = key_of(&g->r);
  out[0] = key.one;
  out[1] = key.other;
}

/* ---- sets of keys */

typedef struct {
  Key *slots;
  size_t room, count;
} Keys;

static int put_key(Keys *keys, Key key);

static int grow(Keys *keys) {
  Keys more = {calloc(keys->room ? 2 * keys->room : 1024, sizeof(Key)), keys->room ? 2 * keys->room : 1024, 0};
  if (!more.slots) return 0;
  for (size_t at = 0; at < keys->room; at++)
    if (keys->slots[at].one) put_key(&more, keys->slots[at]);
  free(keys->slots);
  *keys = more;
  return 1;
}

/* Add a key; return 1 if it is new, 0 if it was there, -1 if there is no memory for it. */
static int put_key(Keys *keys, Key key) {
  if (!key.one) key.one = 1;
  if (4 * keys->count >= 3 * keys->room && !grow(keys)) return -1;
  size_t at = key.one & (keys->room - 1);
  for (; keys->slots[at].one; at = (at + 1) & (keys->room - 1))
    if (keys->slots[at].one == key.one && keys->slots[at].other == key.other) return 0;
  keys->slots[at] = key;
  keys->count++;
  return 1;
}

/* ---- states that wait for their turn */

typedef struct {
  int32_t *cells; /* one after another: the memory, the frame, the place, the size of the stack, and the stack */
  size_t room, size, count;
} States;

static int put_state(States *states, const R *r) {
  int stack = stack_used(r);
  size_t size = CELLS + 3 + (size_t)stack;
  if (states->size + size > states->room) {
    size_t room = 2 * states->room + size;
    int32_t *cells = realloc(states->cells, room * sizeof *cells);
    if (!cells) return 0;
    states->cells = cells;
    states->room = room;
  }
  int32_t *to = states->cells + states->size;
  memcpy(to, r->m, sizeof r->m);
  to[CELLS] = r->fp;
  to[CELLS + 1] = r->pc;
  to[CELLS + 2] = stack;
  memcpy(to + CELLS + 3, r->st, (size_t)stack * sizeof *to);
  states->size += size;
  states->count++;
  return 1;
}

/* Load a state into the game; return the beginning of the next one. */
static size_t take_state(Game *g, const States *states, size_t at) {
  const int32_t *from = states->cells + at;
  forget_all(&g->r);
  memcpy(g->r.m, from, sizeof g->r.m);
  memcpy(g->r.st, from + CELLS + 3, (size_t)from[CELLS + 2] * sizeof *from);
  g->r.fp = from[CELLS];
  g->r.pc = from[CELLS + 1];
  g->state = g->r.m[ENDED] || g->r.fp < 0 ? OVER : PLAYER;
  return at + CELLS + 3 + (size_t)from[CELLS + 2];
}

/* ---- turns */

typedef struct {
  Game *game, *other;
  Keys found, seen;
  States further, waiting, ended;
  long most, kept; /* the most states to find, and the most cells for waiting states */
  long over;       /* the number of states at the end of the game */
  int turn, round, last, failed;
  Path *ways;
  long room;
} Turns;

/* Whether no act is under way: whether the game would also stop here if it began from the memory alone. */
static int is_boundary(Turns *t) {
  const R *r = &t->game->r;
  if (!r->m[MUST_ASK]) return 0;
  R *fresh = &t->other->r;
  forget_all(fresh);
  memcpy(fresh->m, r->m, sizeof r->m);
  fresh->m[MUST_ASK] = 1;
  begin_frame(fresh, PLAY, -1, 0);
  if (go(fresh) != CHOICE_POINT || fresh->unfit) return 0;
  Key one = key_of(fresh), other = key_of(r);
  return one.one == other.one && one.other == other.other;
}

/* Record the state after a decision. */
static void note_state(Turns *t) {
  Game *g = t->game;
  R *r = &g->r;
  if (g->state == LOST) {
    t->failed |= (int)r->unfit;
    return;
  }
  int is_end = g->state == OVER || r->m[TURN] != t->turn || r->m[ROUND] != t->round;
  int is_new = put_key(is_end ? &t->found : &t->seen, key_of(r)), kept = 1;
  if (is_new == 1) {
    t->over += g->state == OVER;
    if (!is_end) kept = put_state(&t->waiting, r);
    else if (g->state == OVER) kept = put_state(&t->ended, r);
    else if (!t->last) kept = put_state(&t->further, r);
  }
  size_t cells = t->waiting.size + t->further.size + t->ended.size;
  if (is_new < 0 || !kept || (long)t->found.count > t->most || cells > (size_t)t->kept) t->failed |= UNFIT_OPTIONS;
}

/* Store the options, or the outcomes of chance, of the present decision. */
static long put_ways(Turns *t) {
  const Game *g = t->game;
  long count = g->state == DICE ? g->outcomes : g->found;
  if (count > t->room) {
    Path *ways = realloc(t->ways, (size_t)(2 * count) * sizeof *ways);
    if (!ways) return 0;
    t->ways = ways;
    t->room = 2 * count;
  }
  if (g->state == DICE)
    for (long number = 0; number < count; number++) t->ways[number] = (Path){.count = 1, .taken = {g->outcome[number]}};
  else
    memcpy(t->ways, g->paths, (size_t)count * sizeof *t->ways);
  return count;
}

/* Follow every option, or every outcome of chance, of a state that the game is at. */
static void follow_all(Turns *t, const States *from, size_t at) {
  Game *g = t->game;
  long count = put_ways(t);
  if (!count) t->failed |= UNFIT_OPTIONS;
  for (long number = 0; number < count && !t->failed; number++) {
    take_state(g, from, at);
    advance(g, follow(&g->r, t->ways[number].taken, t->ways[number].count));
    note_state(t);
  }
}

/* Record all successors of a state; one between two rounds, or after the game, has none, and is one itself. */
static void note_successors(Turns *t, const States *from, size_t at) {
  Game *g = t->game;
  take_state(g, from, at);
  if (look(g) == LOST) t->failed |= (int)g->r.unfit;
  if (t->failed) return;
  t->turn = g->r.m[TURN];
  t->round = g->r.m[ROUND];
  if (g->state == OVER || (g->state == DICE && is_boundary(t))) {
    int is_new = put_key(&t->found, key_of(&g->r));
    if (is_new == 1) t->over += g->state == OVER;
    if (is_new < 0 || (g->state == OVER ? !put_state(&t->ended, &g->r) : !t->last && !put_state(&t->further, &g->r)))
      t->failed |= UNFIT_OPTIONS;
    return;
  }
  t->waiting.size = t->waiting.count = 0;
  if (t->seen.room) memset(t->seen.slots, 0, t->seen.room * sizeof *t->seen.slots);
  t->seen.count = 0;
  follow_all(t, from, at);
  for (size_t next = 0; next < t->waiting.size && !t->failed;) {
    size_t here = next;
    next = take_state(g, &t->waiting, here);
    if (look(g) == LOST)
      t->failed |= (int)g->r.unfit;
    else
      follow_all(t, &t->waiting, here);
  }
}

/* Count the different states after a number of turns, without those at the end of the game, which are put into
 * `ended`, perhaps repeatedly, in the form of States. Return -1 if the machine has given up (see `game_unfit`). The
 * caller must free them. */
PUBLIC long game_perft(
    Game *g, Game *other, const Game *start, int depth, long most, long kept, int32_t **ended, long *cells) {
  Turns t = {.game = g, .other = other, .most = most, .kept = kept};
  States edge = {0};
  long count = 1;
  watch();
  t.failed = put_state(&edge, &start->r) ? 0 : UNFIT_OPTIONS;
  while (!t.failed && depth-- > 0) {
    t.last = !depth;
    t.over = 0;
    t.further.size = t.further.count = t.ended.size = t.ended.count = 0;
    free(t.found.slots);
    t.found = (Keys){0};
    for (size_t at = 0; at < edge.size && !t.failed;) {
      size_t here = at;
      at += CELLS + 3 + (size_t)edge.cells[here + CELLS + 2];
      note_successors(&t, &edge, here);
    }
    count = (long)t.found.count - t.over;
    /* States at the end of the game are kept, and counted at every greater depth. */
    for (size_t at = 0; !t.last && at < t.ended.size && !t.failed;) {
      at = take_state(g, &t.ended, at);
      if (!put_state(&t.further, &g->r)) t.failed |= UNFIT_OPTIONS;
    }
    States swap = edge;
    edge = t.further;
    t.further = swap;
  }
  unwatch();
  free(edge.cells);
  free(t.further.cells);
  free(t.waiting.cells);
  free(t.found.slots);
  free(t.seen.slots);
  free(t.ways);
  g->r.unfit = (uint32_t)t.failed;
  *ended = t.ended.cells;
  *cells = (long)t.ended.size;
  return t.failed ? -1 : count;
}

PUBLIC void game_free_cells(int32_t *cells) { free(cells); }
