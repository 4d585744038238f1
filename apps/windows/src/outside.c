#include "outside.h"

#include <shellapi.h>
#include <stdbool.h>
#include <strsafe.h>

#include "address.h"
#include "build.h"
#include "memory.h"
#include "window.h"

#define ONE_SECOND_MS 1000
/* Tells the page about the host where the user agent is not ours. */
#define FALLBACK_ADDRESS ORIGIN_W L"/?native=windows&nativeVersion=" VERSION_W
#define EDGE_KEY L"SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\App Paths\\msedge.exe"

/* The requested address. Not part of the message, which any program can send. */
static wchar_t asked[ADDRESS_MAX + 1];

void outside_ask(HWND window, const char *address) {
  static ULONGLONG asked_ms = 0;
  const ULONGLONG now_ms = GetTickCount64();
  if (asked_ms != 0 && now_ms - asked_ms < ONE_SECOND_MS) return;
  if (MultiByteToWideChar(CP_UTF8, 0, address, -1, asked, ADDRESS_MAX + 1) == 0) return;
  asked_ms = now_ms;
  /* Deferred, because the shell runs a message loop and the engine is not reentrant. */
  PostMessageW(window, WINDOW_OPEN_OUTSIDE, 0, 0);
}

void outside_open(void) {
  if (*asked == L'\0') return;
  ShellExecuteW(NULL, L"open", asked, NULL, NULL, SW_SHOWNORMAL);
  *asked = L'\0';
}

static bool find_edge(wchar_t *file) {
  const HKEY roots[] = {HKEY_LOCAL_MACHINE, HKEY_CURRENT_USER};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
    DWORD size = MAX_PATH * sizeof *file;
    if (RegGetValueW(roots[i], EDGE_KEY, NULL, RRF_RT_REG_SZ, NULL, file, &size) == ERROR_SUCCESS &&
        GetFileAttributesW(file) != INVALID_FILE_ATTRIBUTES) {
      return true;
    }
  }
  return false;
}

static bool start_edge(void) {
  wchar_t edge[MAX_PATH], profile[MAX_PATH], command[3 * MAX_PATH + sizeof FALLBACK_ADDRESS];
  if (!find_edge(edge) || !memory_path(L"Edge", profile)) return false;
  /* WebView2 and Edge cannot share a profile. */
  const HRESULT fits = StringCchPrintfW(
      command, sizeof command / sizeof *command,
      L"\"%ls\" --app=" FALLBACK_ADDRESS L" --user-data-dir=\"%ls\" --no-first-run", edge, profile);
  STARTUPINFOW start = {.cb = sizeof start};
  PROCESS_INFORMATION process;
  if (FAILED(fits) || !CreateProcessW(edge, command, NULL, NULL, FALSE, 0, NULL, NULL, &start, &process)) return false;
  CloseHandle(process.hThread);
  CloseHandle(process.hProcess);
  return true;
}

void outside_fall_back(void) {
  if (start_edge()) return;
  /* ShellExecute returns a number above 32 on success. */
  if ((INT_PTR)ShellExecuteW(NULL, L"open", FALLBACK_ADDRESS, NULL, NULL, SW_SHOWNORMAL) > 32) return;
  MessageBoxW(NULL, L"Holo Arena needs Microsoft Edge or another browser. Install one, then start Holo Arena again.", PRODUCT_NAME,
              MB_OK | MB_ICONINFORMATION);
}
