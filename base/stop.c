#include "base/stop.h"

#include <signal.h>
#include <stddef.h>

/* A signal handler can reach nothing else; it decides when work ends, never a result. */
static volatile sig_atomic_t asked;

static void on_signal(int signal)
{
    asked = signal;
}

void stop_listen(void)
{
    struct sigaction a = {.sa_handler = on_signal, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
}

int stop_asked(void)
{
    return asked;
}

const char *stop_name(void)
{
    return asked == SIGINT ? "SIGINT" : "SIGTERM";
}
