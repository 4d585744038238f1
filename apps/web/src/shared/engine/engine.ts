import { loadChunk } from "../../lib/chunks/load-chunk.ts";
import { createEngine, type EnginePort, type OpenEngine } from "./engine-client.ts";
import type { EngineMessage } from "./engine-tasks.ts";

/** The worker loads with the first request, and again and again while there is no network. */
export function openEngine(): OpenEngine {
  return createEngine(() => loadChunk(startWorker, { isPrecached: true }));
}

/** Rejects if its script cannot be fetched. */
function startWorker(): Promise<EnginePort> {
  const worker = new Worker(new URL("./engine-worker.ts", import.meta.url), { type: "module" });
  const port: EnginePort = {
    onmessage: null,
    postMessage: (request) => worker.postMessage(request),
    close: () => worker.terminate(),
  };
  return new Promise((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<EngineMessage>) => {
      if (event.data === "ready") resolve(port);
      else port.onmessage?.(event);
    };
    worker.onerror = () => {
      worker.terminate();
      reject(new Error("the engine's worker cannot be started"));
    };
  });
}
