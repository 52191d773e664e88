/* The native machine: memory, undo log, and the frames under way.
 *
 * Generated definitions precede this file: SIZE, LONGS, HOLDERS, TOKENS and the other places of the layout (see
 * definitions.py). Cells of the memory are those of the layout, one for one, except for trails; after them are cells
 * that only repeat others (see HELD), and the steps of trails, so that an undo restores them, too. memory_transfer.py
 * translates memories between Python and C. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HELPER static inline __attribute__((unused))
#ifdef __OPTIMIZE__
#define EFFECT static __attribute__((unused)) /* too long to be inlined at each call */
#else
#define EFFECT HELPER /* without optimization a compiler keeps unused functions, unless they are inline */
#endif
#define SELDOM __attribute__((cold)) /* code that leads there is moved away */

/* The number of documents; and the factor that replaces a division of tokens by it. Another document
 * changes no other code. */
extern const int32_t documents;
extern const uint64_t in_documents;

/* Bit sets of the documents of the tokens in a holder: LONGS pairs of cells for each holder. The two holders before
 * the first one receive tokens that are put to no owner. */
#define WORDS (2 * LONGS)
#define HELD (SIZE + 2 * WORDS)

/* Bit sets of the spaces with pieces of a kind, two cells for each kind, on boards that are small enough. */
#define OCCUPIED (HELD + HOLDERS * WORDS)

/* The cell of a trail holds the number of the parts of its steps; the parts are kept here, the earliest first, each
 * increased by one, with 0 after the last. Each trail has a row. */
#define TRAILS (OCCUPIED + 2 * KINDS)

/* The cell of a set of pieces has the first 32 of them; the others have a cell FURTHER on, if there is room for more. */
#define TRAILS_END (TRAILS + TRAIL_ROWS * DEEP)
#define FURTHER (TRAILS_END - LIVE)
#define CELLS (ROOM > 32 ? TOKENS + FURTHER : TRAILS_END)

/* Why the native machine gave up; its results from then on are meaningless, and the reference machine has to play. */
enum {
  UNFIT_CHANGES = 1,
  UNFIT_ROOM = 2,
  UNFIT_GRANTS = 4,
  UNFIT_TRAIL = 8,
  UNFIT_NUMBER = 16,
  UNFIT_STACK = 32,
  UNFIT_HOOKS = 64,
  UNFIT_OPTIONS = 128,
  UNFIT_ENDLESS = 256,
  UNFIT_DEAD_END = 512,
  UNFIT_DEEP = 1024,
  UNFIT_STOPPED = 2048,
  UNFIT_SIGNAL = 4096,
  FOUND_ENOUGH = 1 << 20, /* no fault: enough options are listed, and the rest ends as if the machine gave up */
  KEEP_EACH = 1 << 21     /* no fault: the listing ends, and begins again with all options kept */
};

#define CHANGES (1 << 14)
#define STACK (8192 + WIDE_FRAMES)
#define LOOKED (4096 + WIDE_FRAMES) /* cells after the stack for temporary frames */
#define ANYBODY INT32_MIN

/* Cells before the variables of a frame: the frame below, the place where that goes on, whether any work that waits
 * below can fail (without work beyond a fence), and the fence at which a trial ends; AT_END is one around an answer. */
enum { BELOW = -4, RETURN = -3, FAILS = -2, FENCE = -1, HEADER = 4 };
enum { AT_END = -2 };

/* Why a routine stopped. */
enum {
  ELSEWHERE, /* it goes on in another unit */
  FAIL,      /* an order cannot be carried out */
  DONE,      /* the game is over */
  HORIZON,      /* a trial has reached its end */
  CERTAIN,      /* a trial has passed the last thing that could fail */
  CHOICE_POINT,      /* a player must choose */
  PLAYED,    /* all waiting hooks have been carried out */
  GIVEN_UP   /* see `unfit` */
};

/* How a candidate is taken: for good, in a walk through options, or in a trial. */
enum { FOR_GOOD, WALKING, LOOKING_AHEAD };

