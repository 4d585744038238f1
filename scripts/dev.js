/** Serves with both halves watched: the server starts again when its sources change, Vite serves the pages and hands the rest on to it. */
import { spawn } from "node:child_process";
import process from "node:process";
import { findNode, ROOT, toCommand } from "./runtime.js";

const node = findNode() ?? process.execPath;
const children = [
  ["--watch", "apps/server/src/main.ts"],
  [toCommand("vite/bin/vite.js"), "apps/web"],
].map((command) => spawn(node, command, { cwd: ROOT, stdio: "inherit" }));

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  for (const child of children) child.kill(signal);
}

for (const child of children) child.once("exit", () => stop("SIGTERM"));
process.on("SIGINT", () => stop("SIGINT"));
process.on("SIGTERM", () => stop("SIGTERM"));
