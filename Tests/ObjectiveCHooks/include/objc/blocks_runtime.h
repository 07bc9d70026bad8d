/* GCC's runtime has no header of this name; GNUstep asks for it. */
