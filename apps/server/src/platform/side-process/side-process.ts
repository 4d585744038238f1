import { type ChildProcess, fork } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Work that would compete with moves runs in a process of lower priority. */
export interface SideProcess<Request, Answer> {
  /** @throws Error if the process ends meanwhile; the next call starts another one */
  ask(request: Request): Promise<Answer>;
  /** Null before the first request. */
  pid(): number | null;
}

export interface Sent {
  readonly id: number;
  readonly content: unknown;
}

interface Waiting<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

interface Started<Answer> {
  readonly child: ChildProcess;
  readonly waiting: Map<number, Waiting<Answer>>;
}

/** Started by the first request. `program` calls `answerRequests`. */
export function openSideProcess<Request, Answer>(
  program: URL,
  { name, env = {} }: { readonly name: string; readonly env?: Readonly<Record<string, string>> },
): SideProcess<Request, Answer> {
  let running: Started<Answer> | null = null;
  let lastId = 0;

  function start(): Started<Answer> {
    // A session of its own, whose weight it lowers. Its last words go to the server's log.
    const child = fork(fileURLToPath(program), {
      env: { ...process.env, ...env },
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      serialization: "advanced",
      detached: true,
    });
    const started: Started<Answer> = { child, waiting: new Map() };
    child.on("message", ({ id, content }: Sent) => {
      // Both sides agree on what a request and its answer are.
      started.waiting.get(id)?.resolve(content as Answer);
      started.waiting.delete(id);
      if (started.waiting.size === 0) child.channel?.unref();
    });
    function fail(error: Error): void {
      if (running === started) running = null;
      for (const { reject } of started.waiting.values()) reject(error);
      started.waiting.clear();
    }
    child.on("error", fail);
    child.on("exit", (code, signal) => fail(new Error(`${name} ended with ${code ?? signal}`)));
    // It ends with its channel, and must not keep this process alive.
    child.unref();
    child.channel?.unref();
    return started;
  }

  return {
    async ask(content) {
      running ??= start();
      const { child, waiting } = running;
      lastId += 1;
      const id = lastId;
      const answer = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }));
      // A failure to send is followed by the end of the process, which rejects.
      child.send({ id, content } satisfies Sent, () => undefined);
      child.channel?.ref();
      return await answer;
    },
    pid: () => running?.child.pid ?? null,
  };
}
