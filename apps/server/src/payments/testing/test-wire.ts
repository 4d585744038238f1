import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface TestWire {
  readonly url: string;
  isCutAt: (stage: "asked" | "answered", method: string, path: string) => boolean;
  stop(): void;
}

export async function openTestWire(upstream: string): Promise<TestWire> {
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = "GET", url: path = "/", headers } = request;
    if (wire.isCutAt("asked", method, path)) return void response.destroy();
    const answer = await fetch(`${upstream}${path}`, {
      method,
      headers: { authorization: headers.authorization ?? "", "content-type": headers["content-type"] ?? "" },
      ...(method === "GET" ? {} : { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    if (wire.isCutAt("answered", method, path)) return void response.destroy();
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(text);
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const wire: TestWire = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isCutAt: () => false,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return wire;
}
