import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { afterEach, expect, it, vi } from "vitest";
import { loadRelation } from "./relations.ts";

afterEach(() => vi.unstubAllGlobals());

it("is loaded again after a failed request, and no more once it is known", async () => {
  const answers = [
    () => Promise.reject(new TypeError("Failed to fetch")),
    async () => Response.json({ relation: { muted: true, blocked: false } }),
  ];
  vi.stubGlobal("fetch", () => answers.shift()?.());
  expect(await loadRelation("p-1")).toBe(false);
  expect(await loadRelation("p-1")).toBe(true);
  expect(await loadRelation("p-1")).toBe(true);
});

it("is not loaded again for a player who does not exist", async () => {
  vi.stubGlobal("fetch", async () => Response.json(toRefusalView("unknown_player"), { status: 404 }));
  expect(await loadRelation("p-2")).toBe(true);
});