/* Whether a signal to end the process has come: see signals.c. */
extern volatile int signalled;
int watch(void);

#define SAVED ((1 << 14) + 8 * WIDE_FRAMES)
#define CANDIDATES (1 << 15)

typedef struct {
  int32_t cell, old;
} Change;

enum { LONGEST = 24 };
enum { MOST_ORDERED = 8 }; /* the most such orders that can be tried within each other */

/* The start of a listing of options: the choices before it, the numbers of candidates taken and of changes made until
 * then; and the place for a further frame. */
typedef struct {
  const struct Passed *way;
  int depth, top;
  uint32_t changed;
} Looking;

typedef struct R {
  int32_t m[CELLS];
  const int32_t *sheets; /* the contents of documents: see sheets.py */
  uint32_t unfit;
  uint32_t changed; /* the number of changes in the log */
  Change log[CHANGES];
  int lookahead, in_option; /* the number of nested look-aheads; whether choices still belong to the option */
  int notes; /* the number of reasons to note changes: look-aheads, and options that are valued */
  int32_t st[STACK + LOOKED];

  /* the state of the run: the frame, the next instruction, the candidate that is taken, and how */
  int fp, pc, candidate, mode;
  int walker; /* the player who chooses among the walked options */
  int hasty;  /* whether it is left open if an option can be completed */
  int budget; /* how often it may still go on elsewhere until the rules count as endless */
  int declining; /* whether offers of answers count as declined */
  int alone;     /* whether the work below the answer under way is ignored */
  int fenced;    /* the frame of the answer that is fenced at present; -1 is none */
  int hooked;    /* whether an answer may be under way */
  int answer;    /* the frame of the innermost answer that the options belong to; -1 is none */
  uint32_t passes; /* how often it has gone on elsewhere */
  int shown;     /* whether tokens were shown to a player since it was set to 0 */
  int anyones;   /* the number of texts begun in the option that any equal piece could carry out */

  /* frames before their changes: cells, then the frame and the number; those from `floor` on need no copy */
  int floor, saved;
  int32_t kept[SAVED];

  /* the description of the walked option, and the candidates that it takes */
  uint64_t said;
  int32_t taken[LONGEST];

  /* the remaining candidates of an option that is known, and the depth of trials for them */
  const int32_t *ahead;
  int left, ahead_in;

  /* the number of decisions of chance that may be drawn without stopping */
  int draws;

  /* the start of the option listing; the choice points passed since */
  Looking looking;
  int8_t *entered; /* for each place */

  /* the hooks that are played in one order to see whether it matters, and room for two memories for each such order */
  int played_fp, played_pc;
  int32_t *orders;
  int ordered;

  /* the candidates of the choice point are from `first` on */
  int count, first;
  int32_t candidates[CANDIDATES];
} R;


/* ---- the memory */

/* Whether a change is noted: changes for good are never taken back. */
#ifndef NOTED
#define NOTED(r) (r)->notes
#endif

/* Begin a look-ahead, or end it (-1). */
HELPER void look_ahead(R *r, int by) {
  r->lookahead += by;
  r->notes += by;
}

/* Change a cell, so that it can be undone. Where the log is too short its first entries are lost: see `unwind`. */
HELPER void set(R *r, int cell, int32_t value) {
  if (NOTED(r)) {
    Change *one = &r->log[r->changed++ & (CHANGES - 1)];
    one->cell = cell;
    one->old = r->m[cell];
  }
  r->m[cell] = value;
}

/* Take back all changes but the first `length`. */
HELPER void unwind(R *r, uint32_t length) {
  if (r->changed > CHANGES) r->unfit |= UNFIT_CHANGES;
  while (r->changed > length) {
    const Change *one = &r->log[--r->changed & (CHANGES - 1)];
    r->m[one->cell] = one->old;
  }
}

