import { toFailureText } from "../failure.ts";

interface Target {
  readonly place: string;
  readonly user: string;
  readonly name: string;
}

function toTarget(url: string): Target {
  const { host, username, pathname, searchParams } = new URL(url);
  return {
    place: host === "" ? (searchParams.get("host") ?? "this machine") : host,
    user: decodeURIComponent(username),
    name: decodeURIComponent(pathname.slice(1)),
  };
}

type Explain = (target: Target) => string;

const WRONG_LOGIN: Explain = ({ user, place }) =>
  `${place} refuses user ${user} or the password: correct them, URL-encoded, for example / as %2F`;
const NO_ANSWER: Explain = ({ place }) =>
  `${place} does not answer: correct host and port, or let the firewall and PostgreSQL's listen_addresses allow this machine`;
const UNKNOWN_HOST: Explain = ({ place }) => `the host of ${place} is unknown: correct it, or check DNS`;

/** By the code of PostgreSQL or of the system. */
const BY_CODE: Readonly<Record<string, Explain>> = {
  "28P01": WRONG_LOGIN,
  "28000": ({ user, place }) =>
    `${place} does not let user ${user} in from this machine: correct the user, or allow it in pg_hba.conf`,
  "3D000": ({ name, place }) => `${place} has no database ${name}: create it (createdb ${name}), or correct the name`,
  "42501": ({ user, name }) => `user ${user} may not create tables in ${name}: alter database ${name} owner to ${user}`,
  "25006": ({ place }) => `${place} is read-only, as a standby is: name the primary`,
  "53300": ({ place }) => `${place} has no free connection: raise max_connections, or end other programs`,
  "57P03": ({ place }) => `${place} is starting or stopping: start this server again in a moment`,
  ECONNREFUSED: ({ place }) => `nothing listens at ${place}: start PostgreSQL, or correct host and port`,
  ENOENT: ({ place }) => `no PostgreSQL listens in ${place}: start it, or correct the socket's folder`,
  EACCES: ({ place }) => `this user may not open the socket in ${place}: add it to PostgreSQL's group, or use TCP`,
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  ETIMEDOUT: NO_ANSWER,
  EHOSTUNREACH: NO_ANSWER,
  ENETUNREACH: NO_ANSWER,
};

/** Failures of the library, which have no code. */
const BY_TEXT: readonly (readonly [RegExp, Explain])[] = [
  [/timeout|terminated/i, NO_ANSWER],
  [/password must be a/, ({ user, place }) => `${place} wants a password for user ${user}: write it into the URL`],
  [/SSL|TLS|certificate/i, ({ place }) => `${place} and this server do not agree about TLS: set sslmode in the URL`],
];

function findExplanation(error: unknown): Explain | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error ? String(error.code) : "";
  const inner = error instanceof AggregateError ? error.errors.map(findExplanation).find((one) => one) : undefined;
  return BY_CODE[code] ?? inner ?? BY_TEXT.find(([text]) => text.test(error.message))?.[1];
}

/** Names variable and remedy if the database of this URL cannot be used, without its password. */
export function explainConnectionFault(error: unknown, url: string): unknown {
  const explain = findExplanation(error);
  if (explain === undefined) return error;
  return new Error(`DATABASE_URL: ${explain(toTarget(url))} (${toFailureText(error)})`);
}
