/* Many games side by side, for programs that learn: one call takes an action in each game, lets chance and bots choose,
 * and writes the result into arrays of the caller.
 *
 * An action is a part of an option: the first thing in which the options still possible differ. Its number depends
 * only on the choice point and on the thing itself, by tables of the caller (see rl/actions.py). An observation is a
 * row of numbers, by a table of cells for each seat (see rl/observations.py). */

enum { PARTS_SEEN = 8, MOST_OTHERS = 64 };

/* The ways in which a choice point numbers its candidates: one by one · by seats, or teams, from the chooser on · by
 * the definition of an act · by the waiting hook · by the kind and the space of a piece · by the place of a token. */
enum { IN_ORDER, BY_SEAT, BY_TEAM, BY_WAY, BY_HOOK, BY_PIECE, BY_TOKEN };

/* The row of a choice point: a way, the first number and how many there are; and the cell of the frame with the queue of
 * hooks, or the number that a definition is multiplied by. */
enum { POINT_WAY, POINT_FIRST, POINT_SIZE, POINT_MORE, POINT_ROW };

/* The numbers before a table of observations: its columns of each sort (numbers, things by number, seats, teams), its
 * zones, and all its columns. */
enum { SEEN_PLAIN, SEEN_NAMES, SEEN_SEATS, SEEN_TEAMS, SEEN_ZONES, SEEN_WIDTH, SEEN_HEAD };

/* The row of a zone: its holder, the column for the number of its tokens, whether their documents
 * are seen, and where the table has the further columns for these, counted from that one. */
enum { ZONE_HOLDER, ZONE_COLUMN, ZONE_SEEN, ZONE_DOCUMENTS, ZONE_ROW };

/* The columns at the beginning: the seat, whether it decides, the choice point, and the parts chosen so far, the
 * first one first. */
enum { FRONT = 3 + PARTS_SEEN };

/* The row of a kind of piece: its first column, the number of columns of a piece, and the place of the first of these
 * in the table, in which each has its contents and the cell of the piece; the number of such pieces that are
 * distinguished on one space; and the number of the first of them. */
enum { KIND_FIRST, KIND_COUNT, KIND_TABLE, KIND_DEEP, KIND_NUMBER, KIND_ROW };

/* The contents of a column of a piece: a number, a thing by number, a seat, a team, or all its tokens. */
enum { AS_NUMBER, AS_NAME, AS_SEAT, AS_TEAM, AS_TOKENS };

enum { IS_RUNNING, IS_OVER, IS_CAPPED, IS_LOST };

typedef struct {
  Game *game;
  Chance chance;
  uint32_t begun; /* the number of games that have begun */
  int decisions, depth, parts, part[PARTS_SEEN], point;
  int first, end; /* the options that begin with the parts chosen so far */
  int32_t *path; /* for each action an option that begins with it */
} Slot;

typedef struct {
  int32_t slots, setup, cap, seats, teams, actions, others, words, acts, lanes;
  const int32_t *sheets, *memory;
  const int32_t *first_point, *point_at;  /* for each routine the place of its first instruction among all; their rows */
  const int32_t *points;                  /* the rows of choice points */
  const int32_t *tokens, *kind_documents; /* for each seat and token in a zone a number; the first for each kind of piece */
  const int32_t *seen, *pieces;           /* tables of observations: for each seat its cells; for each kind its columns */
  const int32_t *documents_seen;          /* the columns of documents in zones */
  const int32_t *team_of, *seen_from;     /* the teams of seats; and for each seat how it sees seats and teams: see owner_of */
  const uint32_t *key;                    /* the words of the seed */
  const int8_t *bots, *favours, *looks;   /* which seats are bots, and how these play: see Bots */
  const int32_t *counted;
  const double *each;
  int8_t *player; /* the results, with a row for each game */
  int32_t *count, *legal;
  uint8_t *mask, *ended;
  float *rewards;
  int16_t *observations;
  int32_t *decisions, *taken;
  uint8_t *away; /* for each lane whether its thread slept when the step began, and is to be woken */
} Arrays;

typedef struct {
  Apart before;
  Arrays a;
  Slot *slot;
  int32_t *path;
  Lane *lane;
  const int32_t *chosen; /* the actions of the step under way; NULL if all games begin */
  Apart after;
} Batch;

/* ---- pieces as a seat sees them */

static int from_seat(int value, int seat, int count) { return value < seat ? value - seat + count : value - seat; }

