/** The child process of key-derivation.ts. */
import { answerRequests } from "../../platform/side-process/answer-requests.ts";
import { deriveHere } from "./scrypt-key.ts";

export interface KeyRequest {
  readonly password: string;
  readonly salt: Uint8Array;
  /** log2 of N. */
  readonly cost: number;
}

answerRequests(({ password, salt, cost }: KeyRequest) => deriveHere(password, Buffer.from(salt), cost));
