#include "handler.h"

HRESULT STDMETHODCALLTYPE handler_query(struct handler *self, REFIID iid, void **found) {
  const BOOL is_ours = IsEqualGUID(iid, &IID_IUnknown) || IsEqualGUID(iid, self->iid);
  *found = is_ours ? self : NULL;
  return is_ours ? S_OK : E_NOINTERFACE;
}

ULONG STDMETHODCALLTYPE handler_count(struct handler *self) {
  (void)self;
  return 1;
}