static inline int16_t short_of(int32_t value) { return (int16_t)(value > INT16_MAX ? INT16_MAX : value < -INT16_MAX ? -INT16_MAX : value); }

/* Return a seat, or a team, counted from one on and from 1; 0 is none. `from` has these for all of them. */
static inline int16_t owner_of(int32_t value, const int32_t *from, int count) {
  uint32_t place = (uint32_t)(value + 1);
  return (int16_t)(place <= (uint32_t)count ? from[place] : 0);
}

static inline const int32_t *seats_from(const Batch *b, int seat) { return b->a.seen_from + seat * (b->a.seats + b->a.teams + 2); }

static inline const int32_t *teams_from(const Batch *b, int seat) { return seats_from(b, seat) + b->a.seats + 1; }

static int16_t piece_column(const Batch *b, const R *r, int seat, int piece, const int32_t *column) {
  int32_t value = r->m[cell_of(piece) + column[1]];
  switch (column[0]) {
    case AS_NAME: return short_of(value + 1);
    case AS_SEAT: return owner_of(value, seats_from(b, seat), b->a.seats);
    case AS_TEAM: return owner_of(value, teams_from(b, seat), b->a.teams);
    case AS_TOKENS: return short_of((int32_t)tokens_in(r, IN_PIECE + piece));
    default: return short_of(value);
  }
}

/* Set the columns of a piece. */
static void tell_piece(const Batch *b, const R *r, int seat, int piece, int16_t *out) {
  const int32_t *row = b->a.pieces + KIND_ROW * r->m[cell_of(piece) + KIND], *column = b->a.pieces + row[KIND_TABLE];
  for (int left = row[KIND_COUNT]; left--; column += 2) *out++ = piece_column(b, r, seat, piece, column);
}

/* Return the number of pieces of the same kind on the same space that come before one, by their columns. */
static int rank_of(const Batch *b, const R *r, int seat, int piece) {
  const int32_t *cells = r->m + cell_of(piece);
  int16_t mine[STRIDE + 3], others[STRIDE + 3];
  PieceSet left = set_in(r->m, OF_KIND + cells[KIND]) & set_in(r->m, AT + cells[SPACE]) & ~only(piece);
  int rank = 0;
  size_t size = (size_t)b->a.pieces[KIND_ROW * cells[KIND] + KIND_COUNT] * sizeof *mine;
  if (left) tell_piece(b, r, seat, piece, mine);
  for (; left; left &= left - 1) {
    int other = first_of(left);
    tell_piece(b, r, seat, other, others);
    int order = memcmp(others, mine, size);
    rank += order < 0 || (!order && other < piece);
  }
  return rank;
}

/* ---- the numbers of actions */

static int point_of(const Batch *b, const R *r) {
  return b->a.point_at[b->a.first_point[routine_at[r->pc]] + instruction_at[r->pc]];
}

static int number_of_piece(const Batch *b, const R *r, int seat, int piece) {
  if (piece < 0 || piece >= ROOM) return -1;
  const int32_t *cells = r->m + cell_of(piece), *row = b->a.pieces + KIND_ROW * cells[KIND];
  if (cells[KIND] < 0 || cells[SPACE] < 0) return -1;
  int rank = row[KIND_DEEP] > 1 ? rank_of(b, r, seat, piece) : 0;
  return rank < row[KIND_DEEP] ? row[KIND_NUMBER] + cells[SPACE] * row[KIND_DEEP] + rank : -1;
}

static int number_of_token(const Batch *b, const R *r, int seat, int token) {
  int holder = token < 0 ? -1 : holder_of(token);
  if (holder < 0) return -1;
  if (holder < IN_PIECE) return b->a.tokens[seat * IN_PIECE * documents + token];
  int kind = holder - IN_PIECE < ROOM ? r->m[cell_of(holder - IN_PIECE) + KIND] : -1;
  return kind < 0 ? -1 : b->a.kind_documents[kind] + document_of(token);
}

