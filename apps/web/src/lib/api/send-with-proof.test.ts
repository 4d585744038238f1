import { createHash } from "node:crypto";
import { ok, refuse } from "@holo/kernel/result.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

let sendWithProof: typeof import("./send-with-proof.ts").sendWithProof;
beforeEach(async () => {
  vi.stubGlobal("addEventListener", () => undefined);
  ({ sendWithProof } = await import("./send-with-proof.ts"));
});
afterEach(() => vi.unstubAllGlobals());

function serveChallenge(challenge: string, bits: number): void {
  vi.stubGlobal("fetch", async (path: string) => {
    expect(path).toBe("/api/challenge");
    return new Response(JSON.stringify({ challenge, bits }));
  });
}

it("computes the proof that a busy server asks for and sends the form once more [ROLE-23]", async () => {
  serveChallenge("8x.12.abcdefgh.0123456789abcdef", 12);
  const proofs: (string | undefined)[] = [];
  const onProving = vi.fn(() => expect(proofs).toEqual([undefined]));
  const answer = await sendWithProof(async (proof) => {
    proofs.push(proof);
    return proof === undefined ? refuse(toRefusalView("work_required")) : ok("logged in");
  }, onProving);
  expect(onProving).toHaveBeenCalledOnce();
  expect(answer).toEqual(ok("logged in"));
  expect(proofs).toHaveLength(2);
  expect(proofs[1]).toMatch(/^8x\.12\.abcdefgh\.0123456789abcdef:/);
  expect(
    createHash("sha256")
      .update(proofs[1] ?? "")
      .digest("hex"),
  ).toMatch(/^000/);
});

it("answers that the server is unreachable if the proof's chunk cannot be loaded [ERR-45]", async () => {
  serveChallenge("8x.12.abcdefgh.0123456789abcdef", 12);
  const answer = await sendWithProof(
    async () => refuse(toRefusalView("work_required")),
    () => undefined,
    () => Promise.reject(new TypeError("Failed to fetch dynamically imported module")),
  );
  expect(answer).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
});

it("sends the form once if nothing is asked for, and shows other refusals", async () => {
  let sent = 0;
  const onProving = vi.fn();
  const answer = await sendWithProof(async () => {
    sent += 1;
    return refuse(toRefusalView("invalid_credentials"));
  }, onProving);
  expect([sent, answer.ok]).toEqual([1, false]);
  expect(onProving).not.toHaveBeenCalled();
});
