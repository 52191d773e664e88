/* Whole games, equal to those of the reference machine with the same seeds.
 *
 * Chance, and bots that do not look ahead, draw from the generator of Python's `random` (MT19937), in the same order. */

enum { WORDS_KEPT = 624, APART = 397 };

typedef struct Chance {
  uint32_t words[WORDS_KEPT];
  int next;
} Chance;

/* Begin with a seed of some words, the lowest first.
 *
 * It is mixed with the words of the fixed seed 19650218, which are made as they are needed. */
static void begin_chance(Chance *c, const uint32_t *key, int count) {
  uint32_t *words = c->words, fixed = 19650218u, last = fixed;
  int at = 1, of = 0;
  for (; at < WORDS_KEPT; at++) {
    fixed = 1812433253u * (fixed ^ fixed >> 30) + (uint32_t)at;
    last = words[at] = (fixed ^ (last ^ last >> 30) * 1664525u) + key[of] + (uint32_t)of;
    if (++of >= count) of = 0;
  }
  at = 1;
  for (int left = WORDS_KEPT > count ? 1 : count - WORDS_KEPT + 1; left; left--) {
    last = words[at] = (words[at] ^ (last ^ last >> 30) * 1664525u) + key[of] + (uint32_t)of;
    if (++of >= count) of = 0;
    if (++at >= WORDS_KEPT) at = 1;
  }
  for (int left = WORDS_KEPT - 1; left; left--) {
    last = words[at] = (words[at] ^ (last ^ last >> 30) * 1566083941u) - (uint32_t)at;
    if (++at >= WORDS_KEPT) at = 1;
  }
  words[0] = 0x80000000u;
  c->next = WORDS_KEPT;
}

static inline uint32_t twisted(uint32_t one, uint32_t next, uint32_t apart) {
  uint32_t both = (one & 0x80000000u) | (next & 0x7FFFFFFFu);
  return apart ^ both >> 1 ^ (-(both & 1) & 0x9908B0DFu);
}

static inline uint32_t tempered(uint32_t word) {
  word ^= word >> 11;
  word ^= word << 7 & 0x9D2C5680u;
  word ^= word << 15 & 0xEFC60000u;
  return word ^ word >> 18;
}

static uint32_t next_word(Chance *c) {
  if (c->next == WORDS_KEPT) {
    uint32_t *words = c->words;
    int at = 0;
    for (; at < WORDS_KEPT - APART; at++) words[at] = twisted(words[at], words[at + 1], words[at + APART]);
    for (; at < WORDS_KEPT - 1; at++) words[at] = twisted(words[at], words[at + 1], words[at + APART - WORDS_KEPT]);
    words[at] = twisted(words[at], words[0], words[APART - 1]);
    c->next = 0;
  }
  return tempered(c->words[c->next++]);
}

/* Return a number below a limit; with the limit 0, return 0. */
static uint32_t below(Chance *c, uint32_t limit) {
  if (!limit) return 0;
  int spare = __builtin_clz(limit);
  uint32_t found;
  do found = next_word(c) >> spare;
  while (found >= limit);
  return found;
}

/* ---- setting up */

/* Carry out a setup, and draw where chance decides; candidates count one by one. */
static int settle_setup(Game *g, Chance *chance) {
  R *r = &g->r;
  int stop = go(r);
  while (stop == CHOICE_POINT && flags_at[r->pc] & CHANCE) {
    const int32_t *candidates = r->candidates + r->first;
    int64_t all = 0;
    uint32_t which = 0;
    for (int number = 0; number < r->count; number++) all += weight_of(r, candidates[number]);
    if (!can_draw(r, all)) return GIVEN_UP;
    for (uint32_t left = below(chance, (uint32_t)all);; which++) {
      uint32_t weight = (uint32_t)weight_of(r, candidates[which]);
      if (left < weight) break;
      left -= weight;
    }
    stop = resume(r, candidates[which], FOR_GOOD);
    r->changed = 0;
    r->saved = r->floor = 0;
  }
  return stop;
}

static void tell_fails(R *r, int fp) {
  int32_t *frame = r->st + fp;
  if (frame[HEADER + BELOW] < 0) return;
  tell_fails(r, frame[HEADER + BELOW]);
  frame[HEADER + FAILS] = can_fail(r, frame[HEADER + BELOW], frame[HEADER + RETURN]);
}