/* Return the number of a candidate at the run's choice point; a candidate without one gets the first of the others. */
static int number_of(const Batch *b, const R *r, int seat, int candidate) {
  const int32_t *row = b->a.points + POINT_ROW * point_of(b, r), *e = r->st + r->fp + HEADER;
  int found = candidate;
  if (candidate < 0 && row[POINT_WAY] != BY_PIECE) return candidate == -1 ? 0 : b->a.others;
  switch (row[POINT_WAY]) {
    case BY_SEAT: found = from_seat(candidate, seat, b->a.seats); break;
    case BY_TEAM: found = from_seat(candidate, b->a.team_of[seat], b->a.teams); break;
    case BY_WAY: found = candidate / row[POINT_MORE]; break;
    case BY_HOOK: found = candidate < e[row[POINT_MORE]] ? e[row[POINT_MORE] + 1 + 2 * candidate] : -1; break;
    case BY_PIECE: found = number_of_piece(b, r, seat, candidate); break;
    case BY_TOKEN: found = number_of_token(b, r, seat, candidate); break;
    default: break;
  }
  return found < 0 || found >= row[POINT_SIZE] ? b->a.others : row[POINT_FIRST] + found;
}

/* ---- the parts of options */

/* Find the candidates that come next, each with the first option that takes it; return their number. Options with the
 * same beginning are listed one after the other. */
static int next_parts(const Batch *b, const Slot *s, int32_t *candidates) {
  const Path *paths = s->game->paths;
  int count = 0;
  if (paths[s->first].taken[s->depth] == paths[s->end - 1].taken[s->depth]) return 1;
  for (int number = s->first; number < s->end; number++) {
    int candidate = paths[number].taken[s->depth];
    if (count && candidates[count - 1] == candidate) continue;
    if (count == b->a.actions) return count + 1;
    candidates[count] = candidate;
    s->path[count++] = number;
  }
  return count;
}

/* Number some candidates at the run's choice point. */
static void number_parts(const Batch *b, Slot *s, int which, const int32_t *candidates, int count) {
  R *r = &s->game->r;
  int32_t *legal = b->a.legal + (size_t)which * (size_t)b->a.actions;
  uint8_t *mask = b->a.mask + (size_t)which * (size_t)b->a.actions;
  int seat = b->a.player[which], others = 0;
  s->point = point_of(b, r);
  for (int at = 0; at < count; at++) {
    int number = number_of(b, r, seat, candidates[at]);
    if (number == b->a.others || mask[number]) {
      number = b->a.others + others++;
      if (others > MOST_OTHERS) {
        r->unfit |= UNFIT_OPTIONS;
        return;
      }
    }
    legal[at] = number;
    mask[number] = 1;
    b->a.count[which] = at + 1;
  }
}

/* Number the candidates after the chosen parts: these are carried out for that, and taken back. */
static void number_behind(const Batch *b, Slot *s, int which, const int32_t *candidates, int many) {
  Game *g = s->game;
  R *r = &g->r;
  const int32_t *taken = g->paths[s->first].taken;
  int count = r->count, stop = CHOICE_POINT;
  Mark here;
  r->budget = 4 * BUDGET;
  begin_options(r);
  r->first += count;
  mark(r, &here, r->fp, r->pc);
  for (int at = 0; at < s->depth && stop == CHOICE_POINT; at++) {
    r->taken[at] = taken[at];
    stop = resume(r, taken[at], WALKING);
  }
  if (stop == CHOICE_POINT)
    number_parts(b, s, which, candidates, many);
  else
    r->unfit |= UNFIT_STOPPED;
  undo(r, &here);
  release(r, &here);
  r->first -= count;
  end_options(r, count);
}

/* List the actions: the parts in which the options with the chosen beginning differ first. Return 0 if only one is
 * left. */
static int list_actions(const Batch *b, Slot *s, int which, int32_t *candidates) {
  Game *g = s->game;
  int count = 1;
  while (count == 1) {
    if (s->end - s->first == 1) return 0;
    count = next_parts(b, s, candidates);
    s->depth += count == 1;
  }
  if (count > b->a.actions)
    g->r.unfit |= UNFIT_OPTIONS;
  else if (s->depth)
    number_behind(b, s, which, candidates, count);
  else
    number_parts(b, s, which, candidates, count);
  if (g->r.unfit) give_up(g);
  return 1;
}

static void clear_actions(const Batch *b, int which) {
  size_t first = (size_t)which * (size_t)b->a.actions;
  for (int at = 0; at < b->a.count[which]; at++) b->a.mask[first + (size_t)b->a.legal[first + (size_t)at]] = 0;
  b->a.count[which] = 0;
}

/* ---- observations */

