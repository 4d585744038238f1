#include "events.h"

#include <stdbool.h>
#include <strsafe.h>

#include "address.h"
#include "build.h"
#include "handler.h"
#include "outside.h"
#include "trouble.h"
#include "window.h"

enum { PROCESS_BROWSER_EXITED = 0, PROCESS_RENDERER_EXITED = 1 };
enum { PERMISSION_NOTIFICATIONS = 4, PERMISSION_DENIED = 2 };

static HWND owner;
static com *view;
static struct origin ours;
static wchar_t wanted[ADDRESS_MAX + 1];
/* Set while the engine loads our error page, which has no address of its own. */
static bool own_page_is_due;

/* Text that is not ASCII or too long becomes empty, which is an invalid address. */
static void to_narrow(LPCWSTR wide, char *narrow) {
  if (wide == NULL || WideCharToMultiByte(CP_UTF8, 0, wide, -1, narrow, ADDRESS_MAX + 1, NULL, NULL) == 0) narrow[0] = '\0';
}

/* The text of a slot as ASCII. */
static void read_address(com *object, int slot, char *address) {
  LPWSTR text = com_get_text(object, slot);
  to_narrow(text, address);
  CoTaskMemFree(text);
}

static void want(const char *address) { MultiByteToWideChar(CP_UTF8, 0, address, -1, wanted, ADDRESS_MAX + 1); }

static void show_trouble(trouble what) {
  char retry[ADDRESS_MAX + 1];
  static char page[TROUBLE_PAGE_MAX];
  static wchar_t wide[TROUBLE_PAGE_MAX];
  to_narrow(wanted, retry);
  if (trouble_write(page, sizeof page, what, window_is_day(), retry) == 0) return;
  MultiByteToWideChar(CP_UTF8, 0, page, -1, wide, TROUBLE_PAGE_MAX);
  own_page_is_due = true;
  if (FAILED(com_put_text(view, VIEW_NAVIGATE_TO_STRING, wide))) own_page_is_due = false;
}

static bool is_own_page(com *args) {
  if (!own_page_is_due) return false;
  LPWSTR address = com_get_text(args, STARTING_GET_URI);
  const bool is_own = address != NULL && (wcsncmp(address, L"data:text/html", 14) == 0 || wcscmp(address, L"about:blank") == 0);
  CoTaskMemFree(address);
  /* The first navigation that starts is ours; a page cannot use the flag with another one. */
  own_page_is_due = false;
  return is_own;
}

/* Whether the window shows a foreign page. */
static bool shows_others(void) {
  char address[ADDRESS_MAX + 1];
  read_address(view, VIEW_GET_SOURCE, address);
  return address_is_away(address, &ours);
}

static HRESULT STDMETHODCALLTYPE on_starting(struct handler *self, com *sender, com *args) {
  (void)self, (void)sender;
  if (view == NULL || is_own_page(args)) return S_OK;
  char address[ADDRESS_MAX + 1];
  read_address(args, STARTING_GET_URI, address);
  const bool is_away = shows_others();
  const address_decision decision = address_decide(address, &ours, is_away);
  if (is_away && address_ends_checkout(address)) {
    com_put_int(args, STARTING_PUT_CANCEL, TRUE);
    PostMessageW(owner, WINDOW_GO_TO_WALLET, 0, 0);
  } else if (decision == ADDRESS_INSIDE) {
    /* The address to retry: a page, but no download and no step within a bank's pages. */
    if (address_is_checkout(address) || (address_is_ours(address, &ours) && !address_is_download(address, &ours))) want(address);
  } else {
    com_put_int(args, STARTING_PUT_CANCEL, TRUE);
    if (decision == ADDRESS_OUTSIDE) outside_ask(owner, address);
  }
  return S_OK;
}

static HRESULT STDMETHODCALLTYPE on_frame_starting(struct handler *self, com *sender, com *args) {
  (void)self, (void)sender;
  LPWSTR text = com_get_text(args, STARTING_GET_URI);
  /* Only the scheme matters; a frame's `data:` may be of any length. */
  char address[16] = "";
  for (int i = 0; text != NULL && i < 15 && text[i] != L'\0'; i++) address[i] = text[i] < 0x7f ? (char)text[i] : '?';
  CoTaskMemFree(text);
  if (!address_in_frame(address)) com_put_int(args, STARTING_PUT_CANCEL, TRUE);
  return S_OK;
}

