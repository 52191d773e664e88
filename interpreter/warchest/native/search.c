/* The tree of a bot that searches: lines of play, in worlds that are consistent with all that its player knows.
 *
 * This is the search of bots/mcts.py, which documents it: the same worlds and seeds give the same numbers. Options
 * are identified by the candidates that they take, so one tree serves all worlds. */

/* A branch: its prior, the sum of its values, its visits, the first and the last of its children and its next sibling
 * (0: none; the root is number 0), and its candidates among those of all branches. */
typedef struct {
  double prior, total;
  int32_t visits, first, last, next, key, length;
} Branch;

/* A step down the tree: a branch, and the player who takes it. */
typedef struct {
  int32_t branch, player;
} Step;

typedef struct {
  Branch *branches;
  int32_t *keys;
  Step *steps;
  int64_t count, key_count, room, key_room, step_room;
  Chance chance;
  int32_t *looks;               /* room to look ahead: see valued.c */
  int32_t behind[MOST_OPTIONS]; /* the branches of the present options; 0: none yet */
  double worths[MOST_OPTIONS];
} Tree;

/* The settings of a search: the number of decisions played on from a new branch, and the usual difference in worth. */
typedef struct {
  const Valuation *valuation;
  const Bots *bots;
  int ahead;
  double usual;
} Search;

static const double curious = 1.0, even = 0.5, unsure = 0.1, steepest = 30.0, won = 1e6;

PUBLIC void tree_free(Tree *t) {
  free(t->branches);
  free(t->keys);
  free(t->steps);
  free(t->looks);
  free(t);
}

/* Make room for some more things; return whether there is any. */
static int make_room(void **things, size_t size, int64_t count, int64_t more, int64_t *room) {
  if (count + more <= *room) return 1;
  int64_t wanted = 2 * (count + more) + 64;
  void *made = wanted > INT32_MAX ? NULL : realloc(*things, (size_t)wanted * size);
  if (!made) return 0;
  *things = made;
  *room = wanted;
  return 1;
}

/* Return a tree that consists of a root; NULL if there is no memory. */
PUBLIC Tree *tree_new(void) {
  Tree *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->looks = malloc((MOST_OPTIONS + (size_t)LEVELS * MOMENT_ROOM) * sizeof *t->looks);
  if (!t->looks || !make_room((void **)&t->branches, sizeof *t->branches, 0, 1, &t->room)) {
    tree_free(t);
    return NULL;
  }
  t->branches[t->count++] = (Branch){.prior = 1};
  return t;
}

/* Seed chance, and the seeds of playouts, from some words. */
PUBLIC void tree_chance(Tree *t, const uint32_t *key, int words) { begin_chance(&t->chance, key, words); }

/* e to a power, by simple arithmetic that is the same everywhere. */
static double power_of_e(double power) {
  double part = power / 1024, sum = 1;
  for (int number = 6; number; number--) sum = 1 + part / number * sum;
  for (int times = 0; times < 10; times++) sum *= sum;
  return sum;
}

static double not_too_steep(double number) { return number < -steepest ? -steepest : number > steepest ? steepest : number; }

static int is_for(const Tree *t, int branch, const Path *path) {
  const Branch *one = t->branches + branch;
  return one->length == path->count && !memcmp(t->keys + one->key, path->taken, (size_t)path->count * sizeof *t->keys);
}

/* Find the branches of the present options, which are mostly in the same order. Return the number of new ones. */
static int find_branches(const Game *g, Tree *t, int parent) {
  int missing = 0, likely = t->branches[parent].first;
  for (int number = 0; number < g->found; number++) {
    int found = likely && is_for(t, likely, &g->paths[number]) ? likely : t->branches[parent].first;
    while (found && !is_for(t, found, &g->paths[number])) found = t->branches[found].next;
    t->behind[number] = found;
    if (found) likely = t->branches[found].next;
    missing += !found;
  }
  return missing;
}

static int add_branch(Tree *t, int parent, const Path *path, double prior) {
  int number = (int)t->count++;
  t->branches[number] = (Branch){.prior = prior, .key = (int32_t)t->key_count, .length = path->count};
  memcpy(t->keys + t->key_count, path->taken, (size_t)path->count * sizeof *t->keys);
  t->key_count += path->count;
  Branch *above = t->branches + parent;
  if (above->first)
    t->branches[above->last].next = number;
  else
    above->first = number;
  return above->last = number;
}