/* Write the pieces, by kind and space: their number, and the columns of the first ones. */
static void see_pieces(const Batch *b, const R *r, int seat, int16_t *out) {
  for (PieceSet left = set_in(r->m, LIVE); left; left &= left - 1) {
    int piece = first_of(left);
    const int32_t *cells = r->m + cell_of(piece), *row = b->a.pieces + KIND_ROW * cells[KIND];
    if (cells[SPACE] < 0 || cells[SPACE] >= SPACES) continue;
    int rank = row[KIND_DEEP] > 1 ? rank_of(b, r, seat, piece) : 0;
    int16_t *at = out + row[KIND_FIRST] + cells[SPACE] * (1 + row[KIND_DEEP] * row[KIND_COUNT]);
    at[0]++;
    if (rank < row[KIND_DEEP]) tell_piece(b, r, seat, piece, at + 1 + rank * row[KIND_COUNT]);
  }
}

/* Write the tokens in zones: their number, and if they are seen that of each document. */
static void see_zones(const Batch *b, const R *r, const int32_t *zone, int count, int16_t *out) {
  for (; count--; zone += ZONE_ROW) {
    const int32_t *tokens = r->m + TOKENS + zone[ZONE_HOLDER] * documents;
    const int32_t *column = b->a.documents_seen + zone[ZONE_DOCUMENTS];
    int16_t *to = out + zone[ZONE_COLUMN];
    int32_t sum = 0;
    for (int which = 0; which < LONGS; which++)
      for (uint64_t left = held(r->m, zone[ZONE_HOLDER], which); left; left &= left - 1) {
        int document = 64 * which + __builtin_ctzll(left);
        sum += tokens[document];
        if (zone[ZONE_SEEN]) to[column[document]] = short_of(tokens[document]);
      }
    to[0] = short_of(sum);
  }
}

/* Write everything that a seat sees in a game. */
static void see(const Batch *b, const Slot *s, int which, int seat, int16_t *out) {
  const R *r = &s->game->r;
  const int32_t *head = b->a.seen, *m = r->m;
  int plain = head[SEEN_PLAIN], names = head[SEEN_NAMES], seats = head[SEEN_SEATS], teams = head[SEEN_TEAMS];
  const int32_t *cell = head + SEEN_HEAD + seat * (plain + names + seats + teams + ZONE_ROW * head[SEEN_ZONES]);
  int decides = b->a.player[which] == seat, seat_count = b->a.seats, team_count = b->a.teams;
  const int32_t *from = seats_from(b, seat), *team_from = teams_from(b, seat);
  memset(out, 0, (size_t)head[SEEN_WIDTH] * sizeof *out);
  out[0] = (int16_t)seat;
  out[1] = (int16_t)decides;
  if (decides) {
    out[2] = (int16_t)(1 + s->point);
    for (int at = 0; at < s->parts; at++) out[3 + at] = (int16_t)(1 + s->part[at]);
  }
  int16_t *to = out + FRONT;
  for (; plain--; cell++) *to++ = short_of(m[*cell]);
  for (; names--; cell++) *to++ = short_of(m[*cell] + 1);
  for (; seats--; cell++) *to++ = owner_of(m[*cell], from, seat_count);
  for (; teams--; cell++) *to++ = owner_of(m[*cell], team_from, team_count);
  see_zones(b, r, cell, head[SEEN_ZONES], out);
  see_pieces(b, r, seat, out);
}

/* ---- the course of the games */

/* Begin the next game of a slot: its seed is the given one, followed by the slot and the number of the game. */
static void begin_slot(const Batch *b, Slot *s, int which) {
  uint32_t key[8] = {0};
  Chance first;
  for (int word = 0; word < b->a.words; word++) key[word] = b->a.key[word];
  key[b->a.words] = (uint32_t)which;
  key[b->a.words + 1] = ++s->begun;
  begin_chance(&s->chance, key, b->a.words + 2);
  first = s->chance;
  s->decisions = 0;
  game_put_memory(s->game, b->a.memory);
  begin_game(s->game, b->a.setup, &first);
}

/* Let chance and bots choose until another player has several actions, or the game is over; return its state. */
static int play_slot(const Batch *b, Slot *s, int which, int32_t *candidates, const Bots *bots) {
  Game *g = s->game;
  for (;; s->decisions++) {
    if (g->state == LOST) return IS_LOST;
    if (g->state == OVER) return IS_OVER;
    if (s->decisions >= b->a.cap) return IS_CAPPED;
    if (g->state == DICE) {
      roll(g, &s->chance);
      continue;
    }
    int player = decider(&g->r);
    if (player < 0) player = 0;
    if (b->a.bots[player]) {
      let_choose(g, bots, player, &s->chance);
      continue;
    }
    b->a.player[which] = (int8_t)player;
    s->depth = s->parts = s->first = 0;
    s->end = g->found;
    if (list_actions(b, s, which, candidates)) return g->state == LOST ? IS_LOST : IS_RUNNING;
    take(g, s->first);
  }
}

