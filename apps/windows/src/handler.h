/* COM callbacks for WebView2. They are static, so they are neither counted nor freed. */
#ifndef HOLO_HANDLER_H
#define HOLO_HANDLER_H

#include "com.h"

struct handler {
  void *const *slots;
  const GUID *iid;
};

HRESULT STDMETHODCALLTYPE handler_query(struct handler *self, REFIID iid, void **found);
ULONG STDMETHODCALLTYPE handler_count(struct handler *self);

/* Defines `name`, a handler of interface `iid...` that calls `invoke(struct handler *, A, B)`. */
#define HANDLER(name, invoke, ...)                                                                           \
  static const GUID name##_iid = __VA_ARGS__;                                                                \
  static void *const name##_slots[] = {(void *)handler_query, (void *)handler_count, (void *)handler_count,  \
                                       (void *)(invoke)};                                                    \
  static struct handler name = {name##_slots, &name##_iid}

#endif
