import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { formatState, parseState } from "../http/json.ts";
import type { State } from "./state.ts";

interface StateFile {
  save(): void;
  close(): void;
}

const SAVE_AFTER_MS = 100;

/** Null without a file. Throws for any other content. */
export function loadState(file: string): State | null {
  try {
    return parseState(readFileSync(file, "utf8")) as State;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function openStateFile(file: string, state: State): StateFile {
  mkdirSync(path.dirname(file), { recursive: true });
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    const fresh = `${file}.new`;
    writeFileSync(fresh, formatState(state));
    renameSync(fresh, file);
  }

  return {
    save() {
      timer ??= setTimeout(write, SAVE_AFTER_MS);
    },
    close: write,
  };
}