static void reward(const Batch *b, const Slot *s, int which) {
  int winner = s->game->r.m[WINNER];
  float *rewards = b->a.rewards + which * b->a.seats;
  for (int seat = 0; seat < b->a.seats && winner >= 0; seat++) rewards[seat] = b->a.team_of[seat] == winner ? 1 : -1;
}

/* Choose a part of an option; return whether further parts are to be chosen. */
static int choose_part(const Batch *b, Slot *s, int which, int action, int32_t *candidates) {
  const int32_t *legal = b->a.legal + (size_t)which * (size_t)b->a.actions;
  int at = 0;
  while (at + 1 < b->a.count[which] && legal[at] != action) at++;
  s->first = s->path[at];
  if (at + 1 < b->a.count[which]) s->end = s->path[at + 1];
  s->depth++;
  if (s->parts < PARTS_SEEN) s->part[s->parts++] = action;
  clear_actions(b, which);
  return list_actions(b, s, which, candidates);
}

/* Record the state of a game. */
static void note(const Batch *b, const Slot *s, int which, int status) {
  b->a.ended[which] = (uint8_t)status;
  b->a.decisions[which] = s->decisions;
  if (status != IS_RUNNING) {
    clear_actions(b, which);
    b->a.player[which] = -1;
  }
  if (status == IS_OVER) reward(b, s, which);
}

/* Take an action of a game, or begin the next one if it has ended, and write the result. */
static void step_slot(const Batch *b, int which, int action, int32_t *candidates, const Bots *bots) {
  Slot *s = &b->slot[which];
  int status = b->a.ended[which], waits = 0;
  memset(b->a.rewards + which * b->a.seats, 0, (size_t)b->a.seats * sizeof *b->a.rewards);
  b->a.taken[which] = -1;
  if (status != IS_RUNNING) {
    clear_actions(b, which);
    begin_slot(b, s, which);
  } else if (choose_part(b, s, which, action, candidates)) {
    waits = 1;
    status = s->game->state == LOST ? IS_LOST : IS_RUNNING;
  } else {
    b->a.taken[which] = s->first;
    take(s->game, s->first);
    s->decisions++;
  }
  if (!waits) status = play_slot(b, s, which, candidates, bots);
  note(b, s, which, status);
}

static int offers(const Batch *b, int which, int action) {
  return action >= 0 && action < b->a.actions && b->a.mask[(size_t)which * (size_t)b->a.actions + (size_t)action];
}

/* Return to a stored moment, with some parts chosen, as far as these are on offer; no option is taken. `taken` gets
 * the option that they settle, if one is. Return the number of these parts. */
PUBLIC int batch_put(Batch *b, int which, const int32_t *moment, const int32_t *parts, int count) {
  Slot *s = &b->slot[which];
  Game *g = s->game;
  int32_t *candidates = malloc((size_t)b->a.actions * sizeof *candidates);
  int waits = candidates && moment[KEPT_STATE] == PLAYER, at = 0;
  clear_actions(b, which);
  memset(b->a.rewards + which * b->a.seats, 0, (size_t)b->a.seats * sizeof *b->a.rewards);
  game_stand(g, moment);
  /* The choice is listed again, with its candidates. */
  if (waits) look(g);
  note(b, s, which, g->state == OVER ? IS_OVER : g->state == LOST ? IS_LOST : IS_RUNNING);
  b->a.taken[which] = -1;
  if (waits && g->state == PLAYER) {
    int player = decider(&g->r);
    b->a.player[which] = (int8_t)(player < 0 ? 0 : player);
    s->depth = s->parts = s->first = 0;
    s->end = g->found;
    waits = list_actions(b, s, which, candidates);
    for (; waits && at < count && offers(b, which, parts[at]); at++) waits = choose_part(b, s, which, parts[at], candidates);
    if (!waits) b->a.taken[which] = s->first;
    if (g->state == LOST) note(b, s, which, IS_LOST);
  } else {
    b->a.player[which] = -1;
  }
  free(candidates);
  return at;
}