/* Put the opening, and below it the game, below the rest of a setup. */
static void put_below(R *r) {
  int top = r->fp, pc = r->pc, used = top + HEADER + routine_size[routine_at[pc]];
  int opening = HEADER + routine_size[routine_at[PLAY]];
  int shift = opening + HEADER + routine_size[routine_at[OPENING]];
  if (used + shift > STACK - MOST_CELLS) {
    r->unfit |= UNFIT_STACK;
    return;
  }
  memmove(r->st + shift, r->st, (size_t)used * sizeof *r->st);
  begin_frame(r, PLAY, -1, 0);
  begin_frame(r, OPENING, 0, PLAY);
  r->fp = top + shift;
  r->pc = pc;
  for (int fp = r->fp, last = 0; !last; fp = r->st[fp + HEADER + BELOW]) {
    int32_t *frame = r->st + fp + HEADER;
    last = frame[BELOW] < 0;
    frame[BELOW] = last ? opening : frame[BELOW] + shift;
    if (last) frame[RETURN] = OPENING;
  }
  tell_fails(r, r->fp);
}

/* Whether the opening is still to come. */
static int is_opening(const R *r) {
  for (int fp = r->fp, pc = r->pc; fp >= 0; pc = r->st[fp + HEADER + RETURN], fp = r->st[fp + HEADER + BELOW])
    if (routine_at[pc] == routine_at[OPENING]) return 1;
  return 0;
}

static int roll(Game *g, Chance *chance) {
  int number = 0;
  uint32_t left = below(chance, (uint32_t)g->all);
  for (; left >= (uint32_t)g->weight[number]; number++) left -= (uint32_t)g->weight[number];
  return take_outcome(g, g->outcome[number]);
}

/* Begin a game by a setup (-1: none), up to the first decision that a seed does not settle. */
static int begin_game(Game *g, int setup, Chance *chance) {
  R *r = &g->r;
  forget_all(r);
  int stop = DONE;
  if (setup >= 0) {
    r->m[MUST_ASK] = 0;
    begin_frame(r, setup_places[setup], -1, 0);
    stop = settle_setup(g, chance);
    if (r->unfit || r->m[ENDED] || (stop != DONE && stop != CHOICE_POINT)) return g->state = LOST;
  }
  if (stop == DONE) {
    begin_play(g);
  } else {
    put_below(r);
    go_on(g);
  }
  while (g->state == DICE && is_opening(r)) roll(g, chance);
  return g->state;
}

/* ---- playing */

/* Return the option that a bot with some favourite acts draws by a number. */
PUBLIC int game_pick(const Game *g, uint32_t drawn, const int8_t *favours) { return pick(g, drawn, favours); }

/* Return the same among the options that can be completed; some are still unchecked. -1 means that the machine gives
 * up. */
static int choose(Game *g, uint32_t drawn, const int8_t *favours) {
  int best = g->foreseen >= 0 ? g->foreseen : pick(g, drawn, favours);
  while (best >= 0 && !holds(g, best)) best = pick(g, drawn, favours);
  return g->r.unfit ? -1 : best;
}

/* How the players play: their favourite acts, the percentage of decisions in which each looks ahead, and the
 * valuation. */
enum { ALWAYS = 100 };

typedef struct Bots {
  const int8_t *favours, *looks;
  int acts;
  const Valuation *valuation;
} Bots;

/* Return the favourite acts of the bot at play, and set the number that it will draw to choose an option; NULL if these
 * are not known, as for a bot that looks ahead. */
static const int8_t *favours_known(const Game *g, uint32_t *number) {
  const Bots *bots = g->bots;
  if (!bots || g->weigher >= 0 || g->chance->next == WORDS_KEPT) return NULL;
  int player = decider((R *)&g->r);
  if (player < 0) player = 0;
  *number = tempered(g->chance->words[g->chance->next]);
  return (bots->looks && bots->looks[player]) || *number == UINT32_MAX ? NULL : bots->favours + bots->acts * player;
}

