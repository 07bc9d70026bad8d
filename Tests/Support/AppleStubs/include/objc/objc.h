#ifndef OBJC_OBJC_H
#define OBJC_OBJC_H
typedef struct objc_class *Class;
typedef struct objc_object {
  Class isa;
} *id;
typedef struct objc_selector *SEL;
typedef void (*IMP)(void);
#endif
