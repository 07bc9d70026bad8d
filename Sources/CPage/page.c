#include "CPage.h"

// Clang knows #embed in all languages, and C has it since 2023.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char script[] = {
#embed "data.js"
    ,
#embed "axis.js"
    ,
#embed "lanes.js"
    ,
#embed "picture.js"
    ,
#embed "left-out.js"
    ,
#embed "ruler.js"
    ,
#embed "evidence.js"
    ,
#embed "map.js"
    ,
#embed "moment.js"
    ,
#embed "controls.js"
    ,
#embed "links.js"
    ,
#embed "pointer.js"
    ,
#embed "start.js"
};

static const char style[] = {
#embed "page.css"
};

const char *const page_script = script;
const size_t page_script_length = sizeof script;
const char *const page_style = style;
const size_t page_style_length = sizeof style;
