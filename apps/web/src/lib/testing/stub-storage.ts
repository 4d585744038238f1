import { vi } from "vitest";

type StorageName = "localStorage" | "sessionStorage";

/** An empty browser storage under this name until `vi.unstubAllGlobals`. Returns its content. */
export function stubStorage(name: StorageName): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal(name, {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  return kept;
}

export function stubClosedStorage(name: StorageName): void {
  const closed = () => {
    throw new DOMException("storage is closed", "SecurityError");
  };
  vi.stubGlobal(name, { getItem: closed, setItem: closed });
}
