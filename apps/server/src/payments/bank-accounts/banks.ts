import type { Instant } from "@holo/kernel/instant.ts";
import { MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Bank, Paystack } from "../provider/paystack.ts";

export interface Banks {
  /** In alphabetical order. Empty if the provider has never answered (specification 8). */
  list(): Promise<readonly Bank[]>;
}

const KEPT_MS = 24 * 60 * MINUTE_MS;
/** After a failure, pages do not query the provider again immediately. */
const REST_MS = 10 * SECOND_MS;

export function openBanks(paystack: Paystack, time: Time): Banks {
  let banks: readonly Bank[] = [];
  let askAgainAt = 0 as Instant;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    const answer = await paystack.listBanks();
    askAgainAt = (time.now() + (answer.ok ? KEPT_MS : REST_MS)) as Instant;
    if (!answer.ok) return;
    const byCode = new Map(answer.value.map((bank) => [bank.code, bank]));
    banks = [...byCode.values()].sort((a, b) => a.name.localeCompare(b.name, "en"));
  }

  return {
    async list() {
      if (time.now() >= askAgainAt) {
        asking ??= ask().finally(() => {
          asking = null;
        });
        await asking;
      }
      return banks;
    },
  };
}
