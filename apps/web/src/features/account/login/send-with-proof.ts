import type { Result } from "@holo/kernel/result.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { callApi } from "../../../lib/api/api.ts";

/**
 * Sends a form. A very busy server asks for a proof of work, which is computed and sent with the
 * form once.
 */
export async function sendWithProof<Value, Refused extends RefusalView>(
  sendForm: (proof?: string) => Promise<Result<Value, Refused>>,
): Promise<Result<Value, Refused>> {
  const answer = await sendForm();
  if (answer.ok || answer.refusal.code !== "work_required") return answer;
  const challenge = await callApi("challenge", {});
  if (!challenge.ok) return answer;
  const { solveChallenge } = await import("../../../lib/proof-of-work.ts");
  return await sendForm(await solveChallenge(challenge.value));
}