/* Have immediate consequences checked. */
HELPER void dirty(R *r) {
  if (!r->m[UNSETTLED]) set(r, UNSETTLED, 1);
}

/* Return a number as a cell or a variable can keep it. */
HELPER int32_t bounded(R *r, int32_t number) {
  if ((uint32_t)(number + MOST) > 2u * MOST) r->unfit |= UNFIT_NUMBER;
  return number;
}

/* Return a number, or a lower bound for it. */
HELPER int32_t at_least(int32_t least, int32_t number) { return number < least ? least : number; }

/* ---- trails: `row` is the row of the steps of the trail in a cell */

enum { FIRST_PART = -1 };

/* Return a part of the latest step, counted from its last, or the first part of the first step; for a trail without
 * an owner, an impossible number. */
HELPER int step_of(const int32_t *m, int cell, int row, int part) {
  int steps = m[cell];
  if (steps > 0) return m[TRAILS + row * DEEP + (part == FIRST_PART ? 0 : steps - 1 - part)] - 1;
  return steps < 0 ? UINT16_MAX - 1 : -1;
}

/* Add a part of a step to a trail, which has room for `most` parts; return whether that changes anything. Adding
 * nothing to an empty trail does not. */
HELPER int add_step(R *r, int cell, int row, int most, int step) {
  int steps = r->m[cell];
  if (steps < 0 || steps == most) r->unfit |= UNFIT_TRAIL;
  if (steps < 0 || steps == most || (!steps && step == -1)) return 0;
  set(r, TRAILS + row * DEEP + steps, step + 1);
  set(r, cell, steps + 1);
  return 1;
}

/* Remove the latest part; return whether there was one. */
HELPER int go_back(R *r, int cell, int row) {
  int steps = r->m[cell];
  if (steps <= 0) return 0;
  set(r, TRAILS + row * DEEP + steps - 1, 0);
  set(r, cell, steps - 1);
  return 1;
}

/* Remove all steps. */
HELPER void clear_trail(R *r, int cell, int row) {
  while (go_back(r, cell, row)) continue;
}

/* ---- tokens */

HELPER int holder_of(int token) { return (int)((uint32_t)(token + 2 * documents) * in_documents >> 32) - 2; }

HELPER int document_of(int token) { return token - holder_of(token) * documents; }

/* Return a part of the bit set of the documents of the tokens in a holder: those from 64 * `which` on. */
HELPER uint64_t held(const int32_t *m, int holder, int which) {
  const int32_t *word = m + HELD + holder * WORDS + 2 * which;
  return (uint32_t)word[0] | (uint64_t)(uint32_t)word[1] << 32;
}

HELPER int holds_any(const int32_t *m, int holder) {
  uint64_t found = 0;
  for (int which = 0; which < LONGS; which++) found |= held(m, holder, which);
  return found != 0;
}

/* Set the number of tokens of a document in a holder. */
HELPER void set_tokens(R *r, int holder, int document, int32_t count) {
  int cell = TOKENS + holder * documents + document;
  int32_t had = r->m[cell];
  set(r, cell, count);
  if (!had != !count) {
    int word = HELD + holder * WORDS + (int)((uint32_t)document >> 5);
    set(r, word, r->m[word] ^ (int32_t)(1u << (document & 31)));
  }
}

/* ---- pieces that have gone: a variable keeps a code of their last facts (see lowering/gone.py) */

/* Return a digit of the code of a piece that has gone; NOTHING for any other number. */
HELPER int was_once(int code, uint32_t weight, uint32_t size, int less) {
  return code > -GONE ? -1 : (int)((uint32_t)(-GONE - code) / weight % size) - less;
}

/* Return a piece, or the number of no piece where it has gone. */
HELPER int present(int piece) { return piece < 0 ? -1 : piece; }

/* ---- sets of pieces */

_Static_assert(ROOM <= 64, "a set of pieces has two cells at most");

