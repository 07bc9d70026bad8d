#include "CPage.h"

// Clang knows #embed in all languages, and C has it since 2023.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char script[] = {
#embed "Generated/page.script"
};

static const char style[] = {
#embed "Generated/page.style"
};

static const char body[] = {
#embed "Generated/page.body"
};

static const char index_script_text[] = {
#embed "Generated/index.script"
};

static const char index_style_text[] = {
#embed "Generated/index.style"
};

static const char index_script_sum[] = {
#embed "Generated/index.script.sha256"
};

static const char index_style_sum[] = {
#embed "Generated/index.style.sha256"
};

static const char script_hash[] = {
#embed "Generated/page.script.sha256"
};

static const char style_hash[] = {
#embed "Generated/page.style.sha256"
};

const page_text page_script = {script, sizeof script};
const page_text page_style = {style, sizeof style};
const page_text page_body = {body, sizeof body};
const page_text page_script_hash = {script_hash, sizeof script_hash};
const page_text page_style_hash = {style_hash, sizeof style_hash};
const page_text index_script = {index_script_text, sizeof index_script_text};
const page_text index_style = {index_style_text, sizeof index_style_text};
const page_text index_script_hash = {index_script_sum, sizeof index_script_sum};
const page_text index_style_hash = {index_style_sum, sizeof index_style_sum};
