#ifndef DLFCN_H
#define DLFCN_H
typedef struct {
  const char *dli_fname;
  void *dli_fbase;
  const char *dli_sname;
  void *dli_saddr;
} Dl_info;
int dladdr(const void *address, Dl_info *info);
#endif
