import { type Result, refuse } from "@holo/kernel/result.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { callApi, UNREACHABLE } from "../../../lib/api/api.ts";
import { loadChunk } from "../../../lib/chunks/load-chunk.ts";

const loadSolver = () => loadChunk(() => import("../../../lib/proof-of-work.ts"), { isOptional: true });

/**
 * Sends a form. A very busy server asks for a proof of work, which is computed and sent with the
 * form once.
 */
export async function sendWithProof<Value, Refused extends RefusalView>(
  sendForm: (proof?: string) => Promise<Result<Value, Refused>>,
  load = loadSolver,
): Promise<Result<Value, Refused | typeof UNREACHABLE>> {
  const answer = await sendForm();
  if (answer.ok || answer.refusal.code !== "work_required") return answer;
  const challenge = await callApi("challenge", {});
  if (!challenge.ok) return answer;
  const solver = await load().catch(() => null);
  if (solver === null) return refuse(UNREACHABLE);
  return await sendForm(await solver.solveChallenge(challenge.value));
}
