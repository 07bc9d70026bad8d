#include <Darwin.h>
