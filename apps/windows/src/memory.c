#include "memory.h"

#include <shlobj.h>
#include <strsafe.h>
#include <windows.h>

#include "window.h"

#define SECTION L"window"

bool memory_path(const wchar_t *name, wchar_t *path) {
  PWSTR local = NULL;
  if (FAILED(SHGetKnownFolderPath(&FOLDERID_LocalAppData, KF_FLAG_CREATE, NULL, &local))) return false;
  const HRESULT fits = StringCchPrintfW(path, MAX_PATH, L"%ls\\" PRODUCT_NAME, local);
  CoTaskMemFree(local);
  if (FAILED(fits)) return false;
  if (!CreateDirectoryW(path, NULL) && GetLastError() != ERROR_ALREADY_EXISTS) return false;
  return SUCCEEDED(StringCchCatW(path, MAX_PATH, L"\\")) && SUCCEEDED(StringCchCatW(path, MAX_PATH, name));
}

static int load_number(const wchar_t *file, const wchar_t *key) { return (int)GetPrivateProfileIntW(SECTION, key, 0, file); }

static void save_number(const wchar_t *file, const wchar_t *key, int number) {
  wchar_t text[16];
  StringCchPrintfW(text, 16, L"%d", number);
  WritePrivateProfileStringW(SECTION, key, text, file);
}

struct memory memory_load(void) {
  struct memory memory = {0};
  wchar_t file[MAX_PATH];
  if (!memory_path(L"window.ini", file)) return memory;
  memory.place.left = load_number(file, L"left");
  memory.place.top = load_number(file, L"top");
  memory.place.right = load_number(file, L"right");
  memory.place.bottom = load_number(file, L"bottom");
  memory.has_place = place_is_sound(&memory.place);
  memory.is_maximised = load_number(file, L"maximised") == 1;
  memory.is_day = load_number(file, L"day") == 1;
  return memory;
}

void memory_save(const struct memory *memory) {
  wchar_t file[MAX_PATH];
  if (!memory_path(L"window.ini", file)) return;
  if (memory->has_place) {
    save_number(file, L"left", memory->place.left);
    save_number(file, L"top", memory->place.top);
    save_number(file, L"right", memory->place.right);
    save_number(file, L"bottom", memory->place.bottom);
  }
  save_number(file, L"maximised", memory->is_maximised);
  save_number(file, L"day", memory->is_day);
}
