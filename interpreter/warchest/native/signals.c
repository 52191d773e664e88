/* Signals: after a signal to end the process, the machine soon gives up, so that Python can call its handler.
 *
 * While the main thread is within the machine, a handler of our own replaces the previous one, and calls it. The
 * machine gives up at once between games or options, and after some thousand candidates within a decision. */

volatile int signalled;

#if defined(_WIN32) || defined(__wasm__) /* no signals, or none that C sees */
int watch(void) { return 0; }

static void unwatch(void) {}
#else
#pragma GCC visibility push(default)
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#pragma GCC visibility pop

static const int watched_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { WATCHED = sizeof watched_signals / sizeof *watched_signals };
static struct sigaction usual[WATCHED];
static int is_watching; /* whether the main thread does */

static void on_signal(int number, siginfo_t *info, void *context) {
  int which = 0;
  while (watched_signals[which] != number) which++;
  const struct sigaction *was = &usual[which];
  signalled = 1;
  if (was->sa_flags & SA_SIGINFO) {
    was->sa_sigaction(number, info, context);
  } else if (was->sa_handler == SIG_DFL) {
    sigaction(number, was, NULL);
    raise(number);
  } else {
    was->sa_handler(number);
  }
}

static int is_main_thread(void) {
#if defined(__linux__)
  return syscall(SYS_gettid) == getpid();
#elif defined(__APPLE__)
  return pthread_main_np();
#else
  return 0;
#endif
}

/* Watch for the signals that are not ignored, in the main thread; return whether one has come. */
int watch(void) {
  if (is_watching || !is_main_thread()) return signalled;
  struct sigaction ours = {0};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  is_watching = 1;
  for (int which = 0; which < WATCHED; which++) {
    sigaction(watched_signals[which], NULL, &usual[which]);
    if (usual[which].sa_flags & SA_SIGINFO || usual[which].sa_handler != SIG_IGN)
      sigaction(watched_signals[which], &ours, NULL);
  }
  return signalled;
}

/* Restore the previous handlers of signals. */
static void unwatch(void) {
  if (!is_watching || !is_main_thread()) return;
  for (int which = 0; which < WATCHED; which++) sigaction(watched_signals[which], &usual[which], NULL);
  is_watching = signalled = 0;
}
#endif
