/* Texts that do the same whichever equal piece carries them out, and are collected once: see mattering.py. */

/* Whether no rule tests a piece that is the agent in the frame of a routine. */
int is_unknown(const R *r, int routine, int piece) {
  int document = r->m[PIECES + DOCUMENT + piece * STRIDE];
  for (const int16_t *one = asked_documents + routine_first_asked[routine]; *one != -1; one++)
    if (*one == document || *one == EVERYBODY) return 0;
  return 1;
}

/* Whether the piece in a variable of a frame is not read any more; a variable without a piece always counts. */
static int is_idle(const R *r, int place, int routine, int cell, int32_t value) {
  if (cell > 31 || !(dead_at[place] >> cell & 1) || value < 0) return 0;
  return cell != AGENT || is_unknown(r, routine, value);
}

static int has_changed(const Met *met, int cell) {
  for (int one = 0; one < met->changed; one++)
    if (met->change[one].cell == cell) return 1;
  return 0;
}

/* Whether the run is at the same moment again, apart from variables that are not read any more: once the game is
 * over, none is. */
static int is_met(const Game *g, const Met *met) {
  const R *r = &g->r;
  int over = r->m[ENDED];
  if (!over && (met->fp != r->fp || met->pc != r->pc)) return 0;
  for (int one = 0; one < met->changed; one++)
    if (r->m[met->change[one].cell] != met->change[one].old) return 0;
  for (uint32_t one = g->begun; one < r->changed; one++) {
    const Change *change = &r->log[one & (CHANGES - 1)];
    if (r->m[change->cell] != change->old && !has_changed(met, change->cell) && is_first(r, g->begun, one)) return 0;
  }
  if (over) return 1;
  for (int fp = r->fp, place = r->pc;;) {
    const int32_t *here = r->st + fp + HEADER, *then = met->st + fp + HEADER;
    int routine = routine_at[place], size = routine_size[routine];
    for (int cell = 0; cell < size; cell++)
      if (here[cell] != then[cell] &&
          !(is_idle(r, place, routine, cell, here[cell]) && is_idle(r, place, routine, cell, then[cell])))
        return 0;
    if (here[BELOW] != then[BELOW]) return 0;
    if (here[BELOW] < 0) return 1;
    if (here[RETURN] != then[RETURN]) return 0;
    place = here[RETURN];
    fp = here[BELOW];
  }
}

/* Copy the cells of all changes from `begun` on, with their values now. */
static void copy_changed(const R *r, uint32_t begun, Change *to) {
  for (uint32_t one = begun; one < r->changed; one++) {
    int cell = r->log[one & (CHANGES - 1)].cell;
    *to++ = (Change){cell, r->m[cell]};
  }
}

/* Store the present moment of the run, after `depth` candidates. */
static void keep_met(Game *g, int depth) {
  R *r = &g->r;
  int top = r->fp + HEADER + routine_size[routine_at[r->pc]];
  uint32_t changed = r->changed - g->begun;
  if (g->mets == MOST_MET || top > MET_CELLS || changed > MET_CHANGES) {
    r->unfit |= UNFIT_OPTIONS;
    return;
  }
  Met *met = &g->met[g->mets++];
  met->depth = depth;
  met->fp = r->fp;
  met->pc = r->pc;
  met->changed = (int)changed;
  copy_changed(r, g->begun, met->change);
  memcpy(met->taken, r->taken, sizeof met->taken);
  memcpy(met->st, r->st, (size_t)top * sizeof *met->st);
}

/* If such a text has begun after the last choice, return the same moment from an earlier time; if it is new, store it
 * and return NULL. */
static Met *met_before(R *r, int depth, const Passed *way) {
  Game *g = (Game *)r;
  if (r->anyones == (way ? way->anyones : 0)) return NULL;
  for (int number = 0; number < g->mets; number++)
    if (is_met(g, &g->met[number])) return &g->met[number];
  if (g->keeps == HIGHEST) r->unfit |= KEEP_EACH; /* options can be left out again */
  keep_met(g, depth);
  return NULL;
}

/* Leave out the options that begin with the first `depth` candidates of a moment that was met. */
static void give(Game *g, const Met *met, int depth) {
  int left = 0;
  for (int number = 0; number < g->kept; number++) {
    Path *path = &g->paths[number];
    if (path->count >= depth && !memcmp(path->taken, met->taken, (size_t)depth * sizeof *met->taken))
      g->open -= path->open;
    else
      g->paths[left++] = *path;
  }
  g->found = g->kept = left;
}

/* Whether the look-ahead reached the same text in the same way as before, except for one choice of another piece. */
static int is_alike(const R *r, const Alike *one, int begun, int piece, int depth, uint32_t made) {
  const int32_t *deciders = r->m + PIECES + DECIDER;
  if (one->begun != begun || one->depth != depth || one->made != made || one->changed != r->looking.changed) return 0;
  if (deciders[one->piece * STRIDE] != deciders[piece * STRIDE]) return 0;
  int others = 0;
  for (int at = 0; at < depth; at++) {
    if (one->taken[at] == r->taken[at]) continue;
    if (at < r->looking.depth || one->taken[at] != one->piece || r->taken[at] != piece) return 0;
    others++;
  }
  for (uint32_t at = 0; at < made; at++) {
    int cell = r->log[(r->looking.changed + at) & (CHANGES - 1)].cell;
    if (one->change[at].cell != cell || one->change[at].old != r->m[cell]) return 0;
  }
  return others == 1;
}

/* Whether the look-ahead reached the text of a document before for another, equal piece of that document, with
 * everything else the same. 0: it did not, and this time is stored; 1: it did; 2: only carrying the text out can
 * decide it, as always when all options are listed. `alive`: whether pending work still tests the piece. */
int looked_alike(R *r, int begun, int piece, int depth, int alive) {
  Game *g = (Game *)r;
  uint32_t made = r->changed - r->looking.changed;
  if (alive || g->keeps != DRAWN || g->mets || made > ALIKE_CHANGES || !turn_is_first[routine_at[begun]]) return 2;
  for (int number = 0; number < g->alikes; number++)
    if (is_alike(r, &g->alike[number], begun, piece, depth, made)) return 1;
  if (g->alikes == MOST_ALIKE) return 2;
  Alike *one = &g->alike[g->alikes++];
  one->begun = begun;
  one->depth = depth;
  one->piece = piece;
  one->made = made;
  one->changed = r->looking.changed;
  copy_cells(one->taken, r->taken, depth);
  copy_changed(r, r->looking.changed, one->change);
  return 0;
}

/* Keep the candidates to walk where the same moment has been walked for another piece; return their number. Where
 * pieces take turns, each piece goes first by its own text and not by that of another one. */
static int left_to_it(R *r, Met *met, int count) {
  Game *g = (Game *)r;
  int fp = r->fp, cur = routine_at[r->pc], depth = met->depth;
  while (!routine_is_anyones[cur])
    if (!descend(r, &fp, &cur)) return 0;
  if (g->keeps == DRAWN || routine_turn[cur] < 0) return 0;
  int own = r->st[fp + HEADER + THIS], is_turn = flags_at[r->pc] & TURNS && fp == r->fp;
  if (!is_turn && r->st[fp + HEADER + routine_turn[cur]] != own) return 0;
  if (!is_turn) {
    give(g, met, depth);
    return count;
  }
  if (depth == LONGEST) return 0;
  met->taken[depth] = own;
  give(g, met, depth + 1);
  for (int number = 0; number < count; number++)
    if (r->candidates[r->first + number] == own) {
      r->candidates[r->first] = own;
      return 1;
    }
  return 0;
}