#if ROOM > 32
typedef uint64_t PieceSet;
HELPER PieceSet set_in(const int32_t *m, int cell) {
  return (uint32_t)m[cell] | (PieceSet)(uint32_t)m[cell + FURTHER] << 32;
}
#else
typedef uint32_t PieceSet;
#define set_in(m, cell) ((PieceSet)(m)[cell])
#endif
#define first_of(set) (ROOM > 32 ? __builtin_ctzll(set) : __builtin_ctz((uint32_t)(set)))
#define size_of(set) (ROOM > 32 ? __builtin_popcountll(set) : __builtin_popcount((uint32_t)(set)))
#define only(piece) ((PieceSet)1 << (piece))
#define has(set, piece) ((int)((set) >> ((piece) & (int)(8 * sizeof(PieceSet) - 1)) & 1))

/* ---- pieces on spaces */

HELPER uint64_t occupied(const int32_t *m, int kind) {
  const int32_t *word = m + OCCUPIED + 2 * kind;
  return (uint32_t)word[0] | (uint64_t)(uint32_t)word[1] << 32;
}

/* Update whether pieces of a kind are on a space, after a possible change. */
HELPER void occupy(R *r, int space, int kind) {
  if (SPACES > 64 || (uint32_t)space >= SPACES || (uint32_t)kind >= KINDS) return;
  int word = OCCUPIED + 2 * kind + (space >> 5);
  int32_t bit = (int32_t)(1u << (space & 31));
  int is_there = (set_in(r->m, AT + space) & set_in(r->m, OF_KIND + kind)) != 0;
  if (!(r->m[word] & bit) != !is_there) set(r, word, r->m[word] ^ bit);
}

/* Update the cells after the layout, after the others have been written from outside. */
HELPER void derive(R *r) {
  memset(r->m + SIZE, 0, (TRAILS - SIZE) * sizeof *r->m);
  for (int token = 0; token < HOLDERS * documents; token++)
    if (r->m[TOKENS + token]) {
      int document = document_of(token);
      r->m[HELD + holder_of(token) * WORDS + (document >> 5)] |= (int32_t)(1u << (document & 31));
    }
  for (int space = 0; SPACES <= 64 && space < SPACES; space++)
    for (int kind = 0; set_in(r->m, AT + space) && kind < KINDS; kind++)
      if (set_in(r->m, AT + space) & set_in(r->m, OF_KIND + kind))
        r->m[OCCUPIED + 2 * kind + (space >> 5)] |= (int32_t)(1u << (space & 31));
}

/* ---- frames */

/* Go down to the frame below; return 0 where there is none. */
HELPER int descend(const R *r, int *fp, int *cur) {
  const int32_t *variables = r->st + *fp + HEADER;
  if (variables[BELOW] < 0) return 0;
  *cur = ROUTINE_AT(variables[RETURN]);
  *fp = variables[BELOW];
  return 1;
}

/* Whether an event of one of some verbs (NULL: of any) ordered the act under way, through its own steps.
 *
 * An act of another piece than the `acting` one is a cause of its own: its cause did not order this. */
EFFECT int caused_by(
    const R *r, int fp, int cur, const uint32_t *verbs, int agent, int document, int acting) {
  /* The answered event is no cause of itself. */
  if (routine_stages[cur]) descend(r, &fp, &cur);
  for (;;) {
    const int32_t *e = r->st + fp + HEADER;
    int verb = routine_event[cur];
    if (verb >= 0) {
      if (!verbs || verbs[verb >> 5] >> (verb & 31) & 1) {
        if (document < 0) {
          if (agent == ANYBODY || e[AGENT] == agent) return 1;
        } else {
          for (const int16_t *place = routine_tokens + routine_first_token[cur]; *place >= 0; place++)
            if (e[*place] >= 0 && document_of(e[*place]) == document) return 1;
        }
      }
      if (acting != ANYBODY && routine_by_piece[cur] && e[AGENT] != acting) return 0;
    }
    if (routine_is_hook[cur] || !descend(r, &fp, &cur)) return 0;
  }
}

#endif
