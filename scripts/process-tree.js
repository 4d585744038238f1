/**
 * Runs commands one after the other, and ends the running one with everything that it has started
 * when this process is told to end. Plain JavaScript, because it runs before the packages exist.
 */
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import process from "node:process";
import { setTimeout } from "node:timers/promises";

/** @typedef {{ readonly pid: number, readonly parent: number, readonly group: number }} Entry */

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** Servers end their databases in this time. */
const GRACE_MS = 4_000;
/** Until databases have ended whose servers were killed. */
const REST_MS = 3_000;
const LOOK_EVERY_MS = 50;

/** In the environment of all that is started here: finds what has lost its parent and its group. */
const MARK = "HOLO_PROCESS_TREE";
const mark = randomUUID();

/** @type {number | null} */
let running = null;
let isEnding = false;

/**
 * From now on these signals end the running command, and then this process.
 * @param {number} [graceMs] how long processes may take to end in order
 */
export function endOnSignals(graceMs = GRACE_MS) {
  for (const signal of SIGNALS) {
    process.on(signal, async () => {
      if (isEnding) return;
      isEnding = true;
      if (running !== null) await endTree(running, graceMs);
      process.exit(128 + constants.signals[signal]);
    });
  }
}

/**
 * Resolves with the exit code, or null if there is none; never after the order to end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<number | null>}
 */
export function run(command, args, options) {
  return new Promise((resolve) => {
    if (isEnding) return;
    // In a group of its own, which a terminal's Ctrl-C does not reach: only `endTree` ends it.
    const env = { ...(options.env ?? process.env), [MARK]: mark };
    const child = spawn(command, args, { ...options, env, detached: process.platform !== "win32" });
    running = child.pid ?? null;
    /** @param {number | null} status */
    const end = (status) => {
      if (isEnding) return;
      running = null;
      resolve(status);
    };
    child.once("error", () => end(null));
    child.once("exit", end);
  });
}

/**
 * Ends a process and all that it started, also what has left its group or has lost its parent.
 * @param {number} root
 * @param {number} graceMs
 */
async function endTree(root, graceMs) {
  if (process.platform === "win32") return void spawnSync("taskkill", ["/pid", String(root), "/t", "/f"]);
  // A runner replaces workers that end: it waits until it is killed.
  send(root, "SIGSTOP");
  const known = new Set([root]);
  const told = new Set([root]);
  /** @param {number} forMs */
  const waitForAll = async (forMs) => {
    const untilMs = performance.now() + forMs;
    for (;;) {
      const living = findLiving(known).filter(({ pid }) => pid !== root);
      for (const { pid } of living) if (!told.has(pid)) send(pid, "SIGTERM");
      for (const { pid } of living) told.add(pid);
      if (living.length === 0 || performance.now() > untilMs) return;
      await setTimeout(LOOK_EVERY_MS);
    }
  };
  await waitForAll(graceMs);
  // First the runner and its workers: a database waits for its clients before it ends in order.
  for (const { pid, group } of findLiving(known)) if (group === root) send(pid, "SIGKILL");
  await waitForAll(REST_MS);
  for (const { pid } of findLiving(known)) send(pid, "SIGKILL");
}

/**
 * Adds to `known` what descends from it, and returns those of it that live.
 * @param {Set<number>} known
 */
function findLiving(known) {
  const all = listProcesses();
  for (const { pid } of all) if (isMarked(pid)) known.add(pid);
  for (let before = -1; before !== known.size; ) {
    before = known.size;
    for (const { pid, parent, group } of all) if (known.has(parent) || known.has(group)) known.add(pid);
  }
  return all.filter(({ pid }) => known.has(pid));
}

/** @param {number} pid */
function isMarked(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`${MARK}=${mark}\0`);
  } catch {
    return false;
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Without processes that only wait to be collected.
 * @returns {readonly Entry[]}
 */
function listProcesses() {
  if (process.platform === "linux") return readdirSync("/proc").flatMap(readEntry);
  const { stdout } = spawnSync("ps", ["-axo", "pid=,ppid=,pgid=,state="], { encoding: "utf8" });
  return [...stdout.matchAll(/^ *(\d+) +(\d+) +(\d+) +([^Z\s]\S*)$/gm)].map(([, pid, parent, group]) => ({
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
  }));
}

/**
 * @param {string} name
 * @returns {readonly Entry[]}
 */
function readEntry(name) {
  if (!/^\d+$/.test(name)) return [];
  try {
    // The command's name may contain spaces and parentheses.
    const [state, parent, group] = readFileSync(`/proc/${name}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return state === "Z" || state === "X" ? [] : [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
  } catch {
    return [];
  }
}
