#ifndef CTRACEHOOKS_H
#define CTRACEHOOKS_H

#include <stdint.h>

/* The one place that touches the Objective-C runtime. It puts itself around methods that a class has.
   It never adds a method and never changes an object's class; it gives a method back only when nobody has
   put itself around it since. Without an Objective-C runtime every function says so. */

#pragma clang assume_nonnull begin

/* How many arguments a method may have that is watched; beside them one may be a fraction. */
enum { trace_hook_arguments = 4 };

/* A call that is watched. `token` is what the method is watched under; `number` tells the calls of a
   process apart. */
typedef struct {
  uint32_t token;
  uint64_t number;
  const void *receiver;
} trace_hook_call;

/* Who is told, on the thread of the call. Arguments and results are pointers and whole numbers, each one a
   word; a fraction is not told. What an exception ends has ended, too: a call's result is 0 then. */
typedef struct {
  /* Its result is whether the call's block is to be watched, where the method has one. */
  int (*entered)(trace_hook_call call, const uintptr_t *arguments);
  void (*left)(trace_hook_call call, const uintptr_t *arguments, uintptr_t result);
  /* The block that the call was given runs, and has run. `argument` is its first one; it means nothing for a
     block that takes none. */
  void (*block_entered)(trace_hook_call call, uintptr_t argument);
  void (*block_left)(trace_hook_call call, uintptr_t argument);
} trace_hook_events;

typedef enum : int32_t {
  trace_hook_done,
  /* The method is watched already, under this token. */
  trace_hook_already,
  /* The method is watched already, under another token: its calls arrive there. */
  trace_hook_taken,
  /* The class has no such method, or has it from a subclass alone that another SDK put in its place. */
  trace_hook_absent,
  /* An argument or the result is no word, or there are too many arguments. */
  trace_hook_shape,
  /* No place is left for a method with this many arguments. */
  trace_hook_full,
  /* There is no Objective-C runtime. */
  trace_hook_unavailable,
} trace_hook_result;

/* Says who is told; before the first method is watched. */
void trace_hook_start(const trace_hook_events *events);

/* Watches the method that instances of `cls` run for `selector`, in the class that declares it. A class's own
   methods are those of its class. `block` is the word, from 1, that is a block to be watched, or 0. */
trace_hook_result trace_hook_watch(
    const void *_Nullable cls, const char *selector, uint32_t token, unsigned block);

/* Gives back every method that is still ours; how many could not be given back. */
int trace_hook_stop(void);

/* How many methods with `count` arguments can still be watched. */
int trace_hook_room(unsigned count);

const void *_Nullable trace_hook_class_of(const void *_Nullable object);
const void *_Nullable trace_hook_class_named(const char *name);

const char *_Nullable trace_hook_selector_name(uintptr_t selector);
const char *_Nullable trace_hook_class_name(const void *_Nullable cls);

/* Whether a method, before it is watched, or a block is code of the app and of no library of the system. */
int trace_hook_is_apps_method(const void *_Nullable cls, const char *selector);
int trace_hook_is_apps_block(uintptr_t block);

/* What tells the methods that instances of `cls` run from all others; heirs share what they inherit. NULL where
   there is none. */
const void *_Nullable trace_hook_method_of(const void *_Nullable cls, const char *selector);

/* The object that `object` hands `selector` on to, or NULL. */
const void *_Nullable trace_hook_forwards(const void *_Nullable object, const char *selector);

/* UIKit's application object, or NULL: there is none before UIApplicationMain, nor in an extension. */
const void *_Nullable trace_hook_application(void);

#pragma clang assume_nonnull end

#endif
