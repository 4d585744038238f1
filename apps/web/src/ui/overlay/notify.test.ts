import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dismissNotice, holdNotice, notify, onNoticesChanged, releaseNotice, shownNotices } from "./notify.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
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

  const titles = () => shownNotices().map(({ title }) => title);

  it("ends 4 s after it began, a failure after 8 s, wherever it is rendered", () => {
    notify({ kind: "failed", title: "failure" });
    notify({ kind: "done", title: "success" });
    notify({ kind: "notice", title: "stays", stays: true });
    vi.advanceTimersByTime(3_999);
    expect(titles()).toEqual(["failure", "success", "stays"]);
    vi.advanceTimersByTime(1);
    expect(titles()).toEqual(["failure", "stays"]);
    vi.advanceTimersByTime(4_000);
    expect(titles()).toEqual(["stays"]);
  });

  it("keeps the time that was left while it is held", () => {
    const id = notify({ kind: "done", title: "held" });
    vi.advanceTimersByTime(3_000);
    holdNotice(id);
    holdNotice(id);
    vi.advanceTimersByTime(60_000);
    expect(titles()).toEqual(["held"]);
    releaseNotice(id);
    releaseNotice(id);
    vi.advanceTimersByTime(999);
    expect(titles()).toEqual(["held"]);
    vi.advanceTimersByTime(1);
    expect(titles()).toEqual([]);
  });

  it("does not run out while the page is hidden", () => {
    const page = { visibilityState: "hidden" };
    vi.stubGlobal("document", page);
    notify({ kind: "done", title: "unseen" });
    vi.advanceTimersByTime(60_000);
    expect(titles()).toEqual(["unseen"]);
    page.visibilityState = "visible";
    vi.advanceTimersByTime(4_000);
    expect(titles()).toEqual([]);
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
