#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng.h"

#if !defined(BENCH_LTTNG_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_LTTNG_H

#include <lttng/tracepoint.h>

#include "rows.h"

/* A fact: what it is about, and the numbers of its words. */
LTTNG_UST_TRACEPOINT_EVENT(
    bench, fact, LTTNG_UST_TP_ARGS(const struct bench_row *, row),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint8_t, verb, row->verb)
        lttng_ust_field_integer(uint8_t, kind, row->kind)
        lttng_ust_field_integer(uint16_t, name, (uint16_t)row->name)
        lttng_ust_field_integer(uint16_t, label, (uint16_t)row->label)
        lttng_ust_field_integer(uint32_t, subject, row->subject)
        lttng_ust_field_integer(int64_t, value, row->value)))

/* The same without a value, as most facts are. */
LTTNG_UST_TRACEPOINT_EVENT(
    bench, bare, LTTNG_UST_TP_ARGS(const struct bench_row *, row),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint8_t, verb, row->verb)
        lttng_ust_field_integer(uint8_t, kind, row->kind)
        lttng_ust_field_integer(uint16_t, name, (uint16_t)row->name)
        lttng_ust_field_integer(uint16_t, label, (uint16_t)row->label)
        lttng_ust_field_integer(uint32_t, subject, row->subject)))

/* Three fields, for what a call costs. */
LTTNG_UST_TRACEPOINT_EVENT(
    bench, timer, LTTNG_UST_TP_ARGS(uint16_t, name, uint32_t, subject, uint16_t, label),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint16_t, name, name)
        lttng_ust_field_integer(uint32_t, subject, subject)
        lttng_ust_field_integer(uint16_t, label, label)))

/* One that no session enables. */
LTTNG_UST_TRACEPOINT_EVENT(
    bench, off, LTTNG_UST_TP_ARGS(uint16_t, name, uint32_t, subject, uint16_t, label),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint16_t, name, name)
        lttng_ust_field_integer(uint32_t, subject, subject)
        lttng_ust_field_integer(uint16_t, label, label)))

#endif

#include <lttng/tracepoint-event.h>
