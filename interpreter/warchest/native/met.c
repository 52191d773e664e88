/* Texts that are the same whoever carries them out: see mattering.py. */

/* Whether nobody asks about a piece that is the agent in the frame of a routine. */
int is_unknown(const R *r, int routine, int piece) {
  int document = r->m[PIECES + DOCUMENT + piece * STRIDE];
  for (const int16_t *one = asked_documents + routine_first_asked[routine]; *one != -1; one++)
    if (*one == document || *one == EVERYBODY) return 0;
  return 1;
}

/* Whether it makes no difference what a variable of a frame is, nothing aside. */
static int is_idle(const R *r, int place, int routine, int cell, int32_t value) {
  if (cell > 31 || !(dead_at[place] >> cell & 1) || value < 0) return 0;
  return cell != AGENT || is_unknown(r, routine, value);
}

/* Whether the run stands where it stood before, but for what makes no difference. */
static int is_met(const Game *g, const Met *met) {
  const R *r = &g->r;
  if (met->fp != r->fp || met->pc != r->pc) return 0;
  for (int one = 0; one < met->changed; one++)
    if (r->m[met->change[one].cell] != met->change[one].old) return 0;
  for (uint32_t one = g->begun; one < r->changed; one++) {
    const Change *change = &r->log[one & (CHANGES - 1)];
    int known = 0;
    for (int other = 0; other < met->changed && !known; other++) known = met->change[other].cell == change->cell;
    for (uint32_t first = g->begun; first < one && !known; first++)
      known = r->log[first & (CHANGES - 1)].cell == change->cell;
    if (!known && r->m[change->cell] != change->old) return 0;
  }
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

/* Keep where the run stands, behind so many candidates. */
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
  for (uint32_t one = 0; one < changed; one++) {
    int cell = r->log[(g->begun + one) & (CHANGES - 1)].cell;
    met->change[one] = (Change){cell, r->m[cell]};
  }
  memcpy(met->taken, r->taken, sizeof met->taken);
  memcpy(met->st, r->st, (size_t)top * sizeof *met->st);
}

/* Return where the run has stood before if such a text has begun behind the last choice; else keep that, and return
 * NULL. */
static Met *met_before(R *r, int depth, const Passed *way) {
  Game *g = (Game *)r;
  if (r->anyones == (way ? way->anyones : 0)) return NULL;
  for (int number = 0; number < g->mets; number++)
    if (is_met(g, &g->met[number])) return &g->met[number];
  keep_met(g, depth);
  return NULL;
}

/* Leave out the options that have been collected with the candidates that first led to a place, and one more, if any. */
static void give(Game *g, const Met *met, int depth) {
  int left = 0;
  for (int number = 0; number < g->found && !g->drawing; number++) {
    Path *path = &g->paths[number];
    if (path->count >= depth && !memcmp(path->taken, met->taken, (size_t)depth * sizeof *met->taken))
      g->open -= path->open;
    else
      g->paths[left++] = *path;
  }
  if (!g->drawing) g->found = left;
}

/* Whether looking on has come to the text of a document before, for another piece and in the same way: it is one of
 * several of that document that are equal, and all was the same but for that choice. 0: it has not, and this is kept;
 * 1: it has; 2: that shows only when it is carried out, as it does where all options are listed. `alive` tells whether
 * anything that waits still asks for the piece. */
int looked_alike(R *r, int begun, int piece, int depth, int alive) {
  Game *g = (Game *)r;
  uint32_t made = r->changed - r->looking.changed;
  if (alive || !g->drawing || g->mets || made > ALIKE_CHANGES || !turn_is_first[routine_at[begun]]) return 2;
  for (int number = 0; number < g->alikes; number++) {
    const Alike *one = &g->alike[number];
    int same = one->begun == begun && one->depth == depth && one->made == made && one->changed == r->looking.changed &&
               r->m[PIECES + DECIDER + one->piece * STRIDE] == r->m[PIECES + DECIDER + piece * STRIDE], others = 0;
    for (int at = 0; at < depth && same; at++)
      if (one->taken[at] != r->taken[at]) {
        same = at >= r->looking.depth && one->taken[at] == one->piece && r->taken[at] == piece;
        others++;
      }
    for (uint32_t at = 0; at < made && same; at++) {
      int cell = r->log[(r->looking.changed + at) & (CHANGES - 1)].cell;
      same = one->change[at].cell == cell && one->change[at].old == r->m[cell];
    }
    if (same && others == 1) return 1;
  }
  if (g->alikes == MOST_ALIKE) return 2;
  Alike *one = &g->alike[g->alikes++];
  one->begun = begun;
  one->depth = depth;
  one->piece = piece;
  one->made = made;
  one->changed = r->looking.changed;
  copy_cells(one->taken, r->taken, depth);
  for (uint32_t at = 0; at < made; at++) {
    int cell = r->log[(r->looking.changed + at) & (CHANGES - 1)].cell;
    one->change[at] = (Change){cell, r->m[cell]};
  }
  return 0;
}

/* Leave to a piece the candidates that are not collected for another one, for whose text all has been collected; return
 * how many these are. Of several that take turns, each goes first by its own text, and not by that of another one. */
static int left_to_it(R *r, Met *met, int count) {
  Game *g = (Game *)r;
  int fp = r->fp, cur = routine_at[r->pc], depth = met->depth;
  while (!routine_is_anyones[cur])
    if (!descend(r, &fp, &cur)) return 0;
  if (g->drawing || routine_turn[cur] < 0) return 0;
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
