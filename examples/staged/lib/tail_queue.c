/* A tail queue as BSD has it: every job knows the pointer that leads to it, and the queue
 * the one at its end. */
#include <stdbool.h>
#include <stddef.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Job {
    int id;
    struct Job *next;
    struct Job **prev;
};

struct Jobs {
    struct Job *first;
    struct Job **last;
};

bool repOk(const struct Jobs *jobs) {
    struct Job *const *at = &jobs->first;
    for (int count = 0; *at != NULL; at = &(*at)->next)
        if ((*at)->prev != at || ++count > 8)
            return false;
    return jobs->last == at;
}

/* Takes out the first job; null if there is none. */
struct Job *takeFirst(struct Jobs *jobs) {
    struct Job *job = jobs->first;
    if (job == NULL)
        return NULL;
    if (job->next != NULL)
        job->next->prev = job->prev;
#if MUTANT != 1
    else
        jobs->last = job->prev;
#endif
    *job->prev = job->next;
    return job;
}

/* Moves the first job to the end. */
void rotate(struct Jobs *jobs) {
    struct Job *job = takeFirst(jobs);
    if (job == NULL)
        return;
    job->next = NULL;
    job->prev = jobs->last;
    *jobs->last = job;
#if MUTANT != 2
    jobs->last = &job->next;
#endif
}
