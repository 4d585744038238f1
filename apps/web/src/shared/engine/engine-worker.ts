/** Searches beside the page, which stays free meanwhile. */
import { doTask, type EngineMessage, type EngineRequest } from "./engine-tasks.ts";

/** TypeScript's WebWorker types conflict with its DOM types. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: { readonly data: EngineRequest }) => void): void;
  postMessage(message: EngineMessage): void;
}

const worker = globalThis as unknown as WorkerScope;
/** The search that runs, or the last one. */
let earlier: Promise<void> = Promise.resolve();

worker.addEventListener("message", ({ data }) => {
  earlier = earlier.then(() => answer(data));
});
worker.postMessage("ready");

async function answer({ id, task }: EngineRequest): Promise<void> {
  try {
    worker.postMessage({ id, result: await doTask(task) });
  } catch (fault) {
    // The page that asked reports it.
    worker.postMessage({ id, fault: String(fault) });
  }
}
