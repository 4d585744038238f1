import { vi } from "vitest";

type StorageName = "localStorage" | "sessionStorage";

/** An empty store of the browser under this name, until `vi.unstubAllGlobals`. Returns what it keeps. */
export function stubStorage(name: StorageName): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal(name, {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  return kept;
}

/** As where somebody lets pages keep nothing: whoever reads or writes there is thrown at. */
export function stubClosedStorage(name: StorageName): void {
  const closed = () => {
    throw new DOMException("storage is closed", "SecurityError");
  };
  vi.stubGlobal(name, { getItem: closed, setItem: closed });
}