static HRESULT STDMETHODCALLTYPE on_new_window(struct handler *self, com *sender, com *args) {
  (void)self, (void)sender;
  /* First, so that the engine never opens its own window. */
  com_put_int(args, NEW_WINDOW_PUT_HANDLED, TRUE);
  if (view == NULL) return S_OK;
  LPWSTR text = com_get_text(args, NEW_WINDOW_GET_URI);
  char address[ADDRESS_MAX + 1];
  to_narrow(text, address);
  /* Treated as if our page had opened it: a bank's second window must not replace the checkout. */
  const address_decision decision = address_decide(address, &ours, false);
  if (decision == ADDRESS_INSIDE) com_put_text(view, VIEW_NAVIGATE, text);
  if (decision == ADDRESS_OUTSIDE) outside_ask(owner, address);
  CoTaskMemFree(text);
  return S_OK;
}

/* The engine never starts programs; outside_ask has already handled external addresses. */
static HRESULT STDMETHODCALLTYPE on_launching(struct handler *self, com *sender, com *args) {
  (void)self, (void)sender;
  com_put_int(args, LAUNCHING_PUT_CANCEL, TRUE);
  return S_OK;
}

/* Only our pages may request a permission, and only for notifications. */
static HRESULT STDMETHODCALLTYPE on_permission(struct handler *self, com *sender, com *args) {
  (void)self, (void)sender;
  char address[ADDRESS_MAX + 1];
  read_address(args, PERMISSION_GET_URI, address);
  const int kind = com_get_int(args, PERMISSION_GET_KIND, 0);
  if (kind != PERMISSION_NOTIFICATIONS || !address_is_ours(address, &ours)) {
    com_put_int(args, PERMISSION_PUT_STATE, PERMISSION_DENIED);
  }
  return S_OK;
}

/* There is no address bar, so the title shows the host at the checkout. */
static HRESULT STDMETHODCALLTYPE on_title(struct handler *self, com *sender, com *args) {
  (void)self, (void)sender, (void)args;
  if (view == NULL) return S_OK;
  char address[ADDRESS_MAX + 1];
  read_address(view, VIEW_GET_SOURCE, address);
  struct origin theirs;
  if (origin_parse(address, &theirs) && !origin_equal(&theirs, &ours)) {
    wchar_t title[HOST_MAX + 32];
    StringCchPrintfW(title, HOST_MAX + 32, L"%hs - " PRODUCT_NAME, theirs.host);
    SetWindowTextW(owner, title);
    return S_OK;
  }
  LPWSTR title = com_get_text(view, VIEW_GET_TITLE);
  SetWindowTextW(owner, title == NULL || *title == L'\0' ? PRODUCT_NAME : title);
  CoTaskMemFree(title);
  events_ask_theme();
  return S_OK;
}

static HRESULT STDMETHODCALLTYPE on_completed(struct handler *self, com *sender, com *args) {
  if (view == NULL) return S_OK;
  if (com_get_int(args, COMPLETED_GET_SUCCESS, TRUE)) return on_title(self, sender, args);
  const trouble what = trouble_of_status(com_get_int(args, COMPLETED_GET_STATUS, 0));
  if (what != TROUBLE_NONE) show_trouble(what);
  return S_OK;
}

static HRESULT STDMETHODCALLTYPE on_process_failed(struct handler *self, com *sender, com *args) {
  (void)self, (void)sender;
  if (view == NULL) return S_OK;
  switch (com_get_int(args, FAILED_GET_KIND, -1)) {
    case PROCESS_BROWSER_EXITED:
      PostMessageW(owner, WINDOW_VIEW_LOST, 0, 0);
      break;
    case PROCESS_RENDERER_EXITED:
      /* The player decides whether to reload a page that crashed its process. */
      show_trouble(TROUBLE_STOPPED);
      break;
    default:
      break; /* the engine replaces the other processes by itself */
  }
  return S_OK;
}

static HRESULT STDMETHODCALLTYPE on_theme(struct handler *self, HRESULT result, LPCWSTR theme) {
  (void)self;
  if (view == NULL || FAILED(result) || theme == NULL) return S_OK;
  if (wcscmp(theme, L"\"day\"") == 0) window_follow(owner, true);
  if (wcscmp(theme, L"\"night\"") == 0) window_follow(owner, false);
  return S_OK;
}

