/* The worth of a state to a player: things are counted, each with its worth, those of the other teams negatively.
 *
 * The valuation is one row of numbers: offsets of the teams of the players, the distances between spaces, and the
 * terms, and the numbers of terms and teams. A term has eight numbers: its kind, and the parameters of that kind. */

enum { TEAMS_AT, DISTANCES_AT, TERMS_AT, TERM_COUNT, TEAM_COUNT };

enum { TERM = 8 };

/* Tokens in zones: a list of teams with holders · spaces that a field gives to a team · pieces; for these a kind, and
 * the cell of their player, then: no more · a cell, and whether it is a flag · the place of numbers for the
 * documents, and the cell of the document · a list of spaces, the cell of the field of those that are taken already
 * (or -1): steps to the nearest of the others · a kind of piece: steps to the nearest of the other teams. */
enum { IN_ZONES, SPACES_OWNED, JUST_PIECES, MADE_OF, IN_CELL, ON_SHEET, TO_SPACES, TO_PIECES };

typedef struct {
  const int32_t *counted;
  const double *each;
  int32_t *best, *moments; /* room for the numbers of the best options, and for a moment of each level */
} Valuation;

/* The most states that are valued after the first further choice, and the levels of choices in all. */
enum { LOOK = 32, LEVELS = 4 };

enum { MOMENT_ROOM = KEPT_HEAD + CELLS + STACK + MOST_OPTIONS * (2 + LONGEST) };

static Valuation valuation_of(const int32_t *counted, const double *each, int32_t *room) {
  return (Valuation){counted, each, room, room ? room + MOST_OPTIONS : NULL};
}

/* Return the number of spaces of a term that a team has not taken yet, which are put into `open`. */
static int spaces_open(const R *r, const int32_t *counted, const int32_t *term, int team, int32_t *open) {
  const int32_t *spaces = counted + term[3];
  int count = 0;
  for (int number = 1; number <= spaces[0]; number++) {
    open[count] = spaces[number];
    count += term[4] < 0 || r->m[term[4] + spaces[number]] != team;
  }
  return count;
}

/* Return the steps to the nearest of some spaces; 0 if none is reachable. */
static int steps_to_spaces(const int32_t *distance, const int32_t *spaces, int count) {
  int nearest = INT32_MAX;
  for (int number = 0; number < count; number++)
    if (distance[spaces[number]] < nearest) nearest = distance[spaces[number]];
  return nearest < FAR ? nearest : 0;
}

static int steps_to_pieces(const R *r, const int32_t *counted, const int32_t *term, const int32_t *distance, int team) {
  int nearest = INT32_MAX;
  for (PieceSet left = set_in(r->m, OF_KIND + term[3]); left; left &= left - 1) {
    const int32_t *piece = r->m + cell_of(first_of(left));
    if (piece[OWNER] >= 0 && counted[counted[TEAMS_AT] + piece[OWNER]] == team) continue;
    if (distance[piece[SPACE]] < nearest) nearest = distance[piece[SPACE]];
  }
  return nearest < FAR ? nearest : 0;
}

/* Return the number of tokens in a holder. */
static long tokens_in(const R *r, int holder) {
  const int32_t *many = r->m + TOKENS + holder * documents;
  long sum = 0;
  for (int which = 0; which < LONGS; which++)
    for (uint64_t left = held(r->m, holder, which); left; left &= left - 1) sum += many[64 * which + __builtin_ctzll(left)];
  return sum;
}

/* Return the contribution of a piece of a team to a term; `count` spaces are `open` to the team where it counts steps to them. */
static long of_piece(
    const R *r, const int32_t *counted, const int32_t *term, int piece, int team, const int32_t *open, int count) {
  const int32_t *cells = r->m + cell_of(piece);
  const int32_t *distance = counted + counted[DISTANCES_AT] + cells[SPACE] * SPACES;
  switch (term[0]) {
    case MADE_OF: return tokens_in(r, IN_PIECE + piece);
    case IN_CELL: return term[4] ? cells[term[3]] != 0 : cells[term[3]];
    case ON_SHEET: return counted[term[3] + cells[term[4]]];
    case TO_SPACES: return steps_to_spaces(distance, open, count);
    case TO_PIECES: return steps_to_pieces(r, counted, term, distance, team);
    default: return 1;
  }
}

/* Return the share of a team in the things that a term counts. */
static long amount_of(const R *r, const int32_t *counted, const int32_t *term, int team) {
  long sum = 0;
  if (term[0] == IN_ZONES) {
    const int32_t *zones = counted + term[1];
    for (int number = 0; number < zones[0]; number++) {
      const int32_t *zone = zones + 1 + 2 * number;
      if (zone[0] == team) sum += tokens_in(r, zone[1]);
    }
  } else if (term[0] == SPACES_OWNED) {
    for (int space = 0; space < SPACES; space++) sum += r->m[term[1] + space] == team;
  } else {
    int32_t open[SPACES + 1];
    int count = term[0] == TO_SPACES ? spaces_open(r, counted, term, team, open) : 0;
    for (PieceSet left = set_in(r->m, OF_KIND + term[1]); left; left &= left - 1) {
      int piece = first_of(left), owner = r->m[cell_of(piece) + term[2]];
      if (owner >= 0 && counted[counted[TEAMS_AT] + owner] == team)
        sum += of_piece(r, counted, term, piece, team, open, count);
    }
  }
  return sum;
}

