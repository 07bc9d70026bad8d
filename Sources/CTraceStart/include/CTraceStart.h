#ifndef CTRACESTART_H
#define CTRACESTART_H

/* What the constructor of the library calls; it is written in Swift. */
void tracectl_start_tracing(void);

#endif
