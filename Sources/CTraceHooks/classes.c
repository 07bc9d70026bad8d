#include "CTraceHooks.h"

#if defined(__APPLE__) || defined(TRACE_HOOKS_GNU)

#include <objc/message.h>
#include <objc/runtime.h>
#include <stddef.h>

#if defined(TRACE_HOOKS_GNU)
#define SEND(type, receiver, selector) ((type)objc_msg_lookup(receiver, selector))
#else
#define SEND(type, receiver, selector) ((type)objc_msgSend)
#endif

const void *trace_hook_class_of(const void *object) {
  return object ? (const void *)object_getClass((id)object) : NULL;
}

const void *trace_hook_class_named(const char *name) { return (const void *)objc_getClass(name); }

const char *trace_hook_selector_name(uintptr_t selector) {
  return selector ? sel_getName((SEL)selector) : NULL;
}

const char *trace_hook_class_name(const void *cls) {
  return cls ? class_getName((Class)cls) : NULL;
}

int trace_hook_implements(const void *cls, const char *selector) {
  return cls && class_getInstanceMethod((Class)cls, sel_registerName(selector)) != NULL;
}

const void *trace_hook_forwards(const void *object, const char *selector) {
  SEL forwarding = sel_registerName("forwardingTargetForSelector:");
  if (!object || !class_getInstanceMethod(object_getClass((id)object), forwarding)) return NULL;
  id target = SEND(id(*)(id, SEL, SEL), (id)object, forwarding)(
      (id)object, forwarding, sel_registerName(selector));
  return target == (id)object ? NULL : (const void *)target;
}

const void *trace_hook_application(void) {
  Class cls = (Class)objc_getClass("UIApplication");
  SEL shared = sel_registerName("sharedApplication");
  if (!cls || !class_getInstanceMethod(object_getClass((id)cls), shared)) return NULL;
  return (const void *)SEND(id(*)(id, SEL), (id)cls, shared)((id)cls, shared);
}

#else

const void *trace_hook_class_of(const void *object) { return (void)object, (void *)0; }

const void *trace_hook_class_named(const char *name) { return (void)name, (void *)0; }

const char *trace_hook_selector_name(uintptr_t selector) { return (void)selector, (void *)0; }

const char *trace_hook_class_name(const void *cls) { return (void)cls, (void *)0; }

int trace_hook_implements(const void *cls, const char *selector) {
  return (void)cls, (void)selector, 0;
}

const void *trace_hook_forwards(const void *object, const char *selector) {
  return (void)object, (void)selector, (void *)0;
}

const void *trace_hook_application(void) { return (void *)0; }

#endif
