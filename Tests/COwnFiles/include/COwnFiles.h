#ifndef COWNFILES_H
#define COWNFILES_H

/* From now on the calling thread, and each that it starts, has a working directory and descriptors of its own, as a
   process has. It begins in `folder`, with the descriptors 0, 1 and 2 alone.

   Returns 0, or the system's error: ENOSYS where threads share them always, EPERM where a container forbids it. */
int own_files_begin(const char *folder);

#endif
