/** Runs the server with restart on changes, and Vite, which proxies to it. */
import { spawn } from "node:child_process";
import process from "node:process";
import { findNode, ROOT, toCommand } from "./runtime.js";

const node = findNode() ?? process.execPath;
const pagesPort = "5173";
const env = {
  ...process.env,
  // Vite serves the pages, so requests and sockets carry its origin.
  PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${pagesPort}`,
  SERVER_URL: `http://localhost:${process.env.PORT ?? "3000"}`,
};
const children = [
  ["--watch", "apps/server/src/main.ts"],
  [toCommand("vite/bin/vite.js"), "apps/web", "--port", pagesPort, "--strictPort"],
].map((command) => spawn(node, command, { cwd: ROOT, env, stdio: "inherit" }));

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  for (const child of children) child.kill(signal);
}

for (const child of children) child.once("exit", () => stop("SIGTERM"));
process.on("SIGINT", () => stop("SIGINT"));
process.on("SIGTERM", () => stop("SIGTERM"));
