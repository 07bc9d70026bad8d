#include "CViews.h"

// Clang knows #embed in all languages, and C has it since 2023.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char summary[] = {
#embed "views/summary.sql"
};

static const char deaths[] = {
#embed "views/deaths.sql"
};

static const char open_at_death[] = {
#embed "views/open_at_death.sql"
};

static const char before_kill[] = {
#embed "views/before_kill.sql"
};

static const char causes[] = {
#embed "views/causes.sql"
};

static const char slow_callbacks[] = {
#embed "views/slow_callbacks.sql"
};

static const char launch_stages[] = {
#embed "views/launch_stages.sql"
};

static const char launch_reasons[] = {
#embed "views/launch_reasons.sql"
};

static const char time_in_states[] = {
#embed "views/time_in_states.sql"
};

static const char background_time[] = {
#embed "views/background_time.sql"
};

static const char background_work[] = {
#embed "views/background_work.sql"
};

static const char long_tasks[] = {
#embed "views/long_tasks.sql"
};

static const char locks_at_suspension[] = {
#embed "views/locks_at_suspension.sql"
};

static const char unsaved_at_background[] = {
#embed "views/unsaved_at_background.sql"
};

static const char nested_handlers[] = {
#embed "views/nested_handlers.sql"
};

static const char lone_notifications[] = {
#embed "views/lone_notifications.sql"
};

static const char most_scenes[] = {
#embed "views/most_scenes.sql"
};

static const char callbacks_by_os[] = {
#embed "views/callbacks_by_os.sql"
};

static const char top_rules[] = {
#embed "views/top_rules.sql"
};

static const char untold[] = {
#embed "views/untold.sql"
};

static const char missing_events[] = {
#embed "views/missing_events.sql"
};

static const char calls[] = {
#embed "views/calls.sql"
};

static const char tasks[] = {
#embed "views/tasks.sql"
};

static const char held[] = {
#embed "views/held.sql"
};

#define VIEW(name) {#name, name, sizeof name}

static const struct log_view views[] = {
    VIEW(summary),
    VIEW(deaths),
    VIEW(open_at_death),
    VIEW(before_kill),
    VIEW(causes),
    VIEW(slow_callbacks),
    VIEW(launch_stages),
    VIEW(launch_reasons),
    VIEW(time_in_states),
    VIEW(background_time),
    VIEW(background_work),
    VIEW(long_tasks),
    VIEW(locks_at_suspension),
    VIEW(unsaved_at_background),
    VIEW(nested_handlers),
    VIEW(lone_notifications),
    VIEW(most_scenes),
    VIEW(callbacks_by_os),
    VIEW(top_rules),
    VIEW(untold),
    VIEW(missing_events),
    VIEW(calls),
    VIEW(tasks),
    VIEW(held),
};

struct log_view log_view_at(size_t place) {
  const struct log_view none = {0, 0, 0};
  return place < sizeof views / sizeof *views ? views[place] : none;
}
