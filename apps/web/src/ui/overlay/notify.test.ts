import { afterEach, describe, expect, it, vi } from "vitest";
import { dismissNotice, notify, onNoticesChanged, shownNotices } from "./notify.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  for (const { id } of shownNotices()) dismissNotice(id);
});

describe("notices", () => {
  it("stand in the order they came, at most three", () => {
    for (const title of ["one", "two", "three", "four"]) notify({ kind: "done", title });
    expect(shownNotices().map(({ title }) => title)).toEqual(["two", "three", "four"]);
  });

  it("stand alone on a phone: the newest takes the place of an error too", () => {
    vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(max-width: 719px)" }));
    notify({ kind: "failed", title: "Error" });
    notify({ kind: "done", title: "two" });
    expect(shownNotices().map(({ title }) => title)).toEqual(["two"]);
  });

  it("replace what says the same", () => {
    notify({ kind: "failed", title: "Error", text: "again" });
    notify({ kind: "failed", title: "Error", text: "other" });
    notify({ kind: "failed", title: "Error", text: "again" });
    expect(shownNotices().map(({ text }) => text)).toEqual(["other", "again"]);
  });

  it("tell who listens, until they stop", () => {
    const listener = vi.fn();
    const stop = onNoticesChanged(listener);
    notify({ kind: "done", title: "one" });
    stop();
    notify({ kind: "done", title: "two" });
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
