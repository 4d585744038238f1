const COUNT = new Intl.NumberFormat("en-GB");
const RATE = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const BYTES_PER_MB = 1_000_000;
const SECOND_MS = 1_000;
/** Shown while a figure loads, and if the answering server does not count it. */
const UNKNOWN = "–";

type Figure = number | null | undefined;

export function formatCount(count: Figure): string {
  return count == null ? UNKNOWN : COUNT.format(count);
}

export function formatConnections(count: Figure): string {
  return `${formatCount(count)} connection${count === 1 ? "" : "s"}`;
}

/** The servers that a figure covers. */
export function formatServers(count: Figure): string {
  return `${formatCount(count)} server${count === 1 ? "" : "s"}`;
}

/** A small rate is "under 0.1", not 0. */
export function formatRate(perSecond: Figure): string {
  if (perSecond == null) return UNKNOWN;
  return perSecond > 0 && perSecond < 0.1 ? "under 0.1" : RATE.format(perSecond);
}

export function formatMoveTime(ms: Figure): string {
  if (ms == null) return UNKNOWN;
  if (ms >= SECOND_MS) return `${RATE.format(ms / SECOND_MS)} s`;
  return `${ms < 10 ? RATE.format(ms) : Math.round(ms)} ms`;
}

export function formatMemory(bytes: Figure): string {
  return bytes == null ? UNKNOWN : `${COUNT.format(Math.round(bytes / BYTES_PER_MB))} MB`;
}
