import { type Result, refuse } from "@holo/kernel/result.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { loadChunk } from "../chunks/load-chunk.ts";
import { callApi, UNREACHABLE } from "./api.ts";

const loadSolver = () => loadChunk(() => import("../proof-of-work.ts"), { isOptional: true });

/** Shown on the button while the page computes a proof. */
export const PROVING_TEXT = "Very busy, one moment...";

/**
 * Sends a form. A very busy server, or one with many attempts from this network address, asks for a
 * proof of work: it is computed after `onProving` and sent with the form once.
 */
export async function sendWithProof<Value, Refused extends RefusalView>(
  sendForm: (proof?: string) => Promise<Result<Value, Refused>>,
  onProving: () => void,
  load = loadSolver,
): Promise<Result<Value, Refused | typeof UNREACHABLE>> {
  const answer = await sendForm();
  if (answer.ok || answer.refusal.code !== "work_required") return answer;
  onProving();
  const challenge = await callApi("challenge", {});
  if (!challenge.ok) return answer;
  const solver = await load().catch(() => null);
  if (solver === null) return refuse(UNREACHABLE);
  return await sendForm(await solver.solveChallenge(challenge.value));
}
