#include "window.h"

#include "events.h"
#include "memory.h"
#include "outside.h"
#include "place.h"
#include "view.h"

/* DWM attributes for a dark frame and the title bar colour (Windows 11). */
enum { DWM_DARK = 20, DWM_CAPTION_COLOR = 35 };
enum { THEME_TIMER = 1, THEME_EVERY_MS = 2000, MIN_WIDTH = 380, MIN_HEIGHT = 560 };
/* An engine that crashes sooner would crash again. */
#define VIEW_LIFE_MIN_MS 10000

#define GROUND_NIGHT RGB(0x06, 0x20, 0x18)
#define GROUND_DAY RGB(0xf3, 0xf1, 0xe8)

static struct memory memory;
static ULONGLONG view_began_ms;

static struct area to_area(const RECT *rect) { return (struct area){rect->left, rect->top, rect->right, rect->bottom}; }

/* The work area of the monitor nearest to a place. */
static MONITORINFO find_monitor(const struct area *place) {
  const RECT rect = {place->left, place->top, place->right, place->bottom};
  MONITORINFO monitor = {.cbSize = sizeof monitor};
  GetMonitorInfoW(MonitorFromRect(&rect, MONITOR_DEFAULTTONEAREST), &monitor);
  return monitor;
}

static COLORREF to_ground(void) { return memory.is_day ? GROUND_DAY : GROUND_NIGHT; }

/* Loaded dynamically; older versions of Windows keep the default frame. */
static void dress_frame(HWND window) {
  typedef HRESULT(WINAPI * set_attribute)(HWND, DWORD, LPCVOID, DWORD);
  HMODULE dwm = LoadLibraryExW(L"dwmapi.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);
  if (dwm == NULL) return;
  set_attribute set = (set_attribute)(void (*)(void))GetProcAddress(dwm, "DwmSetWindowAttribute");
  if (set != NULL) {
    const BOOL is_dark = !memory.is_day;
    const COLORREF ground = to_ground();
    set(window, DWM_DARK, &is_dark, sizeof is_dark);
    set(window, DWM_CAPTION_COLOR, &ground, sizeof ground);
  }
  FreeLibrary(dwm);
}

bool window_is_day(void) { return memory.is_day; }

void window_follow(HWND window, bool is_day) {
  if (memory.is_day == is_day) return;
  memory.is_day = is_day;
  dress_frame(window);
  InvalidateRect(window, NULL, TRUE);
  memory_save(&memory);
}

/* WINDOWPLACEMENT uses work-area coordinates, window rectangles use screen coordinates. */
static void remember_place(HWND window) {
  WINDOWPLACEMENT placement = {.length = sizeof placement};
  if (!IsWindowVisible(window) || !GetWindowPlacement(window, &placement)) return;
  RECT rect = placement.rcNormalPosition;
  const struct area near_place = to_area(&rect);
  const MONITORINFO monitor = find_monitor(&near_place);
  OffsetRect(&rect, monitor.rcWork.left - monitor.rcMonitor.left, monitor.rcWork.top - monitor.rcMonitor.top);
  memory.place = to_area(&rect);
  memory.has_place = place_is_sound(&memory.place);
  /* A minimised window reopens in its earlier state. */
  memory.is_maximised = placement.showCmd == SW_SHOWMAXIMIZED || (IsIconic(window) && (placement.flags & WPF_RESTORETOMAXIMIZED));
  memory_save(&memory);
}

static void erase(HWND window, HDC context) {
  RECT all;
  GetClientRect(window, &all);
  HBRUSH brush = CreateSolidBrush(to_ground());
  FillRect(context, &all, brush);
  DeleteObject(brush);
}

static void come_forward(HWND window) {
  if (IsIconic(window)) ShowWindow(window, SW_RESTORE);
  SetForegroundWindow(window);
}

static void give_up_view(HWND window) {
  ShowWindow(window, SW_HIDE);
  outside_fall_back();
  DestroyWindow(window);
}

static void begin_view_anew(HWND window) {
  const bool lived_long = GetTickCount64() - view_began_ms >= VIEW_LIFE_MIN_MS;
  view_close();
  view_began_ms = GetTickCount64();
  if (!lived_long || !view_create(window)) give_up_view(window);
}

static void limit_size(HWND window, MINMAXINFO *limits) {
  const int dots = (int)GetDpiForWindow(window);
  limits->ptMinTrackSize = (POINT){MIN_WIDTH * dots / 96, MIN_HEIGHT * dots / 96};
}

static LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM first, LPARAM second) {
  switch (message) {
    case WM_SIZE:
      view_fit(window);
      return 0;
    case WM_MOVE:
      view_moved();
      return 0;
    case WM_EXITSIZEMOVE:
      remember_place(window);
      return 0;
    case WM_SETFOCUS:
      view_focus();
      return 0;
    case WM_TIMER:
      /* The page cannot call the host, so its theme is polled. */
      if (GetForegroundWindow() == window) events_ask_theme();
      return 0;
    case WM_GETMINMAXINFO:
      limit_size(window, (MINMAXINFO *)second);
      return 0;
    case WM_DPICHANGED: {
      const RECT *rect = (const RECT *)second;
      SetWindowPos(window, NULL, rect->left, rect->top, rect->right - rect->left, rect->bottom - rect->top, SWP_NOZORDER | SWP_NOACTIVATE);
      return 0;
    }
    case WM_ERASEBKGND:
      erase(window, (HDC)first);
      return 1;
    case WINDOW_COME_FORWARD:
      come_forward(window);
      return 0;
    case WINDOW_OPEN_OUTSIDE:
      outside_open();
      return 0;
    case WINDOW_GO_TO_WALLET:
      events_go_to_wallet();
      return 0;
    case WINDOW_VIEW_FAILED:
      give_up_view(window);
      return 0;
    case WINDOW_VIEW_LOST:
      begin_view_anew(window);
      return 0;
    case WM_CLOSE:
      remember_place(window);
      DestroyWindow(window);
      return 0;
    case WM_ENDSESSION:
      if (first) remember_place(window);
      return 0;
    case WM_DESTROY:
      KillTimer(window, THEME_TIMER);
      view_close();
      PostQuitMessage(0);
      return 0;
    default:
      return DefWindowProcW(window, message, first, second);
  }
}

HWND window_create(HINSTANCE instance) {
  const WNDCLASSEXW class = {
      .cbSize = sizeof class,
      .lpfnWndProc = on_message,
      .hInstance = instance,
      .hIcon = LoadIconW(instance, MAKEINTRESOURCEW(1)),
      .hCursor = LoadCursorW(NULL, IDC_ARROW),
      .lpszClassName = WINDOW_CLASS,
  };
  if (RegisterClassExW(&class) == 0) return NULL;
  memory = memory_load();
  const MONITORINFO monitor = find_monitor(&memory.place);
  const struct area work = to_area(&monitor.rcWork);
  const struct area place = memory.has_place ? place_clamp(memory.place, work) : place_first(work, (int)GetDpiForSystem());
  HWND window = CreateWindowExW(0, WINDOW_CLASS, PRODUCT_NAME, WS_OVERLAPPEDWINDOW, place.left, place.top, place.right - place.left,
                                place.bottom - place.top, NULL, NULL, instance, NULL);
  if (window == NULL) return NULL;
  dress_frame(window);
  view_began_ms = GetTickCount64();
  return window;
}

void window_show(HWND window) {
  ShowWindow(window, memory.is_maximised ? SW_SHOWMAXIMIZED : SW_SHOWNORMAL);
  SetTimer(window, THEME_TIMER, THEME_EVERY_MS, NULL);
}
