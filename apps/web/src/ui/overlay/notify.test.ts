import { afterEach, describe, expect, it, vi } from "vitest";
import { dismissNotice, notify, onNoticesChanged, shownNotices } from "./notify.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  for (const { id } of shownNotices()) dismissNotice(id);
});

describe("notices", () => {
  it("keeps arrival order and at most three notices", () => {
    for (const title of ["one", "two", "three", "four"]) notify({ kind: "done", title });
    expect(shownNotices().map(({ title }) => title)).toEqual(["two", "three", "four"]);
  });

  it("shows only the newest notice on a phone, even instead of an error", () => {
    vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(max-width: 719px)" }));
    notify({ kind: "failed", title: "Error" });
    notify({ kind: "done", title: "two" });
    expect(shownNotices().map(({ title }) => title)).toEqual(["two"]);
  });

  it("replaces a notice with the same text", () => {
    notify({ kind: "failed", title: "Error", text: "again" });
    notify({ kind: "failed", title: "Error", text: "other" });
    notify({ kind: "failed", title: "Error", text: "again" });
    expect(shownNotices().map(({ text }) => text)).toEqual(["other", "again"]);
  });

  it("notifies a listener until it unsubscribes", () => {
    const listener = vi.fn();
    const stop = onNoticesChanged(listener);
    notify({ kind: "done", title: "one" });
    stop();
    notify({ kind: "done", title: "two" });
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
