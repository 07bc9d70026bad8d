#ifndef OBJC_RUNTIME_H
#define OBJC_RUNTIME_H
#include <objc/objc.h>
typedef struct objc_method *Method;
Class objc_getClass(const char *name);
Class object_getClass(id object);
IMP method_getImplementation(Method method);
IMP method_setImplementation(Method method, IMP function);
Method class_getInstanceMethod(Class cls, SEL name);
SEL sel_registerName(const char *name);
const char *sel_getName(SEL selector);
const char *class_getName(Class cls);
const char *class_getImageName(Class cls);
Class class_getSuperclass(Class cls);
const char *method_getTypeEncoding(Method method);
#endif
