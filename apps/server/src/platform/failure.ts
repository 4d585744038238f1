/** Credentials of a URL, which a library may repeat in its message. */
const CREDENTIALS = /(\w:\/\/)[^\s/]*@/g;

function listReasons(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)];
  const causes = error.cause === undefined ? [] : listReasons(error.cause);
  // Node reports the refused addresses of a name in an error without a message.
  const others = error instanceof AggregateError ? [error.errors.map(toFailureText).join("; ")] : [];
  const own = error.message || (others.length + causes.length === 0 ? error.name : "");
  return [own, ...others, ...causes].filter((reason) => reason !== "");
}

/** One line for an operator: the message, the failures it collects, and the causes. */
export function toFailureText(error: unknown): string {
  return [...new Set(listReasons(error))].join(": ").replace(CREDENTIALS, "$1");
}

const DISK_FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Node's errors, PostgreSQL's (53100), and what its programs print about a full disk. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string" && (DISK_FULL.has(code) || code === "53100")) return true;
  return /No space left on device|Check free disk space|File too large/.test(error.message);
}
