#include "view.h"

#include <strsafe.h>

#include "address.h"
#include "build.h"
#include "events.h"
#include "handler.h"
#include "runtime.h"
#include "window.h"

/* There is one view in one window, so its state is static. */
static HWND owner;
static com *controller;
static com *view;

static const GUID CONTROLLER2 = {0xc979903e, 0xd4ca, 0x4228, {0x92, 0xeb, 0x47, 0xee, 0x3f, 0xa9, 0x6e, 0xab}};
static const GUID SETTINGS2 = {0xee9a0f68, 0xf46c, 0x4e32, {0xac, 0x23, 0xef, 0x8c, 0xac, 0x22, 0x4d, 0x2a}};

/* Pages get no access to the machine. The user agent identifies the host. */
static void restrict_view(void) {
  com *settings = com_get_object(view, VIEW_GET_SETTINGS);
  if (settings == NULL) return;
  com_put_int(settings, SETTINGS_PUT_WEB_MESSAGE, FALSE);
  com_put_int(settings, SETTINGS_PUT_HOST_OBJECTS, FALSE);
  com_put_int(settings, SETTINGS_PUT_DEV_TOOLS, FALSE);
  com_put_int(settings, SETTINGS_PUT_STATUS_BAR, FALSE);
  com *settings2 = com_query(settings, &SETTINGS2);
  LPWSTR engine = settings2 == NULL ? NULL : com_get_text(settings2, SETTINGS2_GET_USER_AGENT);
  wchar_t agent[1024];
  if (engine != NULL && SUCCEEDED(StringCchPrintfW(agent, 1024, L"%ls HoloNative/" VERSION_W L" (windows)", engine))) {
    com_put_text(settings2, SETTINGS2_PUT_USER_AGENT, agent);
  }
  CoTaskMemFree(engine);
  com_release(settings2);
  com_release(settings);
}

/* The background before a page paints. Bytes: alpha, red, green, blue. */
static void paint_ground(void) {
  com *controller2 = com_query(controller, &CONTROLLER2);
  if (controller2 == NULL) return;
  com_put_int(controller2, CONTROLLER2_PUT_BACKGROUND, (int)(window_is_day() ? 0xe8f1f3ffu : 0x182006ffu));
  com_release(controller2);
}

static HRESULT STDMETHODCALLTYPE on_controller(struct handler *self, HRESULT result, com *created) {
  (void)self;
  if (FAILED(result) || created == NULL || (view = com_get_object(created, CONTROLLER_GET_VIEW)) == NULL) {
    PostMessageW(owner, WINDOW_VIEW_FAILED, 0, 0);
    return S_OK;
  }
  com_hold(created);
  controller = created;
  restrict_view();
  paint_ground();
  view_fit(owner);
  events_attach(owner, view);
  com_put_text(view, VIEW_NAVIGATE, events_wanted());
  view_focus();
  return S_OK;
}

HANDLER(controller_handler, on_controller, {0x6c4819f3, 0xc9b7, 0x4260, {0x81, 0x27, 0xc9, 0xf5, 0xbd, 0xe7, 0xf6, 0x8c}});

static HRESULT STDMETHODCALLTYPE on_environment(struct handler *self, HRESULT result, com *environment) {
  (void)self;
  if (FAILED(result) || environment == NULL ||
      FAILED(METHOD(environment, ENVIRONMENT_CREATE_CONTROLLER, HWND, void *)(environment, owner, &controller_handler))) {
    PostMessageW(owner, WINDOW_VIEW_FAILED, 0, 0);
  }
  return S_OK;
}

HANDLER(environment_handler, on_environment, {0x4e8a3389, 0xc9d8, 0x4bd2, {0xb6, 0xb5, 0x12, 0x4f, 0xee, 0x6c, 0xc1, 0x4d}});

bool view_create(HWND window) {
  owner = window;
  return runtime_create_environment(&environment_handler);
}

void view_close(void) {
  events_detach();
  if (controller != NULL) METHOD(controller, CONTROLLER_CLOSE)(controller);
  com_release(view);
  com_release(controller);
  view = NULL;
  controller = NULL;
}

void view_fit(HWND window) {
  if (controller == NULL) return;
  RECT bounds;
  GetClientRect(window, &bounds);
  com_put_int(controller, CONTROLLER_PUT_VISIBLE, !IsIconic(window));
  if (!IsIconic(window)) METHOD(controller, CONTROLLER_PUT_BOUNDS, RECT)(controller, bounds);
}

void view_moved(void) {
  if (controller != NULL) METHOD(controller, CONTROLLER_PARENT_MOVED)(controller);
}

void view_focus(void) {
  /* 0: focus moved by the program, not by a key. */
  if (controller != NULL) com_put_int(controller, CONTROLLER_MOVE_FOCUS, 0);
}
