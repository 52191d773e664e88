/* The native machine: memory, undo log, and the frames of what is under way.
 *
 * Generated definitions stand in front of this: SIZE, LONGS, HOLDERS, TOKENS and the other places of the
 * layout (see definitions.py). Cells of the memory are those of the layout, one for one, but for trails; behind them
 * stand cells that only repeat what those say (see HELD), and the steps of trails, so that an undo brings them back,
 * too. What comes from outside and goes there is translated by memory_transfer.py.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HELPER static inline __attribute__((unused))
#ifdef __OPTIMIZE__
#define EFFECT static __attribute__((unused)) /* too long to stand wherever it is called */
#else
#define EFFECT HELPER /* in haste, a compiler leaves out no function that nobody calls, unless it is inline */
#endif
#define SELDOM __attribute__((cold)) /* code that leads there stands apart */

/* The number of documents; and the factor by which tokens are multiplied in order to divide by it. Another document
 * changes no other code. */
extern const int32_t documents;
extern const uint64_t in_documents;

/* Bit sets of the documents of which a holder has tokens: LONGS pairs of cells for each holder. The two holders in
 * front of the first one are for what is put where nobody is. */
#define WORDS (2 * LONGS)
#define HELD (SIZE + 2 * WORDS)

/* Bit sets of the spaces on which pieces of a kind stand, two cells for each kind, on boards that are small enough. */
#define OCCUPIED (HELD + HOLDERS * WORDS)

/* The cell of a trail holds the number of the parts of its steps; the parts are kept here, the earliest first, each
 * increased by one, with 0 behind the last. Each trail has a row. */
#define TRAILS (OCCUPIED + 2 * KINDS)

/* The cell of a set of pieces has the first 32 of them; the others have a cell FURTHER on, if there is room for more. */
#define TRAILS_END (TRAILS + TRAIL_ROWS * DEEP)
#define FURTHER (TRAILS_END - LIVE)
#define CELLS (ROOM > 32 ? TOKENS + FURTHER : TRAILS_END)

/* Why the native machine gave up; whatever it says from then on means nothing, and the reference has to play. */
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
  FOUND_ENOUGH = 1 << 20 /* no fault: options are listed, and no more are needed, so all ends as if the machine gave up */
};

#define CHANGES (1 << 14)
#define STACK (8192 + WIDE_FRAMES)
#define LOOKED (8192 + WIDE_FRAMES) /* cells behind the stack for frames that are only looked at */
#define ANYBODY INT32_MIN

/* Cells in front of the variables of a frame: the frame below, where that goes on, whether anything that waits below can
 * fail (nothing that is beyond a fence counts), and the fence at which a trial ends; AT_END is one around an answer. */
enum { BELOW = -4, RETURN = -3, FAILS = -2, FENCE = -1, HEADER = 4 };
enum { AT_END = -2 };

/* Why a routine stopped. */
enum {
  ELSEWHERE, /* it goes on in another unit */
  FAIL,      /* an order cannot be carried out */
  DONE,      /* the game is over */
  HORIZON,      /* a trial has reached the end of what it is about */
  CERTAIN,      /* a trial has passed the last thing that could fail */
  CHOICE_POINT,      /* somebody must choose */
  PLAYED,    /* all hooks that wait have been carried out */
  GIVEN_UP   /* see `unfit` */
};

/* How a candidate is taken up: for good, in a walk through options, or in a trial. */
enum { FOR_GOOD, WALKING, LOOKING_AHEAD };

/* Whether a signal has come that asks the process to end: see signals.c. */
extern volatile int signalled;
int watch(void);

#define SAVED ((1 << 14) + 8 * WIDE_FRAMES)
#define CANDIDATES (1 << 15)

typedef struct {
  int32_t cell, old;
} Change;

enum { LONGEST = 24 };
enum { MOST_ORDERED = 8 }; /* the most such orders that can be tried within each other */

/* Where looking on without carrying out began: the choices before it, the numbers of candidates taken and of changes made
 * until then; and where a further frame can stand. */
typedef struct {
  const struct Passed *way;
  int depth, top;
  uint32_t changed;
} Looking;

