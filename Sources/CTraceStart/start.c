#include "CTraceStart.h"

#if defined(__APPLE__)
#include <TargetConditionals.h>

/* Swift has no code that runs when a library is loaded. */
#if TARGET_OS_IPHONE && !TARGET_OS_WATCH
__attribute__((constructor)) static void start(void) { tracectl_start_tracing(); }
#endif
#endif
