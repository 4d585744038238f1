import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { assert, assertNever } from "@holo/kernel/assert.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import { settleCharge } from "./charges/charges.ts";
import { serveCheckout } from "./charges/checkout.ts";
import { openDispute } from "./charges/disputes.ts";
import { CONTROL_PATH, type ControlledProvider, serveControl } from "./control/control.ts";
import { FAILURES } from "./http/answer.ts";
import { openApi } from "./http/api.ts";
import { sendAnswer } from "./http/http-io.ts";
import { toReachableHost } from "./machine.ts";
import { settleRefund } from "./refunds/refunds.ts";
import { DEFAULT_SETTINGS, type Settings } from "./settings.ts";
import { openClock } from "./state/clock.ts";
import type { Provider } from "./state/provider.ts";
import { openScheduler, type Scheduler } from "./state/scheduler.ts";
import { makeState, type State, type Task } from "./state/state.ts";
import { loadState, openStateFile } from "./state/state-file.ts";
import { settleTransfer } from "./transfers/transfers.ts";
import { openWebhooks, type Webhooks } from "./webhooks/webhooks.ts";

export interface SandboxOptions {
  /** The key that callers send and that signs webhooks. */
  readonly secretKey: string;
  readonly port?: number;
  readonly host?: string;
  /** Where a browser reaches the checkout. Default: `publicHost` with the sandbox's port. */
  readonly publicUrl?: string;
  /** Default: the one that reaches the sandbox on this machine. */
  readonly publicHost?: string;
  readonly stateFile?: string;
  /** The integration's first balance in kobo, unless a state file has one. Default: ₦10,000,000. */
  readonly balance?: Kobo;
  readonly settings?: Partial<Settings>;
}

interface RunningSandbox {
  readonly url: string;
  close(): Promise<void>;
}

const BALANCE = 1_000_000_000n as Kobo;
const HOST = "127.0.0.1";

async function runTask(provider: Provider, webhooks: Webhooks, task: Task): Promise<void> {
  const { state } = provider;
  switch (task.type) {
    case "deliver":
      return state.deliveries.has(task.deliveryId) ? await webhooks.deliver(task.deliveryId) : undefined;
    case "settle_transfer":
      return settleTransfer(provider, task.reference, task.status);
    case "settle_refund":
      return settleRefund(provider, task.refundId, task.status);
    case "reverse_charge":
      return settleCharge(provider, state.transactions.get(task.reference)!, "reversed");
    case "dispute_charge":
      return openDispute(provider, task.reference);
    default:
      return assertNever(task);
  }
}

function makeProvider(
  state: State,
  options: SandboxOptions,
  publicUrl: () => string,
  onChange: () => void,
): ControlledProvider {
  const clock = openClock(state);
  let scheduler: Scheduler | undefined;
  const getScheduler = (): Scheduler => {
    assert(scheduler !== undefined, "the scheduler is open before anything is scheduled");
    return scheduler;
  };
  const webhooks = openWebhooks({ state, clock, scheduler: getScheduler, secretKey: options.secretKey });
  scheduler = openScheduler(state, clock, (task) => runTask(provider, webhooks, task).finally(onChange));
  const provider: ControlledProvider = {
    state,
    clock,
    scheduler,
    domain: options.secretKey.startsWith("sk_live_") ? "live" : "test",
    publicUrl,
    notify: webhooks.notify,
    webhooks,
  };
  return provider;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** Throws if the port is taken or the state file is invalid. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { host = HOST, stateFile } = options;
  const settings: Settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const kept = stateFile === undefined ? null : loadState(stateFile);
  const state = kept === null ? makeState(settings, options.balance ?? BALANCE) : { ...kept, settings };
  const file = stateFile === undefined ? null : openStateFile(stateFile, state);
  let publicUrl = "";
  const provider = makeProvider(
    state,
    options,
    () => publicUrl,
    () => file?.save(),
  );
  const api = openApi(provider, options.secretKey);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = new URL(request.url ?? "/", "http://sandbox");
    if (asked.pathname.startsWith(CONTROL_PATH)) return await serveControl(provider, request, response, asked);
    if (asked.pathname.startsWith("/checkout")) return await serveCheckout(provider, request, response, asked);
    return await api.serve(request, response, asked);
  }

  const server = createServer((request, response) => {
    serve(request, response)
      .catch(() => {
        // A fault in one call is answered as the provider would, and the next call is served.
        if (response.headersSent) response.destroy();
        else sendAnswer(response, FAILURES.internal);
      })
      .finally(() => file?.save());
  });
  const port = await listen(server, options.port ?? 0, host);
  const url = `http://${toReachableHost(host)}:${port}`;
  publicUrl = options.publicUrl ?? `http://${options.publicHost ?? toReachableHost(host)}:${port}`;
  provider.scheduler.rearm();

  return {
    url,
    async close() {
      server.close();
      server.closeAllConnections();
      provider.webhooks.close();
      await provider.scheduler.close();
      file?.close();
    },
  };
}
