; The setup program: for one user, without questions, silent with /S. Its windows need short texts.
; Parameters of the build: VERSION, HOST (the program to install), OUT (the file to write).

Unicode true
Target amd64-unicode
SetCompressor /SOLID lzma
; File times would make builds differ.
SetDateSave off
RequestExecutionLevel user
ManifestDPIAware true
ManifestSupportedOS Win10

!include LogicLib.nsh
!include WinMessages.nsh

!define PRODUCT "Holo Arena"
!define PROGRAM "$INSTDIR\Holo Arena.exe"
!define UNINSTALLER "$INSTDIR\Uninstall.exe"
!define SHORTCUT "$SMPROGRAMS\Holo Arena.lnk"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\HoloArena"
; As in window.h and memory.h.
!define WINDOW_CLASS "HoloArena"
!define MEMORY "$LOCALAPPDATA\Holo Arena"

Name "${PRODUCT}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Holo Arena"
BrandingText "${PRODUCT} ${VERSION}"
Icon holo-arena.ico
UninstallIcon holo-arena.ico
XPStyle on
AutoCloseWindow true

VIProductVersion "${VERSION}.0"
VIFileVersion "${VERSION}.0"
VIAddVersionKey CompanyName "${PRODUCT}"
VIAddVersionKey FileDescription "${PRODUCT} setup"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey LegalCopyright "${PRODUCT}"
VIAddVersionKey ProductName "${PRODUCT}"
VIAddVersionKey ProductVersion "${VERSION}"

Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

; Windows cannot replace a running program, so it is asked to close.
!macro DEFINE_CLOSE_HOST PREFIX
Function ${PREFIX}CloseHost
  FindWindow $0 "${WINDOW_CLASS}"
  ${If} $0 P<> 0
    MessageBox MB_OKCANCEL|MB_ICONINFORMATION "${PRODUCT} is open and will be closed. A game that is on goes on at the server: you can rejoin it." /SD IDOK IDOK +2
      Abort
    SendMessage $0 ${WM_CLOSE} 0 0 /TIMEOUT=5000
  ${EndIf}
  ${For} $1 1 60
    ${IfNot} ${FileExists} "${PROGRAM}"
      Return
    ${EndIf}
    ClearErrors
    FileOpen $2 "${PROGRAM}" a
    ${IfNot} ${Errors}
      FileClose $2
      Return
    ${EndIf}
    Sleep 250
  ${Next}
  SetErrorLevel 3
  MessageBox MB_OK|MB_ICONSTOP "${PRODUCT} could not be closed. Close it and start this again." /SD IDOK
  Abort
FunctionEnd
!macroend
!insertmacro DEFINE_CLOSE_HOST ""
!insertmacro DEFINE_CLOSE_HOST "un."

Section
  Call CloseHost
  SetOutPath "$INSTDIR"
  File "/oname=Holo Arena.exe" "${HOST}"
  WriteUninstaller "${UNINSTALLER}"
  CreateShortCut "${SHORTCUT}" "${PROGRAM}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" DisplayName "${PRODUCT}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" DisplayVersion "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" DisplayIcon "${PROGRAM}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" Publisher "${PRODUCT}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" InstallLocation "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" UninstallString '"${UNINSTALLER}"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" QuietUninstallString '"${UNINSTALLER}" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" EstimatedSize 300
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" NoModify 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" NoRepair 1
SectionEnd

Function .onInstSuccess
  ${IfNot} ${Silent}
    Exec '"${PROGRAM}"'
  ${EndIf}
FunctionEnd

Section un.
  Call un.CloseHost
  Delete "${SHORTCUT}"
  Delete "${PROGRAM}"
  Delete "${UNINSTALLER}"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  ; Who comes back finds their session again; only who says so loses it.
  MessageBox MB_YESNO|MB_DEFBUTTON2|MB_ICONQUESTION "Also forget who is logged in on this computer, and where the window stood?" /SD IDNO IDNO +2
    RMDir /r "${MEMORY}"
SectionEnd