HANDLER(starting_handler, on_starting, {0x9adbe429, 0xf36d, 0x432b, {0x9d, 0xdc, 0xf8, 0x88, 0x1f, 0xbd, 0x76, 0xe3}});
HANDLER(frame_handler, on_frame_starting, {0x9adbe429, 0xf36d, 0x432b, {0x9d, 0xdc, 0xf8, 0x88, 0x1f, 0xbd, 0x76, 0xe3}});
HANDLER(completed_handler, on_completed, {0xd33a35bf, 0x1c49, 0x4f98, {0x93, 0xab, 0x00, 0x6e, 0x05, 0x33, 0xfe, 0x1c}});
HANDLER(new_window_handler, on_new_window, {0xd4c185fe, 0xc81c, 0x4989, {0x97, 0xaf, 0x2d, 0x3f, 0xa7, 0xab, 0x56, 0x51}});
HANDLER(launching_handler, on_launching, {0x74f712e0, 0x8165, 0x43a9, {0xa1, 0x3f, 0x0c, 0xce, 0x59, 0x7e, 0x75, 0xdf}});
HANDLER(permission_handler, on_permission, {0x15e1c6a3, 0xc72a, 0x4df3, {0x91, 0xd7, 0xd0, 0x97, 0xfb, 0xec, 0x6b, 0xfd}});
HANDLER(title_handler, on_title, {0xf5f2b923, 0x953e, 0x4042, {0x9f, 0x95, 0xf3, 0xa1, 0x18, 0xe1, 0xaf, 0xd4}});
HANDLER(failed_handler, on_process_failed, {0x79e0aea4, 0x990b, 0x42d9, {0xaa, 0x1d, 0x0f, 0xcc, 0x2e, 0x5b, 0xc7, 0xf1}});
HANDLER(theme_handler, on_theme, {0x49511172, 0xcc67, 0x4bca, {0x99, 0x23, 0x13, 0x71, 0x12, 0xf4, 0xc4, 0xcc}});

static const GUID VIEW18 = {0x7a626017, 0x28be, 0x49b2, {0xb8, 0x65, 0x3b, 0xa2, 0xb3, 0x52, 0x2d, 0x90}};

static void listen_to(com *on, int slot, struct handler *handler) {
  INT64 token;
  METHOD(on, slot, struct handler *, INT64 *)(on, handler, &token);
}

void events_attach(HWND window, com *created) {
  owner = window;
  view = created;
  own_page_is_due = false;
  origin_parse(ORIGIN, &ours);
  listen_to(view, VIEW_ADD_NAVIGATION_STARTING, &starting_handler);
  listen_to(view, VIEW_ADD_FRAME_NAVIGATION_STARTING, &frame_handler);
  listen_to(view, VIEW_ADD_NAVIGATION_COMPLETED, &completed_handler);
  listen_to(view, VIEW_ADD_NEW_WINDOW_REQUESTED, &new_window_handler);
  listen_to(view, VIEW_ADD_PERMISSION_REQUESTED, &permission_handler);
  listen_to(view, VIEW_ADD_TITLE_CHANGED, &title_handler);
  listen_to(view, VIEW_ADD_PROCESS_FAILED, &failed_handler);
  /* Runtimes before 2023 lack it; on_starting and on_frame_starting remain. */
  com *view18 = com_query(view, &VIEW18);
  if (view18 != NULL) listen_to(view18, VIEW18_ADD_LAUNCHING_EXTERNAL, &launching_handler);
  com_release(view18);
}

void events_detach(void) { view = NULL; }

void events_go_to_wallet(void) {
  if (view != NULL) com_put_text(view, VIEW_NAVIGATE, ORIGIN_W L"/wallet");
}

LPCWSTR events_wanted(void) {
  if (*wanted == L'\0') StringCchCopyW(wanted, ADDRESS_MAX + 1, ORIGIN_W L"/");
  return wanted;
}

void events_ask_theme(void) {
  if (view == NULL) return;
  char address[ADDRESS_MAX + 1];
  read_address(view, VIEW_GET_SOURCE, address);
  if (!address_is_ours(address, &ours)) return;
  METHOD(view, VIEW_EXECUTE_SCRIPT, LPCWSTR, struct handler *)(view, L"document.documentElement.dataset.theme", &theme_handler);
}
