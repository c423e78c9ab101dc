/* sampler/calendar.h -- when something that does one thing at a time is taken. What comes is
 * entered in any order: it finds the gaps that what was entered before left, in several parts if
 * need be, so that none of the time is lost, whatever the order. */
#ifndef MDP_SAMPLER_CALENDAR_H
#define MDP_SAMPLER_CALENDAR_H

#define CALENDAR_SPANS                                                        \
    256 /* the last ones, which are remembered; it counts as free before them \
         */

struct calendar {
    double from[CALENDAR_SPANS], to[CALENDAR_SPANS]; /* in order, with gaps between them */
    int spans;
};

/* Takes the first `need` of time that is free from t on, need > 0. Returns when that would have
 * begun if it were in one part: its end, less need. */
double calendar_take(struct calendar *c, double t, double need);

#endif
