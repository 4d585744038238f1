#include "runtime.h"

#include <windows.h>
#include <objbase.h>
#include <strsafe.h>

#include "memory.h"

/* The registry key of the evergreen runtime, by its update channel's id. The updater is 32-bit. */
#define CLIENT_KEY L"SOFTWARE\\Microsoft\\EdgeUpdate\\ClientState\\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
#define RUNTIME_INSTALLED 0

typedef HRESULT(STDMETHODCALLTYPE *create_environment)(BOOL, int, LPCWSTR, IUnknown *, void *);

static HMODULE load_from(HKEY root) {
  wchar_t folder[MAX_PATH], file[MAX_PATH];
  DWORD size = sizeof folder;
  const DWORD flags = RRF_RT_REG_SZ | RRF_SUBKEY_WOW6432KEY;
  if (RegGetValueW(root, CLIENT_KEY, L"EBWebView", flags, NULL, folder, &size) != ERROR_SUCCESS) return NULL;
  if (FAILED(StringCchPrintfW(file, MAX_PATH, L"%ls\\EBWebView\\x64\\EmbeddedBrowserWebView.dll", folder))) return NULL;
  /* Loads by absolute path, with dependencies from its own or the system's folder, never from
     the download folder. */
  return LoadLibraryExW(file, NULL, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32);
}

bool runtime_create_environment(void *completed) {
  HMODULE library = load_from(HKEY_LOCAL_MACHINE);
  if (library == NULL) library = load_from(HKEY_CURRENT_USER);
  if (library == NULL) return false;
  create_environment create =
      (create_environment)(void (*)(void))GetProcAddress(library, "CreateWebViewEnvironmentWithOptionsInternal");
  wchar_t profile[MAX_PATH];
  if (create == NULL || !memory_path(L"WebView2", profile)) return false;
  return SUCCEEDED(create(TRUE, RUNTIME_INSTALLED, profile, NULL, completed));
}
