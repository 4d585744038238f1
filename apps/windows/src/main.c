/* Holo Arena on Windows. See ../README.md. */
#include <windows.h>
#include <objbase.h>

#include "outside.h"
#include "view.h"
#include "window.h"

#define INSTANCE_NAME L"Local\\HoloArena"
#define WAIT_FOR_WINDOW_MS 10000
#define STEP_MS 50

/* The second start activates the first one, whose window may not exist yet. */
static void bring_first_forward(void) {
  for (int waited_ms = 0; waited_ms < WAIT_FOR_WINDOW_MS; waited_ms += STEP_MS) {
    HWND first = FindWindowW(WINDOW_CLASS, NULL);
    if (first != NULL) {
      DWORD process = 0;
      GetWindowThreadProcessId(first, &process);
      AllowSetForegroundWindow(process);
      PostMessageW(first, WINDOW_COME_FORWARD, 0, 0);
      return;
    }
    Sleep(STEP_MS);
  }
}

static void pump_messages(void) {
  MSG message;
  while (GetMessageW(&message, NULL, 0, 0) > 0) {
    TranslateMessage(&message);
    DispatchMessageW(&message);
  }
}

int WINAPI wWinMain(HINSTANCE instance, HINSTANCE previous, PWSTR command, int show) {
  (void)previous, (void)command, (void)show;
  HANDLE only = CreateMutexW(NULL, TRUE, INSTANCE_NAME);
  if (only != NULL && GetLastError() == ERROR_ALREADY_EXISTS) {
    bring_first_forward();
    CloseHandle(only);
    return 0;
  }
  /* WebView2 needs a single-threaded apartment with a message loop. */
  CoInitializeEx(NULL, COINIT_APARTMENTTHREADED);
  HWND window = window_create(instance);
  if (window != NULL && view_create(window)) {
    window_show(window);
    pump_messages();
  } else {
    /* Without a runtime another program opens the site. */
    if (window != NULL) DestroyWindow(window);
    outside_fall_back();
  }
  CoUninitialize();
  return 0;
}
