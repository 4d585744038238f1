import { WebSocket } from "ws";

const ASKED_EVERY_MS = 50;
const TIMEOUT_MS = 10_000;

/**
 * Makes a Node process (`--inspect` on this port) collect its garbage. Otherwise the memory of an
 * idle process is mostly garbage of its past.
 */
export async function collectGarbage(port: number): Promise<void> {
  const socket = new WebSocket(await findTarget(port));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  // Twice: what finalizers release is collected by the second.
  for (const id of [1, 2]) {
    const answered = new Promise((resolve) => socket.once("message", resolve));
    socket.send(JSON.stringify({ id, method: "HeapProfiler.collectGarbage" }));
    await answered;
  }
  socket.close();
}

async function findTarget(port: number): Promise<string> {
  for (const endMs = performance.now() + TIMEOUT_MS; performance.now() < endMs; ) {
    try {
      const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as readonly {
        readonly webSocketDebuggerUrl: string;
      }[];
      if (targets[0] !== undefined) return targets[0].webSocketDebuggerUrl;
    } catch {
      // The process does not listen yet.
    }
    await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY_MS));
  }
  throw new Error("the inspector of a server of the benchmark did not answer");
}
