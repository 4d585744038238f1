/** What Debian puts beside PATH: its wine for 64 bits alone has no program of its own. */
export const WINE = "/usr/lib/wine/wine64";
export const WINE_SERVER = "/usr/lib/wine/wineserver64";