/* The numbers are added as in Python: each product by itself. */
static double worth_of(const R *r, const Valuation *v, int player) {
  const int32_t *counted = v->counted;
  int mine = counted[counted[TEAMS_AT] + player];
  if (r->m[ENDED]) return r->m[WINNER] < 0 ? 0 : r->m[WINNER] == mine ? 1e6 : -1e6;
  double total = 0;
  for (int number = 0; number < counted[TERM_COUNT]; number++)
    for (int team = 0; team < counted[TEAM_COUNT]; team++) {
      volatile double worth = v->each[number] * (double)amount_of(r, counted, counted + counted[TERMS_AT] + TERM * number, team);
      total += team == mine ? worth : -worth;
    }
  return total;
}

static int weigh_options(
    Game *g, const Valuation *v, int player, int level, int look, double *worths, double *most);

/* Set the worth to a player of the state after an option; if the player goes on choosing in the same turn, it is that
 * of the best choice. The first further choice is always searched, later ones only if they have at most `look` options.
 * Return 0 if the machine has given up. */
static int weigh(Game *g, const Valuation *v, int player, int level, int look, double *worth) {
  R *r = &g->r;
  int further = g->state == PLAYER && level < LEVELS && goes_on(g);
  if (further) settle_options(g, INT32_MAX);
  if (r->unfit) {
    give_up(g);
    return 0;
  }
  int count = further ? (int)g->found : 0;
  if (count && (level == 1 || count <= look))
    return weigh_options(g, v, player, level, look > count ? look / count - 1 : 0, NULL, worth);
  *worth = worth_of(r, v, player);
  return 1;
}

/* Go back to a moment by undoing all changes since; its options are not listed again. */
static void stand_again(R *r, const int32_t *moment, uint32_t changed) {
  uint32_t all = r->changed;
  stand_frames(r, moment);
  r->notes = 1;
  r->changed = all;
  unwind(r, changed);
#ifdef CHECK
  if (!r->unfit && memcmp(r->m, moment + moment[KEPT_MEMORY], sizeof r->m)) abort();
#endif
}

/* Set the worth to a player of the result of each option, and the highest worth; `look` is the most states to value
 * after each option. Return the number of options; 0 if the machine has given up. */
static int weigh_options(
    Game *g, const Valuation *v, int player, int level, int look, double *worths, double *most) {
  R *r = &g->r;
  int32_t *moment = v->moments + (size_t)level * MOMENT_ROOM;
  uint32_t changed = r->changed;
  keep_point(g, moment);
#ifdef CHECK
  memcpy(moment + moment[KEPT_MEMORY], r->m, sizeof r->m);
#endif
  int count = moment[KEPT_WAYS];
  const int32_t *way = ways_kept(moment);
  for (int number = 0; number < count; number++, way += 2 + way[0]) {
    double worth = 0;
    r->shown = 0;
    int state = advance(g, follow(r, way + 2, way[0]));
    if (state == LOST || !weigh(g, v, player, level + 1, look, &worth)) return 0;
    stand_again(r, moment, changed);
    if (worths) worths[number] = worth;
    if (!number || worth > *most) *most = worth;
  }
  return count;
}

/* Do the same at the present moment, and keep the game there. */
static int weigh_here(Game *g, const Valuation *v, int player, double *worths, double *most) {
  R *r = &g->r;
  g->weigher = player;
  g->weigh_turn = r->m[TURN];
  r->notes = 1;
  r->changed = 0;
  int count = weigh_options(g, v, player, 0, LOOK, worths, most);
  g->weigher = -1;
  r->notes = 0;
  if (r->unfit) give_up(g);
  if (g->state == LOST) return 0;
  find_kept(g, v->moments);
  return count;
}

/* Find the options with the best results for a player, and return their number; 0 if the machine has given up. */
static int best_options(Game *g, const Valuation *v, int player) {
  double worths[MOST_OPTIONS], most = 0;
  int best = 0;
  for (int number = 0, count = weigh_here(g, v, player, worths, &most); number < count; number++)
    if (worths[number] == most) v->best[best++] = number;
  return best;
}

/* The same as weigh_options; `room` is for the numbers of the best options, and for moments. */
PUBLIC int game_worths(Game *g, const int32_t *counted, const double *each, int player, int32_t *room, double *worths) {
  Valuation valuation = valuation_of(counted, each, room);
  double most = 0;
  watch();
  int count = weigh_here(g, &valuation, player, worths, &most);
  unwatch();
  return count;
}

PUBLIC double game_worth(const Game *g, const int32_t *counted, const double *each, int player) {
  Valuation valuation = valuation_of(counted, each, NULL);
  return worth_of(&g->r, &valuation, player);
}
