/* Stand-in for Edge and the default browser: writes its command line to a file beside it. */
#include <windows.h>

int main(void) {
  char line[8192];
  WCHAR file[MAX_PATH];
  const int length = WideCharToMultiByte(CP_UTF8, 0, GetCommandLineW(), -1, line, sizeof line, NULL, NULL);
  GetModuleFileNameW(NULL, file, MAX_PATH - 4);
  lstrcatW(file, L".log");
  HANDLE log = CreateFileW(file, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_ALWAYS, 0, NULL);
  if (log == INVALID_HANDLE_VALUE || length == 0) return 1;
  line[length - 1] = '\n';
  DWORD written;
  WriteFile(log, line, (DWORD)length, &written, NULL);
  CloseHandle(log);
  return 0;
}
