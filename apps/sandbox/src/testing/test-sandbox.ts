import { createServer } from "node:http";
import { formatJson, type JsonObject, parseJson } from "../http/json.ts";
import { type SandboxOptions, startSandbox } from "../sandbox.ts";
import { openControl, type SandboxControl } from "./sandbox-control.ts";

export const TEST_KEY = "sk_test_0123456789abcdef";

export interface Received {
  readonly body: string;
  readonly signature: string | undefined;
  readonly event: string;
  readonly data: JsonObject;
}

interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Statuses of the next answers in order, 0 for none; 200 once the list is empty. */
  readonly answers: number[];
  close(): Promise<void>;
}

async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const parsed = parseJson(body) as JsonObject;
      const signature = request.headers["x-paystack-signature"];
      received.push({
        body,
        signature: Array.isArray(signature) ? signature[0] : signature,
        event: String(parsed.event),
        data: parsed.data as JsonObject,
      });
      const status = answers.shift() ?? 200;
      if (status > 0) response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    received,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly body: JsonObject;
  readonly data: JsonObject;
}

export interface TestSandbox {
  readonly url: string;
  readonly control: SandboxControl;
  readonly receiver: Receiver;
  get(path: string): Promise<Answered>;
  post(path: string, body: JsonObject): Promise<Answered>;
  put(path: string, body: JsonObject): Promise<Answered>;
  initialize(reference: string, fields?: JsonObject): Promise<Answered>;
  verify(reference: string): Promise<JsonObject>;
  /** A transfer of ₦5,000 to a new recipient. The account number ends in `ending`. */
  transfer(reference: string, ending?: string): Promise<Answered>;
  close(): Promise<void>;
}

export async function openTestSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const receiver = await openReceiver();
  const settings = { webhookUrl: receiver.url, ...options.settings };
  const sandbox = await startSandbox({ secretKey: TEST_KEY, ...options, settings });

  async function call(method: "GET" | "POST" | "PUT", path: string, body?: JsonObject): Promise<Answered> {
    const response = await fetch(sandbox.url + path, {
      method,
      headers: { authorization: `Bearer ${TEST_KEY}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: formatJson(body) }),
    });
    const text = await response.text();
    const parsed = parseJson(text) as JsonObject;
    return { status: response.status, text, body: parsed, data: parsed.data as JsonObject };
  }
  const get = (path: string): Promise<Answered> => call("GET", path);
  const post = (path: string, body: JsonObject): Promise<Answered> => call("POST", path, body);
  const put = (path: string, body: JsonObject): Promise<Answered> => call("PUT", path, body);

  return {
    url: sandbox.url,
    control: openControl(sandbox.url),
    receiver,
    get,
    post,
    put,
    initialize: (reference, fields = {}) =>
      post("/transaction/initialize", { email: "ada@example.com", amount: "500000", reference, ...fields }),
    verify: async (reference) => (await get(`/transaction/verify/${reference}`)).data,
    async transfer(reference, ending = "0000") {
      const { data } = await post("/transferrecipient", {
        type: "nuban",
        name: "Ada Okafor",
        account_number: `012345${ending}`,
        bank_code: "057",
        currency: "NGN",
      });
      const recipient = String(data.recipient_code);
      return await post("/transfer", {
        source: "balance",
        amount: 500_000,
        recipient,
        reference,
        reason: "Withdrawal",
      });
    },
    async close() {
      await sandbox.close();
      await receiver.close();
    },
  };
}
