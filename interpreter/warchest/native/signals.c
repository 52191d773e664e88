/* Signals: after one that asks the process to end, the machine soon gives up, so that Python can call its handler.
 *
 * While the main thread is within the machine, a handler of our own replaces the previous one, and calls it. */

#ifdef _WIN32
static int watch(void) { return 0; }

static void unwatch(int watched) { (void)watched; }
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

static void on_signal(int number, siginfo_t *info, void *context) {
  signalled = 1;
  for (int which = 0; which < WATCHED; which++) {
    const struct sigaction *was = &usual[which];
    if (watched_signals[which] != number) continue;
    if (was->sa_flags & SA_SIGINFO) {
      was->sa_sigaction(number, info, context);
    } else if (was->sa_handler == SIG_DFL) {
      sigaction(number, was, NULL);
      raise(number);
    } else if (was->sa_handler != SIG_IGN) {
      was->sa_handler(number);
    }
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

/* Watch for signals, where this is the main thread; return whether they are watched from now on. */
static int watch(void) {
  if (!is_main_thread()) return 0;
  struct sigaction ours = {0};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  signalled = 0;
  for (int which = 0; which < WATCHED; which++) sigaction(watched_signals[which], &ours, &usual[which]);
  return 1;
}

/* Let signals be handled as they were before. */
static void unwatch(int watched) {
  if (!watched) return;
  for (int which = 0; which < WATCHED; which++) sigaction(watched_signals[which], &usual[which], NULL);
  signalled = 0;
}
#endif
