/* Objects of ours that WebView2 calls back. Each exists once and for ever, so nothing is counted or freed. */
#ifndef HOLO_HANDLER_H
#define HOLO_HANDLER_H

#include "com.h"

struct handler {
  void *const *slots;
  const GUID *iid;
};

HRESULT STDMETHODCALLTYPE handler_query(struct handler *self, REFIID iid, void **found);
ULONG STDMETHODCALLTYPE handler_count(struct handler *self);

/* Defines `name`, the handler of the interface `iid...` whose Invoke is the function `invoke` of (struct handler *, A, B). */
#define HANDLER(name, invoke, ...)                                                                           \
  static const GUID name##_iid = __VA_ARGS__;                                                                \
  static void *const name##_slots[] = {(void *)handler_query, (void *)handler_count, (void *)handler_count,  \
                                       (void *)(invoke)};                                                    \
  static struct handler name = {name##_slots, &name##_iid}

#endif
