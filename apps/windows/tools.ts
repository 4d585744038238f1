/** Debian installs 64-bit wine outside PATH. */
export const WINE = "/usr/lib/wine/wine64";
export const WINE_SERVER = "/usr/lib/wine/wineserver64";
