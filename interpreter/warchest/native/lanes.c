/* Lanes: the threads among which a step of many games is shared, each with games of its own.
 *
 * A step can take less time than waking a thread, so the thread of a lane waits here for the next step, without rest. After
 * a while without one it leaves, and sleeps until the caller wakes it. The caller works as the first lane. A lane
 * that has no games left takes some of another, so that a step ends soon even if a thread comes late, or never. */

#pragma GCC visibility push(default)
#include <time.h>
#if !defined(_WIN32) && !defined(__wasm__)
#include <sched.h>
#define YIELD() sched_yield()
#else
#define YIELD() ((void)0)
#endif
#pragma GCC visibility pop
#if defined(__x86_64__) || defined(__i386__)
#define PAUSE() __builtin_ia32_pause()
#else
#define PAUSE() ((void)0)
#endif

/* The thread of a lane sleeps, or is about to; it waits here, or is on its way; a step has begun; it works on that. */
enum { IS_AWAY, IS_WAITING, HAS_BEGUN, IS_WORKING };

enum { PATIENCE = 200000, PAUSES = 32 }; /* nanoseconds of waiting · pauses after which it reads the clock */

/* Room for a line of the cache, so that no thread writes to a line that another one reads. */
typedef struct {
  char room[64];
} Apart;

typedef struct {
  Apart before;
  int32_t state, next, end; /* the games from `next` on are left */
  Apart after;
} Lane;

/* ---- the games of a step */

/* Give each lane its games; no lane may be at work. */
static void share_out(Lane *lanes, int count, int games) {
  for (int64_t lane = 0; lane < count; lane++) {
    lanes[lane].next = (int32_t)(games * lane / count);
    lanes[lane].end = (int32_t)(games * (lane + 1) / count);
  }
}

/* Take a game for a lane, of its own or else of the lanes after it; return -1 if none is left. */
static int take_game(Lane *lanes, int count, int mine) {
  for (int turn = 0; turn < count; turn++) {
    Lane *from = lanes + (mine + turn) % count;
    if (__atomic_load_n(&from->next, __ATOMIC_RELAXED) >= from->end) continue;
    int game = __atomic_fetch_add(&from->next, 1, __ATOMIC_RELAXED);
    if (game < from->end) return game;
  }
  return -1;
}

/* ---- the states of lanes */

static int turns_to(Lane *lane, int32_t from, int32_t to) {
  return __atomic_compare_exchange_n(&lane->state, &from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static int64_t nanoseconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Begin a step in a lane; return whether its thread is to be woken. */
static int begin_lane(Lane *lane) { return __atomic_exchange_n(&lane->state, HAS_BEGUN, __ATOMIC_ACQ_REL) == IS_AWAY; }

/* Let the thread of a lane leave, unless a step has begun; return whether it does. */
static int leaves(Lane *lane) {
  return turns_to(lane, IS_WAITING, IS_AWAY) || __atomic_load_n(&lane->state, __ATOMIC_ACQUIRE) == IS_AWAY;
}

/* Wait for a step, as the thread of a lane; return 0 if none has begun for a while. */
static int await_work(Lane *lane) {
  int64_t begun = nanoseconds();
  turns_to(lane, IS_AWAY, IS_WAITING);
  for (;;) {
    for (int turn = 0; turn < PAUSES; turn++) {
      if (__atomic_load_n(&lane->state, __ATOMIC_RELAXED) == HAS_BEGUN && turns_to(lane, HAS_BEGUN, IS_WORKING)) return 1;
      PAUSE();
    }
    if ((uint64_t)(nanoseconds() - begun) > PATIENCE && leaves(lane)) return 0;
    YIELD();
  }
}

static void end_work(Lane *lane) { __atomic_store_n(&lane->state, IS_WAITING, __ATOMIC_RELEASE); }

/* Wait until no thread works on the step; those that have not begun have nothing left to do. One that was `away`
 * may not have been woken: it counts as away, so that the next step wakes it again. */
static void await_lanes(Lane *lanes, int count, const uint8_t *away) {
  for (int lane = 1; lane < count; lane++) {
    if (turns_to(lanes + lane, HAS_BEGUN, away[lane] ? IS_AWAY : IS_WAITING)) continue;
    for (int turn = 1; __atomic_load_n(&lanes[lane].state, __ATOMIC_ACQUIRE) == IS_WORKING; turn++) {
      PAUSE();
      if (turn % PAUSES == 0) YIELD();
    }
  }
}