typedef struct R {
  int32_t m[CELLS];
  const int32_t *sheets; /* what stands on the documents: see sheets.py */
  uint32_t unfit;
  uint32_t changed; /* the number of changes in the log */
  Change log[CHANGES];
  int lookahead, in_option; /* how many look-aheads there are within each other; whether choices still belong to the option */
  int notes; /* the number of reasons to note changes: look-aheads, and options that are weighed */
  int32_t st[STACK + LOOKED];

  /* where the run stands: the frame, the next instruction, the candidate that is taken up, and how */
  int fp, pc, candidate, mode;
  int walker; /* who chooses what is walked through */
  int hasty;  /* whether it is left open if what follows an option can be done */
  int budget; /* how often it may still go on elsewhere until the rules are held to be without an end */
  int declining; /* whether offers of answers are taken to be declined */
  int alone;     /* whether it is not asked what becomes of the work below the answer under way */
  int fenced;    /* the frame of the answer that is fenced meanwhile; -1 is none */
  int hooked;    /* whether an answer may be under way */
  int answer;    /* the frame of the innermost answer that the options belong to; -1 is none */
  uint32_t passes; /* how often it has gone on */
  int shown;     /* whether tokens were shown to anybody since it was set to 0 */
  int anyones;   /* the number of texts begun in the option that any equal piece could carry out */

  /* what frames were before they changed: cells, then the frame and how many; those from `floor` on need no copy */
  int floor, saved;
  int32_t kept[SAVED];

  /* what the option that is walked says of itself, and the candidates that it takes */
  uint64_t said;
  int32_t taken[LONGEST];

  /* the candidates still to be taken of an option that is known, and the depth of trials in which they are */
  const int32_t *ahead;
  int left, ahead_in;

  /* the number of decisions of chance that may be drawn without stopping */
  int draws;

  /* where looking on began; the choice points that it has come through */
  Looking looking;
  int8_t *entered; /* for each place */

  /* the hooks that are played in one order to see whether it matters, and room for two memories for each such order */
  int played_fp, played_pc;
  int32_t *orders;
  int ordered;

  /* the candidates where it stopped stand from `first` on */
  int count, first;
  int32_t candidates[CANDIDATES];
} R;


/* ---- the memory */

/* Whether a change is noted: what is done for good is never taken back. */
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

/* Let what follows at once be looked at. */
HELPER void dirty(R *r) {
  if (!r->m[UNSETTLED]) set(r, UNSETTLED, 1);
}

/* Return a number that a cell or a variable can keep. */
HELPER int32_t bounded(R *r, int32_t number) {
  if ((uint32_t)(number + MOST) > 2u * MOST) r->unfit |= UNFIT_NUMBER;
  return number;
}

/* Return a number, or the least that it can be. */
HELPER int32_t at_least(int32_t least, int32_t number) { return number < least ? least : number; }

/* ---- trails: `row` is the row of the steps of the trail in a cell */

enum { FIRST_PART = -1 };

/* Return a part of the latest step, counted from its last, or the first part of the first step; for a trail of nobody,
 * a number that nothing has. */
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

/* Leave out all steps. */
HELPER void clear_trail(R *r, int cell, int row) {
  while (go_back(r, cell, row)) continue;
}

/* ---- tokens */

HELPER int holder_of(int token) { return (int)((uint32_t)(token + 2 * documents) * in_documents >> 32) - 2; }

HELPER int document_of(int token) { return token - holder_of(token) * documents; }

/* Return some of the documents of which a holder has tokens: those from 64 * `which` on. */
HELPER uint64_t held(const int32_t *m, int holder, int which) {
  const int32_t *word = m + HELD + holder * WORDS + 2 * which;
  return (uint32_t)word[0] | (uint64_t)(uint32_t)word[1] << 32;
}

HELPER int holds_any(const int32_t *m, int holder) {
  uint64_t found = 0;
  for (int which = 0; which < LONGS; which++) found |= held(m, holder, which);
  return found != 0;
}

/* Set the number of tokens of a document that a holder has. */
HELPER void set_tokens(R *r, int holder, int document, int32_t count) {
  int cell = TOKENS + holder * documents + document;
  int32_t had = r->m[cell];
  set(r, cell, count);
  if (!had != !count) {
    int word = HELD + holder * WORDS + (int)((uint32_t)document >> 5);
    set(r, word, r->m[word] ^ (int32_t)(1u << (document & 31)));
  }
}

/* ---- pieces that have gone: a variable keeps a code of what a piece was last (see lowering/gone.py) */

/* Return a digit of the code of a piece that has gone; nothing for what is no code. */
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

/* Note whether pieces of a kind stand on a space, after that may have changed. */
HELPER void occupy(R *r, int space, int kind) {
  if (SPACES > 64 || (uint32_t)space >= SPACES || (uint32_t)kind >= KINDS) return;
  int word = OCCUPIED + 2 * kind + (space >> 5);
  int32_t bit = (int32_t)(1u << (space & 31));
  int is_there = (set_in(r->m, AT + space) & set_in(r->m, OF_KIND + kind)) != 0;
  if (!(r->m[word] & bit) != !is_there) set(r, word, r->m[word] ^ bit);
}

/* Bring the cells behind the layout up to date, after the others have been written from outside. */
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
  /* The event that is answered is no cause of itself. */
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
