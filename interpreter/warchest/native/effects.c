/* Changes of a state: tokens and pieces move, fields get values, bonuses begin and end.
 *
 * All functions change the same cells as the reference machine, and note the changes in the undo log. */
#include "machine.h"

/* Called before the variables of a frame change in a way that may have to be undone. */
#ifndef SAVE_FRAME
#define SAVE_FRAME(r, fp, cur) ((void)0)
#endif

HELPER int cell_of(int piece) { return PIECES + piece * STRIDE; }

#define BIT(piece) ((int32_t)(1u << ((piece) & 31)))

/* Return the cell of a set in which the bit of a piece is. */
HELPER int word_of(int cell, int piece) { return ROOM > 32 && piece > 31 ? cell + FURTHER : cell; }

HELPER void include(R *r, int cell, int piece) {
  cell = word_of(cell, piece);
  set(r, cell, r->m[cell] | BIT(piece));
}

HELPER void leave_out(R *r, int cell, int piece) {
  cell = word_of(cell, piece);
  set(r, cell, r->m[cell] & ~BIT(piece));
}

HELPER void change(R *r, int cell, int32_t value) {
  if (r->m[cell] != value) set(r, cell, value);
}

/* ---- order */

/* Return the row of the steps of a trail of a piece, -1 if the cell is no trail. */
HELPER int row_of(int cell, int piece) {
  for (int trail = 0; trail < PIECE_TRAILS; trail++)
    if (trail_cell[trail] == cell) return trail_row[trail] + piece;
  return -1;
}

/* Whether a piece comes before another one: by space, then by all of its values. */
HELPER int comes_before(const int32_t *m, int one, int other) {
  const int32_t *left = m + cell_of(one), *right = m + cell_of(other);
  if (left[SPACE] != right[SPACE]) return left[SPACE] < right[SPACE];
  for (int cell = KIND; cell < STRIDE; cell++) {
    if (left[cell] != right[cell]) return left[cell] < right[cell];
    if (PIECE_TRAILS && left[cell] > 0 && row_of(cell, 0) >= 0) {
      const int32_t *steps = m + TRAILS + row_of(cell, one) * DEEP, *others = m + TRAILS + row_of(cell, other) * DEEP;
      for (int step = 0; step < left[cell]; step++)
        if (steps[step] != others[step]) return steps[step] < others[step];
    }
  }
  return 0;
}

EFFECT void sort_by_place(const R *r, int32_t *pieces, int count) {
  for (int next = 1; next < count; next++) {
    int32_t piece = pieces[next];
    int place = next;
    for (; place && comes_before(r->m, piece, pieces[place - 1]); place--) pieces[place] = pieces[place - 1];
    pieces[place] = piece;
  }
}

/* Sort pieces in an order that does not depend on their numbers. */
HELPER void by_place(const R *r, int32_t *pieces, int count) {
  if (count > 1) sort_by_place(r, pieces, count);
}

/* ---- tokens */

/* Return a number of tokens that fits into a cell. */
HELPER int32_t heaped(R *r, int32_t number) {
  if (number > MOST_TOKENS) r->unfit |= UNFIT_NUMBER;
  return number;
}

/* Move some of a token to a holder; return the token there. */
HELPER __attribute__((always_inline)) int move_tokens(R *r, int token, int holder, int count) {
  int source = holder_of(token), document = token - source * documents, moved = holder * documents + document;
  if (source != NOWHERE) set_tokens(r, source, document, r->m[TOKENS + token] - count);
  if (holder != NOWHERE) set_tokens(r, holder, document, heaped(r, r->m[TOKENS + moved] + count));
  if (watched_holder[source + 2] || watched_holder[holder + 2]) dirty(r);
  return moved;
}

EFFECT int move_token(R *r, int token, int holder) { return move_tokens(r, token, holder, 1); }

/* Make new tokens in a holder. */
HELPER void add_tokens(R *r, int holder, int document, int count) {
  int token = holder * documents + document;
  set_tokens(r, holder_of(token), document_of(token), heaped(r, r->m[TOKENS + token] + count));
  if (watched_holder[holder + 2]) dirty(r);
}

/* Whether a token is one that only a variable refers to, or is in the place that it names. */
HELPER int is_there(const R *r, int token) { return token >= 0 && (token < documents || r->m[TOKENS + token]); }

/* ---- temporary values and bonuses */

