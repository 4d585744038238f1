/** A database that gave no answer in time. */
export class SilentDatabase extends Error {
  override readonly name = "SilentDatabase";
}

/** Classes of PostgreSQL's codes: connections; shutdown, start and crash; too many clients. */
const UNREACHABLE = /^(08...|57P0[1-4]|53300)$/;
/** A full disk; a database that is read-only. */
const UNWRITABLE = /^(53100|25006)$/;
/** The library's own failures, which have no code. */
const LOST =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable)/;
const OF_THE_LIBRARY = /node_modules\/pg(-pool|-protocol)?\//;

interface NetworkError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}

/** Ports, hosts and socket folders of the databases of this process. */
const places = new Set<string | number>();

/** A failure to reach this address is the database's. */
export function noteDatabaseAddress(url: string): void {
  if (!URL.canParse(url)) return;
  const { hostname, port, searchParams } = new URL(url);
  const host = decodeURIComponent(hostname) || (searchParams.get("host") ?? "");
  places.add(host);
  if (!host.startsWith("/")) places.add(Number(port || (searchParams.get("port") ?? 5432)));
}

function isOfDatabase({ syscall, port, address = "", hostname = "", stack = "" }: NetworkError): boolean {
  if (OF_THE_LIBRARY.test(stack)) return true;
  if (syscall === "getaddrinfo") return places.has(hostname);
  const isSocket = address.startsWith("/");
  return syscall === "connect" && (isSocket ? places.has(address.replace(/\/[^/]*$/, "")) : places.has(port ?? -1));
}

export type DatabaseFailure = "unreachable" | "unwritable";

/** What an error, or a cause of it, says about the database; null: nothing. */
export function toDatabaseFailure(error: unknown): DatabaseFailure | null {
  if (!(error instanceof Error)) return null;
  const network: NetworkError = error;
  const { code = "", syscall, message } = network;
  if (UNWRITABLE.test(code)) return "unwritable";
  if (UNREACHABLE.test(code) || LOST.test(message) || error instanceof SilentDatabase) return "unreachable";
  if (syscall !== undefined && isOfDatabase(network)) return "unreachable";
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  for (const one of inner) {
    const found = toDatabaseFailure(one);
    if (found !== null) return found;
  }
  return null;
}
