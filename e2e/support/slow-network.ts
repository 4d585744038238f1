import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";

/** SOCKS 5 (RFC 1928): greeting, no authentication, one CONNECT. */
const VERSION = 5;
const NO_AUTHENTICATION = Buffer.from([VERSION, 0]);
const SUCCEEDED = Buffer.from([VERSION, 0, 0, 1, 0, 0, 0, 0, 0, 0]);

/**
 * A SOCKS proxy for pages whose traffic arrives late, each chunk by a random time up to
 * `delayMsMax`. Finds tests that do not wait for what they need. Resolves to its address.
 */
export async function openSlowNetwork(delayMsMax: number): Promise<string> {
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    client.on("error", () => client.destroy());
    void relay(client, delayMsMax).catch(() => client.destroy());
  });
  listener.unref();
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return `socks5://127.0.0.1:${address.port}`;
}

async function relay(client: Socket, delayMsMax: number): Promise<void> {
  await once(client, "data");
  client.write(NO_AUTHENTICATION);
  const [request] = (await once(client, "data")) as [Buffer];
  client.pause();
  const port = request.readUInt16BE(request.length - 2);
  const upstream = connect({ host: "localhost", port, allowHalfOpen: true });
  await once(upstream, "connect");
  client.write(SUCCEEDED);
  await Promise.all([
    pipeline(client, new Late(delayMsMax), upstream),
    pipeline(upstream, new Late(delayMsMax), client),
  ]);
}

class Late extends Transform {
  readonly #delayMsMax: number;

  constructor(delayMsMax: number) {
    super();
    this.#delayMsMax = delayMsMax;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    setTimeout(done, randomInt(this.#delayMsMax + 1), null, chunk);
  }
}
