import type { NativeHost } from "../../scripts/native/host.ts";
import { build } from "./build.ts";
import { WINE, WINE_SERVER } from "./tools.ts";

export const host: NativeHost = {
  buildTools: [
    { program: "x86_64-w64-mingw32-gcc-win32", debianPackage: "gcc-mingw-w64-x86-64-win32" },
    { program: "makensis", debianPackage: "nsis" },
    { program: "osslsigncode", debianPackage: "osslsigncode" },
    { program: "openssl", debianPackage: "openssl" },
  ],
  testTools: [
    { program: "gcc", debianPackage: "gcc" },
    { program: "/usr/include/stdio.h", debianPackage: "libc6-dev" },
    { program: WINE, debianPackage: "wine64" },
    { program: WINE_SERVER, debianPackage: "wine64" },
    { program: "Xvfb", debianPackage: "xvfb" },
  ],
  build,
};
