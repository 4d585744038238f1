/* The called methods of WebView2's interfaces by slot, in the fixed order of WebView2.idl. A
   derived interface continues after its parent. Written by hand, so that no SDK is needed. */
#ifndef HOLO_COM_H
#define HOLO_COM_H

#include <windows.h>
#include <objbase.h>

typedef struct com {
  void *const *slots;
} com;

/* The method in a slot with the given types; all return HRESULT. */
#define METHOD(object, slot, ...) ((HRESULT(STDMETHODCALLTYPE *)(com *, ##__VA_ARGS__))(object)->slots[slot])

static inline com *com_query(com *object, REFIID iid) {
  com *found = NULL;
  return SUCCEEDED(METHOD(object, 0, REFIID, com **)(object, iid, &found)) ? found : NULL;
}

static inline void com_hold(com *object) { ((ULONG(STDMETHODCALLTYPE *)(com *))object->slots[1])(object); }

static inline void com_release(com *object) {
  if (object != NULL) ((ULONG(STDMETHODCALLTYPE *)(com *))object->slots[2])(object);
}

static inline HRESULT com_put_int(com *object, int slot, int value) { return METHOD(object, slot, int)(object, value); }

static inline int com_get_int(com *object, int slot, int otherwise) {
  int value = otherwise;
  return SUCCEEDED(METHOD(object, slot, int *)(object, &value)) ? value : otherwise;
}

static inline HRESULT com_put_text(com *object, int slot, LPCWSTR text) { return METHOD(object, slot, LPCWSTR)(object, text); }

/* Free with CoTaskMemFree; NULL on failure. */
static inline LPWSTR com_get_text(com *object, int slot) {
  LPWSTR text = NULL;
  return SUCCEEDED(METHOD(object, slot, LPWSTR *)(object, &text)) ? text : NULL;
}

/* Release after use; NULL if there is none. */
static inline com *com_get_object(com *object, int slot) {
  com *found = NULL;
  return SUCCEEDED(METHOD(object, slot, com **)(object, &found)) ? found : NULL;
}

enum { ENVIRONMENT_CREATE_CONTROLLER = 3 };

enum {
  CONTROLLER_PUT_VISIBLE = 4,
  CONTROLLER_PUT_BOUNDS = 6,
  CONTROLLER_MOVE_FOCUS = 12,
  CONTROLLER_PARENT_MOVED = 23,
  CONTROLLER_CLOSE = 24,
  CONTROLLER_GET_VIEW = 25,
  CONTROLLER2_PUT_BACKGROUND = 27
};

enum {
  VIEW_GET_SETTINGS = 3,
  VIEW_GET_SOURCE = 4,
  VIEW_NAVIGATE = 5,
  VIEW_NAVIGATE_TO_STRING = 6,
  VIEW_ADD_NAVIGATION_STARTING = 7,
  VIEW_ADD_NAVIGATION_COMPLETED = 15,
  VIEW_ADD_FRAME_NAVIGATION_STARTING = 17,
  VIEW_ADD_PERMISSION_REQUESTED = 23,
  VIEW_ADD_PROCESS_FAILED = 25,
  VIEW_EXECUTE_SCRIPT = 29,
  VIEW_ADD_NEW_WINDOW_REQUESTED = 44,
  VIEW_ADD_TITLE_CHANGED = 46,
  VIEW_GET_TITLE = 48,
  VIEW18_ADD_LAUNCHING_EXTERNAL = 117
};

enum {
  SETTINGS_PUT_WEB_MESSAGE = 6,
  SETTINGS_PUT_STATUS_BAR = 10,
  SETTINGS_PUT_DEV_TOOLS = 12,
  SETTINGS_PUT_HOST_OBJECTS = 16,
  SETTINGS2_GET_USER_AGENT = 21,
  SETTINGS2_PUT_USER_AGENT = 22
};

enum {
  STARTING_GET_URI = 3,
  STARTING_PUT_CANCEL = 8,
  COMPLETED_GET_SUCCESS = 3,
  COMPLETED_GET_STATUS = 4,
  NEW_WINDOW_GET_URI = 3,
  NEW_WINDOW_PUT_HANDLED = 6,
  PERMISSION_GET_URI = 3,
  PERMISSION_GET_KIND = 4,
  PERMISSION_PUT_STATE = 7,
  LAUNCHING_PUT_CANCEL = 7,
  FAILED_GET_KIND = 3
};

#endif
