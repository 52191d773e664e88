/* What a state is worth to a player: things are counted, each at its worth, those of the others against those of the team.
 *
 * What is counted stands in one row of numbers: where in it the teams of the players, the distances between spaces, and the
 * terms begin, and how many terms and teams there are. A term has eight numbers: its kind, and what these kinds say. */

enum { TEAMS_AT, DISTANCES_AT, TERMS_AT, TERM_COUNT, TEAM_COUNT };

enum { TERM = 8 };

/* Tokens in zones: a list of teams with cells · spaces that a field gives to a team · pieces; for these a kind, and the cell
 * of their player, then: nothing · a cell, and whether it is a flag · where numbers for the documents stand, and the cell of
 * the document · a list of spaces, the cell of the field of those that are taken already (or -1): steps to the nearest of
 * the others · a kind of piece: steps to the nearest of the other teams. */
enum { IN_ZONES, SPACES_OWNED, JUST_PIECES, MADE_OF, IN_CELL, ON_SHEET, TO_SPACES, TO_PIECES };

typedef struct {
  const int32_t *counted;
  const double *each;
  int32_t *best, *moments; /* room for the numbers of the best options, and for a moment of each level */
} Valuation;

/* The most states that are weighed behind the first further choice, and the levels of choices in all. */
enum { LOOK = 32, LEVELS = 4 };

enum { MOMENT_ROOM = KEPT_MEMORY + CELLS + STACK + MOST_OPTIONS * (2 + LONGEST) };

static Valuation valuation_of(const int32_t *counted, const double *each, int32_t *room) {
  return (Valuation){counted, each, room, room ? room + MOST_OPTIONS : NULL};
}

static int steps_to_spaces(const R *r, const int32_t *counted, const int32_t *term, const int32_t *distance, int team) {
  const int32_t *spaces = counted + term[3];
  int nearest = INT32_MAX;
  for (int number = 1; number <= spaces[0]; number++) {
    int space = spaces[number];
    if (term[4] >= 0 && r->m[term[4] + space] == team) continue;
    if (distance[space] < nearest) nearest = distance[space];
  }
  return nearest < FAR ? nearest : 0;
}

static int steps_to_pieces(const R *r, const int32_t *counted, const int32_t *term, const int32_t *distance, int team) {
  int nearest = INT32_MAX;
  int32_t pieces[ROOM];
  for (int left = members_of(r->m[OF_KIND + term[3]], pieces); left--;) {
    const int32_t *piece = r->m + cell_of(pieces[left]);
    if (piece[OWNER] >= 0 && counted[counted[TEAMS_AT] + piece[OWNER]] == team) continue;
    if (distance[piece[SPACE]] < nearest) nearest = distance[piece[SPACE]];
  }
  return nearest < FAR ? nearest : 0;
}

static long of_piece(const R *r, const int32_t *counted, const int32_t *term, int piece, int team) {
  const int32_t *cells = r->m + cell_of(piece);
  const int32_t *distance = counted + counted[DISTANCES_AT] + cells[SPACE] * SPACES;
  long sum = 0;
  switch (term[0]) {
    case MADE_OF:
      for (int document = 0; document < documents; document++) sum += r->m[TOKENS + (IN_PIECE + piece) * documents + document];
      return sum;
    case IN_CELL: return term[4] ? cells[term[3]] != 0 : cells[term[3]];
    case ON_SHEET: return counted[term[3] + cells[term[4]]];
    case TO_SPACES: return steps_to_spaces(r, counted, term, distance, team);
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
      const int32_t *zone = zones + 1 + 3 * number;
      for (int cell = zone[1]; zone[0] == team && cell < zone[2]; cell++) sum += r->m[cell];
    }
  } else if (term[0] == SPACES_OWNED) {
    for (int space = 0; space < SPACES; space++) sum += r->m[term[1] + space] == team;
  } else {
    int32_t pieces[ROOM];
    for (int left = members_of(r->m[OF_KIND + term[1]], pieces); left--;) {
      int owner = r->m[cell_of(pieces[left]) + term[2]];
      if (owner >= 0 && counted[counted[TEAMS_AT] + owner] == team) sum += of_piece(r, counted, term, pieces[left], team);
    }
  }
  return sum;
}

/* The numbers are added up as Python adds them: each product by itself. */
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
static int weigh(Game *g, const Valuation *v, int player, int turn, int level, int look, double *worth) {
  R *r = &g->r;
  int goes_on = g->state == PLAYER && level < LEVELS && !r->shown && r->m[TURN] == turn && decider(r) == player;
  if (goes_on) settle_options(g, INT32_MAX);
  if (r->unfit) {
    give_up(g);
    return 0;
  }
  int count = goes_on ? (int)g->found : 0;
  if (count && (level == 1 || count <= look))
    return weigh_options(g, v, player, level, look > count ? look / count - 1 : 0, NULL, worth);
  *worth = worth_of(r, v, player);
  return 1;
}

/* Set the worth to a player of the result of each option, and the highest worth; `look` is the most states to weigh
 * behind each option. Return the number of options; 0 if the machine has given up. */
static int weigh_options(
    Game *g, const Valuation *v, int player, int level, int look, double *worths, double *most) {
  int32_t *moment = v->moments + (size_t)level * MOMENT_ROOM;
  keep_moment(g, moment);
  int count = moment[KEPT_WAYS], turn = g->r.m[TURN];
  for (int number = 0; number < count; number++) {
    double worth = 0;
    if (number) game_stand(g, moment);
    g->r.shown = 0;
    if (take(g, number) == LOST || !weigh(g, v, player, turn, level + 1, look, &worth)) return 0;
    if (worths) worths[number] = worth;
    if (!number || worth > *most) *most = worth;
  }
  game_stand(g, moment);
  return count;
}

/* Find the options that leave a player best off, and return how many these are; 0 where the machine has given up. */
static int best_options(Game *g, const Valuation *v, int player) {
  double worths[MOST_OPTIONS], most = 0;
  int best = 0;
  for (int number = 0, count = weigh_options(g, v, player, 0, LOOK, worths, &most); number < count; number++)
    if (worths[number] == most) v->best[best++] = number;
  return best;
}

/* The same as weigh_options; `room` is for the numbers of the best options, and for moments. */
PUBLIC int game_worths(Game *g, const int32_t *counted, const double *each, int player, int32_t *room, double *worths) {
  Valuation valuation = valuation_of(counted, each, room);
  double most = 0;
  watch();
  int count = weigh_options(g, &valuation, player, 0, LOOK, worths, &most);
  unwatch();
  return count;
}

PUBLIC double game_worth(const Game *g, const int32_t *counted, const double *each, int player) {
  Valuation valuation = valuation_of(counted, each, NULL);
  return worth_of(&g->r, &valuation, player);
}
