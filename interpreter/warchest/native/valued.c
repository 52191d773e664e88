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
  int32_t *best, *moment; /* room for the numbers of the best options, and for the moment before them */
} Valuation;

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

/* Tell the worth to a player of where each option leads, and return how many there are; 0 where the machine has given up. */
static int worths_of_options(Game *g, const Valuation *v, int player, double *worths) {
  keep_moment(g, v->moment);
  int count = v->moment[KEPT_WAYS];
  for (int number = 0; number < count; number++) {
    if (number) game_stand(g, v->moment);
    if (take(g, number) == LOST) return 0;
    worths[number] = worth_of(&g->r, v, player);
  }
  game_stand(g, v->moment);
  return count;
}

/* Find the options that leave a player best off, and return how many these are; 0 where the machine has given up. */
static int best_options(Game *g, const Valuation *v, int player) {
  double worths[MOST_OPTIONS], most = 0;
  int best = 0;
  for (int number = 0, count = worths_of_options(g, v, player, worths); number < count; number++) {
    if (!number || worths[number] > most) {
      most = worths[number];
      best = 0;
    }
    if (worths[number] == most) v->best[best++] = number;
  }
  return best;
}

/* The same as worths_of_options; `room` is for the numbers of the best options, and for a moment. */
PUBLIC int game_worths(Game *g, const int32_t *counted, const double *each, int player, int32_t *room, double *worths) {
  Valuation valuation = valuation_of(counted, each, room);
  watch();
  int count = worths_of_options(g, &valuation, player, worths);
  unwatch();
  return count;
}

PUBLIC double game_worth(const Game *g, const int32_t *counted, const double *each, int player) {
  Valuation valuation = valuation_of(counted, each, NULL);
  return worth_of(&g->r, &valuation, player);
}