enum { CLAUSE, HAS, WHAT, AMOUNT, BY, YOU_THEN, ORDER };

#define FOR_GRANTS(r, one)                                                             \
  for (int one = GRANTS, left_##one = (r)->m[GRANTED]; left_##one && one < GRANTS_END; \
       one += GRANT)                                                                   \
    if ((r)->m[one] && left_##one--)

enum { DOCUMENT_WORDS = (MOST_DOCUMENTS + 31) / 32 };

/* Return the set of the documents that things of a document are of, or bear. */
HELPER const int32_t *documents_of(const R *r, int document) { return r->sheets + (document + 1) * DOCUMENT_WORDS; }

HELPER int bears(const R *r, int document, int other) {
  return documents_of(r, document)[other >> 5] >> (other & 31) & 1;
}

/* Whether a piece that has gone was of a document, or bore it. */
HELPER int bore(const R *r, int was, int document) { return was >= 0 && bears(r, was, document); }

#define FOR_DOCUMENTS(r, document, one)                                                        \
  for (int word_ = 0; word_ < DOCUMENT_WORDS; word_++)                                         \
    for (uint32_t left_ = (uint32_t)documents_of(r, document)[word_]; left_; left_ &= left_ - 1) \
      for (int one = 32 * word_ + __builtin_ctz(left_), once_ = 1; once_; once_ = 0)

/* Let a piece bear, besides the documents of its sheet, exactly those with a positive bonus. */
EFFECT void bear(R *r, int piece, int what) {
  int first = cell_of(piece), document = borne[what];
  if (document < 0) return;
  if (r->m[first + RAISED + what] > 0 || bears(r, r->m[first + DOCUMENT], document))
    include(r, OF_DOCUMENT + document, piece);
  else
    leave_out(r, OF_DOCUMENT + document, piece);
}

/* Raise a value of a piece for good (or, by a negative amount, lower it). */
EFFECT void add_bonus(R *r, int piece, int what, int amount) {
  int cell = cell_of(piece) + RAISED + what;
  set(r, cell, bounded(r, r->m[cell] + amount));
  dirty(r);
  bear(r, piece, what);
}

/* Fill a free record; give up when there is none. */
EFFECT void note_grant(R *r, int clause, int piece, int what, int amount, int by, int you, int order) {
  const int32_t values[GRANT] = {clause, piece, what, amount, by, you, order};
  for (int one = GRANTS; one < GRANTS_END; one += GRANT)
    if (!r->m[one]) {
      for (int cell = 0; cell < GRANT; cell++) set(r, one + cell, values[cell]);
      set(r, GRANTED, r->m[GRANTED] + 1);
      return;
    }
  r->unfit |= UNFIT_GRANTS;
}

EFFECT void free_grant(R *r, int one) {
  set(r, one + CLAUSE, 0);
  set(r, GRANTED, r->m[GRANTED] - 1);
}

/* Raise a value of a piece until a clause is ended; clause -1 never ends. */
EFFECT void grant_bonus(R *r, int clause, int piece, int what, int amount, int by, int you) {
  add_bonus(r, piece, what, amount);
  if (clause >= 0) note_grant(r, clause + 1, piece, what, amount, present(by), you, 0);
}

/* Set a field of a piece (`number` among those that can be overridden) until a clause is ended, hiding its value. */
EFFECT void prevail(R *r, int clause, int piece, int number, int value, int by, int you) {
  int first = cell_of(piece), older = 0, order = -1;
  FOR_GRANTS(r, one)
    if (r->m[one + HAS] == piece && r->m[one + WHAT] == -1 - number) {
      older = 1;
      if (r->m[one + ORDER] > order) order = r->m[one + ORDER];
    }
  /* A value without an end is beneath all others, unless one with an end is there already. */
  if (older || clause >= 0) {
    if (!older) set(r, first + BENEATH + number, r->m[first + prevailing[number]]);
    note_grant(r, clause < 0 ? CLAUSES + 1 : clause + 1, piece, -1 - number, value, present(by), you, order + 1);
  }
  set(r, first + prevailing[number], value);
  dirty(r);
}

/* Set a field of a piece to the value of its newest record. */
EFFECT void settle_field(R *r, int piece, int number) {
  int first = cell_of(piece), newest = -1;
  FOR_GRANTS(r, one)
    if (r->m[one + HAS] == piece && r->m[one + WHAT] == -1 - number)
      if (newest < 0 || r->m[one + ORDER] > r->m[newest + ORDER]) newest = one;
  set(r, first + prevailing[number], r->m[newest < 0 ? first + BENEATH + number : newest + AMOUNT]);
  if (newest < 0) set(r, first + BENEATH + number, 0);
  dirty(r);
}

/* End the bonus or the value of a record. */
EFFECT void end_grant(R *r, int one) {
  int piece = r->m[one + HAS], what = r->m[one + WHAT], amount = r->m[one + AMOUNT];
  free_grant(r, one);
  if (piece < 0) {
    int cell = cell_of(-1 - piece) + AWAY_RAISED + what;
    set(r, cell, r->m[cell] - amount);
  } else if (what >= 0) {
    add_bonus(r, piece, what, -amount);
  } else {
    settle_field(r, piece, -1 - what);
  }
}

/* Whether a piece has a temporary value from another one, by the text of a document if one is given. */
EFFECT int upheld(const R *r, int by, int piece, int document) {
  if (by < 0 || piece < 0) return 0;
  FOR_GRANTS(r, one)
    if ((r->m[one + HAS] == piece || r->m[one + HAS] == -1 - piece) && r->m[one + BY] == by)
      if (document < 0 || upheld_on[r->m[one + CLAUSE]] == document) return 1;
  return 0;
}

/* ---- pieces */

/* Put a new piece onto a space and return its number; give up when there is none left. */
EFFECT int new_piece(R *r, int kind, int document, int space, int owner) {
  const int32_t start[DECLARED] = {kind, document, space, document, owner};
  PieceSet live = set_in(r->m, LIVE);
  if (live == ~(PieceSet)0 >> (8 * sizeof live - ROOM)) {
    r->unfit |= UNFIT_ROOM;
    return 0;
  }
  int piece = (r->m[LAST] + 1) % ROOM;
  while (has(live, piece)) piece = (piece + 1) % ROOM;
  set(r, LAST, piece);
  include(r, LIVE, piece);
  int first = cell_of(piece);
  for (int cell = 0; cell < DECLARED; cell++) set(r, first + cell, start[cell]);
  for (int cell = 0; cell < FRESH; cell++) change(r, first + DECLARED + cell, fresh[cell]);
  FOR_DOCUMENTS(r, document, one) include(r, OF_DOCUMENT + one, piece);
  include(r, OF_KIND + kind, piece);
  include(r, AT + space, piece);
  occupy(r, space, kind);
  if (ARRIVALS) dirty(r);
  return piece;
}

/* Whether a space has no room for a piece of a kind, because of a piece that is not among those leaving. */
HELPER int taken(const R *r, int kind, int space, PieceSet leaving) {
  PieceSet there = set_in(r->m, AT + space) & ~leaving;
  return there && alone[kind] && (there & set_in(r->m, OF_KIND + kind));
}

HELPER int can_swap_places(const R *r, int one, int other) {
  const int32_t *first = r->m + cell_of(one), *second = r->m + cell_of(other);
  PieceSet leaving = only(one) | only(other);
  return !taken(r, first[KIND], second[SPACE], leaving) && !taken(r, second[KIND], first[SPACE], leaving);
}

/* Move a piece to a space. */
HELPER void move_piece(R *r, int piece, int space) {
  int place = cell_of(piece) + SPACE, before = r->m[place], kind = r->m[cell_of(piece) + KIND];
  leave_out(r, AT + before, piece);
  include(r, AT + space, piece);
  occupy(r, before, kind);
  occupy(r, space, kind);
  set(r, place, space);
  if (PLACES) dirty(r);
}

/* Move a piece to a space if both exist, and there is room. */
HELPER void put_onto(R *r, int piece, int space) {
  if (piece >= 0 && space >= 0 && !taken(r, r->m[cell_of(piece) + KIND], space, only(piece)))
    move_piece(r, piece, space);
}

EFFECT void swap_places(R *r, int one, int other) {
  if (one < 0 || other < 0 || !can_swap_places(r, one, other)) return;
  int here = r->m[cell_of(one) + SPACE], there = r->m[cell_of(other) + SPACE];
  move_piece(r, one, there);
  move_piece(r, other, here);
}

/* Change the document of a piece; its tokens stay the same. */
EFFECT void change_form(R *r, int piece, int document) {
  FOR_DOCUMENTS(r, r->m[cell_of(piece) + DOCUMENT], one) leave_out(r, OF_DOCUMENT + one, piece);
  set(r, cell_of(piece) + DOCUMENT, document);
  FOR_DOCUMENTS(r, document, one) include(r, OF_DOCUMENT + one, piece);
  for (int what = 0; what < BORNE; what++) bear(r, piece, what);
  dirty(r);
}

/* Let a piece change to its other form; fields and bonuses of its previous form wait. */
EFFECT void swap_form(R *r, int piece, int document) {
  int first = cell_of(piece);
  for (int place = 0; place < BOUND; place++) {
    int32_t here = r->m[first + bound[place]];
    set(r, first + bound[place], r->m[first + AWAY + place]);
    set(r, first + AWAY + place, here);
  }
  FOR_GRANTS(r, one)
    if (r->m[one + WHAT] >= 0 && (r->m[one + HAS] == piece || r->m[one + HAS] == -1 - piece))
      set(r, one + HAS, -1 - r->m[one + HAS]);
  change_form(r, piece, document);
}

/* Make a piece belong to a player, if both are there. */
HELPER void change_owner(R *r, int piece, int player) {
  if (piece < 0 || player < 0 || r->m[cell_of(piece) + OWNER] == player) return;
  set(r, cell_of(piece) + OWNER, player);
  dirty(r);
}

/* Reset some cells of all pieces, for fields that last for acts. */
EFFECT void forget_passing(R *r, int passing, int cells) {
  for (PieceSet left = set_in(r->m, LIVE); left; left &= left - 1) {
    int piece = first_of(left), first = cell_of(piece);
    for (int cell = passing; cell < passing + cells; cell++) {
      int32_t usual = fresh[cell - DECLARED];
      if (r->m[first + cell] == usual) continue;
      if (PIECE_TRAILS && row_of(cell, piece) >= 0) clear_trail(r, first + cell, row_of(cell, piece));
      change(r, first + cell, usual);
      if (watched_passing[cell]) dirty(r);
    }
  }
}

/* Reset the values of all acts. */
EFFECT void end_values(R *r) {
  for (int value = 0; value < VALUES; value++)
    if (r->m[value_cell[value]] != value_usual[value]) set(r, value_cell[value], value_usual[value]);
}

/* Return the code of a piece that is about to leave the board. */
HELPER int code_of(const R *r, int piece) {
  const int32_t *cells = r->m + cell_of(piece);
  int64_t code = cells[NATURE] * (int64_t)W_NATURE + cells[DOCUMENT] * (int64_t)W_DOCUMENT;
  code += (cells[DECIDER] + 1) * (int64_t)W_DECIDER + (cells[OWNER] + 1) * (int64_t)W_OWNER;
  return CODES_FIT ? (int)(-GONE - code - cells[SPACE] * (int64_t)W_SPACE) : -1;
}

/* Put a code in place of a piece in one variable of a frame; its tokens are nowhere now. Return 1 if it was
 * mentioned. */
EFFECT int forget_in(int32_t *variable, int kind, int piece, int code, int holder, int only_look) {
  int found = 0, tokens = kind == 2 || kind == 4;
  int count = kind == 3 || kind == 4 ? variable[1] : kind == 5 ? variable[0] : 1;
  int32_t *one = kind == 3 || kind == 4 ? variable + 2 : kind == 5 ? variable + 2 : variable;
  for (; count-- > 0; one += kind == 5 ? 2 : 1) {
    if (tokens ? *one < 0 || holder_of(*one) != holder : *one != piece) continue;
    found = 1;
    if (!only_look) *one = tokens ? document_of(*one) : code;
  }
  return found;
}

/* Whether a variable of a frame, by its mention, names a piece or a token in it. */
HELPER int is_mentioned(int32_t *e, int mention, int piece, int holder) {
  int32_t *variable = e + mention % MOST_PLACES;
  return mention / MOST_PLACES == NAMES_PIECE ? *variable == piece
                                              : forget_in(variable, mention / MOST_PLACES, piece, 0, holder, 1);
}

/* Make all work under way refer to a piece only by its last facts. */
EFFECT void forget_mentions(R *r, int fp, int cur, int piece, int code, int holder) {
  for (int part = 0; part < PARTS; part++)
    if (r->m[part_cell[part]] == piece) {
      if (!CODES_FIT) r->unfit |= UNFIT_ROOM;
      set(r, part_cell[part], code);
    }
  do {
    int32_t *e = r->st + fp + HEADER;
    const int16_t *mention = routine_mentions + routine_first_mention[cur];
    while (*mention && !is_mentioned(e, *mention, piece, holder)) mention++;
    if (*mention && !CODES_FIT) r->unfit |= UNFIT_ROOM;
    /* All frames down to the last one that changes are saved: those above it are processed, too. */
    SAVE_FRAME(r, fp, cur);
    for (; *mention; mention++) forget_in(e + *mention % MOST_PLACES, *mention / MOST_PLACES, piece, code, holder, 0);
  } while (descend(r, &fp, &cur));
}

/* Remove the bonuses of a piece that leaves the board; bonuses that it gave to others have no giver any more. */
EFFECT void forget_grants(R *r, int piece) {
  for (int what = 0; what < BORNE; what++)
    if (borne[what] >= 0) leave_out(r, OF_DOCUMENT + borne[what], piece);
  FOR_GRANTS(r, one) {
    if (r->m[one + HAS] == piece || r->m[one + HAS] == -1 - piece)
      free_grant(r, one);
    else if (r->m[one + BY] == piece)
      set(r, one + BY, -1);
  }
}

/* Take a piece off the board with its tokens; work under way refers to it only by its last facts. */
EFFECT void remove_piece(R *r, int fp, int cur, int piece) {
  int first = cell_of(piece), holder = IN_PIECE + piece, code = code_of(r, piece);
  leave_out(r, AT + r->m[first + SPACE], piece);
  FOR_DOCUMENTS(r, r->m[first + DOCUMENT], one) leave_out(r, OF_DOCUMENT + one, piece);
  leave_out(r, OF_KIND + r->m[first + KIND], piece);
  occupy(r, r->m[first + SPACE], r->m[first + KIND]);
  leave_out(r, LIVE, piece);
  if (DEPARTURES) dirty(r);
  if (BORNE || GRANTS_END > GRANTS) forget_grants(r, piece);
  for (int trail = 0; trail < PIECE_TRAILS; trail++) clear_trail(r, first + trail_cell[trail], trail_row[trail] + piece);
  for (int cell = 0; cell < STRIDE; cell++) change(r, first + cell, -1);
  for (int which = 0; which < LONGS; which++)
    for (uint64_t left = held(r->m, holder, which); left; left &= left - 1)
      set_tokens(r, holder, 64 * which + __builtin_ctzll(left), 0);
  forget_mentions(r, fp, cur, piece, code, holder);
}

/* Whether a piece exists that can change to a kind: one is the remains of the other, and the space has room. */
HELPER int can_change_kind(const R *r, int piece, int kind) {
  if (piece < 0) return 0;
  int first = cell_of(piece), old = r->m[first + KIND];
  return (remains_of[kind] == old || remains_of[old] == kind) && !taken(r, kind, r->m[first + SPACE], 0);
}

/* Change the kind of a piece; all work under way refers to it only by its last facts. */
EFFECT void change_kind(R *r, int fp, int cur, int piece, int kind) {
  int first = cell_of(piece), old = r->m[first + KIND], space = r->m[first + SPACE], code = code_of(r, piece);
  const int8_t *stays = staying + STRIDE * (remains_of[kind] == old ? kind : old);
  FOR_GRANTS(r, one)
    if (r->m[one + HAS] == piece && r->m[one + WHAT] < 0) {
      int number = -1 - r->m[one + WHAT];
      change(r, first + prevailing[number], r->m[first + BENEATH + number]);
    }
  forget_grants(r, piece);
  for (int trail = 0; trail < PIECE_TRAILS; trail++)
    if (!stays[trail_cell[trail]]) clear_trail(r, first + trail_cell[trail], trail_row[trail] + piece);
  for (int cell = DECLARED; cell < DECLARED + FRESH; cell++)
    if (!stays[cell]) change(r, first + cell, fresh[cell - DECLARED]);
  leave_out(r, OF_KIND + old, piece);
  include(r, OF_KIND + kind, piece);
  set(r, first + KIND, kind);
  occupy(r, space, old);
  occupy(r, space, kind);
  for (int what = 0; what < BORNE; what++) bear(r, piece, what);
  dirty(r);
  forget_mentions(r, fp, cur, piece, code, -1);
}

/* End the game, with all work under way. */
EFFECT void over(R *r) {
  set(r, ENDED, 1);
  forget_passing(r, PASSING, PASSING_CELLS);
  end_values(r);
}