/* Take the option that a player chooses. */
static void let_choose(Game *g, const Bots *bots, int player, Chance *chance) {
  int looks = bots->looks ? bots->looks[player] : 0;
  if (!looks || (looks < ALWAYS && below(chance, ALWAYS) >= (uint32_t)looks)) {
    int chosen = choose(g, below(chance, UINT32_MAX), bots->favours + bots->acts * player);
    if (chosen < 0)
      give_up(g);
    else
      take(g, chosen);
    return;
  }
  settle_options(g, INT32_MAX);
  if (g->r.unfit) {
    give_up(g);
    return;
  }
  int count = best_options(g, bots->valuation, player);
  if (count) take(g, bots->valuation->best[below(chance, (uint32_t)count)]);
}

/* Play until the game is over, or up to a number of decisions or turns (-1: any number). */
static int play_on(Game *g, int cap, int turns, const Bots *bots, Chance *chance) {
  int decisions = 0;
#ifndef PROBED
  g->r.hasty = 1;
  g->foreseen = -1;
  g->favours = NULL;
  g->bots = bots;
  g->chance = chance;
#endif
  for (; decisions < cap && (g->state == PLAYER || g->state == DICE); decisions++) {
    if (turns >= 0 && g->r.m[TURN] > turns) break;
    if (g->state == DICE) {
      roll(g, chance);
    } else {
      int player = decider(&g->r);
      let_choose(g, bots, player < 0 ? 0 : player, chance);
    }
  }
  g->r.hasty = 0;
  g->bots = NULL;
  g->keeps = EACH;
  return decisions;
}

/* Write the cells of the memory that a list names after its length. */
static void tell_cells(const Game *g, const int32_t *told, int32_t *out) {
  for (int number = 0; number < told[0]; number++) out[number] = g->r.m[told[1 + number]];
}

/* Play one game between bots, whose seed has `words`; write some cells of the memory at the beginning and at the end. */
static int contest(
    Game *g, const int32_t *cells, int setup, const uint32_t *key, int words, int cap, int turns, const Bots *bots,
    const int32_t *told, int32_t *out) {
  Chance chance, again;
  begin_chance(&chance, key, words);
  again = chance;
  game_put_memory(g, cells);
  int state = begin_game(g, setup, &chance);
  tell_cells(g, told, out);
  int decisions = state == LOST ? 0 : play_on(g, cap, turns, bots, &again);
  tell_cells(g, told, out + told[0]);
  return decisions;
}

/* Play games between bots; the key of each is a row of the words of its seed, as many as the largest needs.
 *
 * Bots take their seats in each of the `seatings` in turn, the first game in number `first`; each has a row of
 * favourite acts for each of its players, and they look ahead as often as `looks` says; those that do need `room`
 * (see valued.c). The result of a game (see `tell`; after it is why the machine has given up) is followed by the
 * cells that `told` lists after their number, with their values at the beginning and at the end. After a signal no
 * game is played. */
PUBLIC void game_contests(
    Game *g, const int32_t *cells, int setup, const uint32_t *keys, int words, int games, int first, int seatings,
    int players, int cap, int turns, const int8_t *favours, int acts, const int8_t *looks, const int32_t *counted,
    const double *each, int32_t *room, const int32_t *told, int32_t *out) {
  Valuation valuation = valuation_of(counted, each, room);
  watch();
  for (int number = 0; number < games; number++, keys += words, out += TOLD + 1 + 2 * told[0]) {
    int seating = (first + number) % seatings * players, length = words, decisions = 0;
    Bots bots = {favours + acts * seating, looks ? looks + seating : NULL, acts, &valuation};
    while (length > 1 && !keys[length - 1]) length--;
    if (signalled) {
      g->r.unfit = UNFIT_SIGNAL;
      g->state = LOST;
    } else {
      decisions = contest(g, cells, setup, keys, length, cap, turns, &bots, told, out + TOLD + 1);
    }
    tell(g, decisions, out);
    out[TOLD] = (int32_t)g->r.unfit;
  }
  unwatch();
}

/* Play on from a stored moment, as bots do; with look-ahead they need `room` (see valued.c). */
PUBLIC void game_play_on(
    Game *g, const int32_t *from, const uint32_t *key, int words, int cap, int turns, const int8_t *favours, int acts,
    const int8_t *looks, const int32_t *counted, const double *each, int32_t *room, int32_t *out) {
  Chance chance;
  Valuation valuation = valuation_of(counted, each, room);
  Bots bots = {favours, looks, acts, &valuation};
  begin_chance(&chance, key, words);
  game_stand(g, from);
  watch();
  int decisions = play_on(g, cap, turns, &bots, &chance);
  tell(g, decisions, out);
  unwatch();
}
