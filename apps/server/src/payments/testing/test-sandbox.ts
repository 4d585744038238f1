import { parseConfig } from "../../../../sandbox/src/config.ts";
import { startSandbox } from "../../../../sandbox/src/sandbox.ts";

interface SandboxTransfer {
  readonly reference: string;
  readonly status: string;
  readonly amount: number;
}

interface SandboxCall {
  readonly operation: string;
  readonly body: string;
}

interface SandboxState {
  readonly transactions: readonly { readonly reference: string; readonly status: string; readonly amount: number }[];
  readonly transfers: readonly SandboxTransfer[];
  readonly webhooks: readonly {
    readonly id: number;
    readonly event: string;
    readonly body: string;
    readonly status: string;
  }[];
  readonly calls: readonly SandboxCall[];
}

/** The sandbox in the test's process, which saves starting one per file, used over HTTP. */
export interface TestSandbox {
  readonly url: string;
  readonly secretKey: string;
  state(): Promise<SandboxState>;
  /** The amounts of the transfers under this reference, in kobo. */
  listTransfers(reference: string): Promise<readonly number[]>;
  order(path: string, body?: object): Promise<unknown>;
  reset(): Promise<void>;
  pass(ms?: number): Promise<void>;
  stop(): Promise<void>;
}

const HOLD_MS = 2_000;

export async function startTestSandbox(
  environment: Readonly<Record<string, string>> = {},
  secretKey = "sk_test_of_tests",
): Promise<TestSandbox> {
  const config = parseConfig({ TRANSFER_SETTLES_AFTER_MS: "0", ...environment });
  if (!config.ok) throw new Error(config.refusal.join("\n"));
  // The key of a server in production is a live one, which the configuration refuses.
  const { url, close } = await startSandbox({ ...config.value, secretKey });

  async function order(path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${url}/_sandbox/${path}`, {
      method: body === undefined ? "GET" : "POST",
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const content = (await answer.json()) as { readonly data?: unknown; readonly message?: string };
    if (!answer.ok) throw new Error(`${path}: ${content.message}`);
    return content.data;
  }

  await order("settings", { holdMs: HOLD_MS });
  const state = async (): Promise<SandboxState> => (await order("state")) as SandboxState;
  return {
    url,
    secretKey,
    order,
    state,
    async listTransfers(reference) {
      const { transfers } = await state();
      return transfers.filter((transfer) => transfer.reference === reference).map(({ amount }) => amount);
    },
    async reset() {
      await order("reset", { kobo: 1_000_000_000 });
    },
    async pass(ms = 0) {
      await order("clock", { advanceMs: ms });
    },
    stop: close,
  };
}