/* Add the missing branches, with priors by the immediate results of their options. Return 0 if that is impossible. */
static int add_branches(Game *g, Tree *t, const Search *s, int parent, int player) {
  int64_t found = g->found;
  double most = 0, whole = 0;
  if (!make_room((void **)&t->branches, sizeof *t->branches, t->count, found, &t->room)) return 0;
  if (!make_room((void **)&t->keys, sizeof *t->keys, t->key_count, found * LONGEST, &t->key_room)) return 0;
  if (!weigh_here(g, s->valuation, player, t->worths, &most)) return 0;
  for (int number = 0; number < g->found; number++) {
    t->worths[number] = power_of_e(not_too_steep((t->worths[number] - most) / s->usual));
    whole += t->worths[number];
  }
  for (int number = 0; number < g->found; number++)
    if (!t->behind[number]) t->behind[number] = add_branch(t, parent, &g->paths[number], t->worths[number] / whole);
  return 1;
}

/* Return the number of the option to try next, given the visits to all of them. */
static int promising(const Game *g, const Tree *t, int visits) {
  double trust = 0, highest = 0;
  int best = 0;
  for (int number = 0; number < g->found; number++) trust += t->branches[t->behind[number]].prior;
  double weight = curious * __builtin_sqrt(visits) / trust;
  for (int number = 0; number < g->found; number++) {
    const Branch *one = t->branches + t->behind[number];
    double value = one->visits ? one->total / one->visits : even;
    double score = value + weight * one->prior / (1 + one->visits);
    if (number && score <= highest) continue;
    best = number;
    highest = score;
  }
  return best;
}

/* Return the value of a worth: the end of a game counts more than everything on the board. */
static double value_of(double worth, double usual) {
  if (worth >= won || worth <= -won) return worth > 0;
  return unsure + (1 - 2 * unsure) / (1 + power_of_e(-not_too_steep(worth / usual)));
}

/* Go down the tree to a new branch, and play on from there; return the number of steps, -1 if the machine has given
 * up. */
static int descend_tree(Game *g, Tree *t, const Search *s) {
  int steps = 0, at = 0;
  while ((!at || t->branches[at].visits) && (g->state == PLAYER || g->state == DICE)) {
    if (g->state == DICE) {
      roll(g, &t->chance);
      continue;
    }
    int player = decider(&g->r);
    if (player < 0) player = 0;
    if (!make_room((void **)&t->steps, sizeof *t->steps, steps, 1, &t->step_room)) return -1;
    if (find_branches(g, t, at) && !add_branches(g, t, s, at, player)) return -1;
    int number = promising(g, t, t->branches[at].visits);
    at = t->behind[number];
    t->steps[steps++] = (Step){at, player};
    take(g, number);
  }
  Chance chance;
  uint32_t seed = below(&t->chance, UINT32_MAX);
  begin_chance(&chance, &seed, 1);
  if (g->state != LOST) play_on(g, s->ahead, -1, s->bots, &chance);
  return g->state == LOST ? -1 : steps;
}

/* Grow the tree by some iterations in a world, given by its moment. All players look ahead, as often as `looks` says,
 * by a valuation (see valued.c). Return the number of iterations done: fewer if the machine has given up. */
PUBLIC int tree_grow(
    Game *g, Tree *t, const int32_t *world, int iterations, int ahead, double usual, const int8_t *favours, int acts,
    const int8_t *looks, const int32_t *counted, const double *each) {
  Valuation valuation = valuation_of(counted, each, t->looks);
  Bots bots = {favours, looks, acts, &valuation};
  Search search = {&valuation, &bots, ahead, usual};
  int done = 0;
  watch();
  for (; done < iterations && !signalled; done++) {
    game_stand(g, world);
    t->branches[0].visits++;
    int steps = descend_tree(g, t, &search);
    if (steps < 0) break;
    for (int number = 0; number < steps; number++) {
      Branch *one = t->branches + t->steps[number].branch;
      one->visits++;
      one->total += value_of(worth_of(&g->r, &valuation, t->steps[number].player), usual);
    }
  }
  unwatch();
  return done;
}

/* Write the visits of the options at a moment, and the mean value and the prior of each; 0 if there is no branch. */
PUBLIC void tree_tell(Game *g, Tree *t, const int32_t *moment, int32_t *visits, double *values, double *priors) {
  game_stand(g, moment);
  find_branches(g, t, 0);
  for (int number = 0; number < g->found; number++) {
    const Branch *one = t->branches + t->behind[number];
    int known = t->behind[number] != 0;
    visits[number] = known ? one->visits : 0;
    values[number] = known && one->visits ? one->total / one->visits : even;
    priors[number] = known ? one->prior : 0;
  }
}
