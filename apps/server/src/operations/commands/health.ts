/** `holo health`: exits 0 if the server here answers and can write. Containers have no curl. */
import process from "node:process";
import type { CommandContext } from "../command.ts";

export const failure = "the server is not ready";

export async function run({ print }: CommandContext): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`);
  print(status === 200 ? "ready" : failure);
  return status === 200 ? 0 : 1;
}