/* Step the games of a lane, and then those that others have left, until none is left. */
static void step_slots(const Batch *b, int lane) {
  int32_t *candidates = malloc((size_t)b->a.actions * sizeof *candidates);
  size_t looking = b->a.looks ? (size_t)MOST_OPTIONS + (size_t)LEVELS * MOMENT_ROOM : 0;
  int32_t *room = looking ? malloc(looking * sizeof *room) : NULL;
  Valuation valuation = valuation_of(b->a.counted, b->a.each, room);
  Bots bots = {b->a.favours, b->a.looks, b->a.acts, &valuation};
  int enough = candidates && (room || !looking);
  for (int which; enough && (which = take_game(b->lane, b->a.lanes, lane)) >= 0;) {
    step_slot(b, which, b->chosen ? b->chosen[which] : -1, candidates, &bots);
    int seat = b->a.player[which];
    if (b->a.observations) see(b, &b->slot[which], which, seat < 0 ? 0 : seat, b->a.observations + (size_t)which * (size_t)b->a.seen[SEEN_WIDTH]);
  }
  free(room);
  free(candidates);
}

/* Begin a step, with an action for each game, in the lanes other than the first; return how many of their threads are
 * to be woken. */
PUBLIC int batch_begin(Batch *b, const int32_t *actions) {
  int count = 0;
  await_lanes(b->lane, b->a.lanes, b->a.away); /* of a step that was broken off */
  b->chosen = actions;
  share_out(b->lane, b->a.lanes, b->a.slots);
  for (int lane = 1; lane < b->a.lanes; lane++) count += b->a.away[lane] = (uint8_t)begin_lane(b->lane + lane);
  return count;
}

/* Take part in the steps as the thread of a lane other than the first, until none has come for a while. */
PUBLIC void batch_serve(const Batch *b, int lane) {
  while (await_work(b->lane + lane)) {
    step_slots(b, lane);
    end_work(b->lane + lane);
  }
}

/* Finish the step that has begun: take an action in each of the games, and begin the next game in place of finished
 * ones. */
PUBLIC void batch_step(const Batch *b) {
  step_slots(b, 0);
  await_lanes(b->lane, b->a.lanes, b->a.away);
  unwatch();
}

/* Return the first of the games whose action is not on offer; -1 where all are. */
PUBLIC int batch_refuses(const Batch *b, const int32_t *actions) {
  for (int which = 0; which < b->a.slots; which++)
    if (b->a.ended[which] == IS_RUNNING && !offers(b, which, actions[which])) return which;
  return -1;
}

/* End all games, so that the next step begins new ones, the first of each slot again. */
PUBLIC void batch_reset(Batch *b) {
  for (int which = 0; which < b->a.slots; which++) {
    clear_actions(b, which);
    b->slot[which].begun = 0;
    b->a.ended[which] = IS_CAPPED;
  }
}

/* Write everything that a seat sees in each of the games. */
PUBLIC void batch_see(const Batch *b, int seat, int16_t *out) {
  for (int which = 0; which < b->a.slots; which++)
    see(b, &b->slot[which], which, seat, out + (size_t)which * (size_t)b->a.seen[SEEN_WIDTH]);
}

/* Return the game of a slot. */
PUBLIC Game *batch_game(const Batch *b, int which) { return b->slot[which].game; }

PUBLIC void batch_free(Batch *b) {
  for (int which = 0; b->slot && which < b->a.slots; which++)
    if (b->slot[which].game) game_free(b->slot[which].game);
  free(b->slot);
  free(b->path);
  free(b->lane);
  free(b);
}

/* Return games side by side, not yet begun; NULL if memory is short. */
PUBLIC Batch *batch_new(const Arrays *arrays) {
  Batch *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->a = *arrays;
  b->slot = calloc((size_t)b->a.slots, sizeof *b->slot);
  b->path = calloc((size_t)b->a.slots * (size_t)b->a.actions, sizeof *b->path);
  b->lane = calloc((size_t)b->a.lanes, sizeof *b->lane);
  int made = b->slot && b->path && b->lane;
  for (int which = 0; made && which < b->a.slots; which++) {
    b->slot[which].path = b->path + (size_t)which * (size_t)b->a.actions;
    made = (b->slot[which].game = game_new(b->a.sheets)) != NULL;
  }
  if (!made) {
    batch_free(b);
    return NULL;
  }
  batch_reset(b);
  return b;
}
