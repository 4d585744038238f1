import { isIP } from "node:net";
import { z } from "zod";

/** What examples and templates contain in place of a value. */
const PLACEHOLDER =
  /\.\.\.|…|<[^>]*>|^example$|(?<![a-z0-9])((change|replace)[-_ ]?(me|this)|(your|example)[-_ ]?(domain|e?mail|host|key|name|password|secret|server|site)|placeholder|to-?do|x{3,12})(?![a-z0-9])/i;
const QUOTED = /^(["']).*\1$/s;
const EMAIL = /^[^\s@,<>]+@[^\s@,<>]+\.[^\s@,<>]+$/;
/** Reserved for documentation and tests (RFC 2606): no one reads mail there. */
const RESERVED_EMAIL = /[@.](example\.(com|net|org)|example|test|invalid|localhost)$/i;
/** These may name no host: the database or folder is on this machine. */
const HOSTLESS = ["postgres:", "postgresql:", "file:"];

/** It may be in quotes: a secret in use cannot change. */
export const secret = z
  .string("is missing")
  // What else is wrong with a placeholder does not matter.
  .refine((value) => !PLACEHOLDER.test(value), { abort: true, error: "is a placeholder: write the real value" });

/** A shell removes quotes and Podman keeps them. */
export const text = secret.refine((value) => !QUOTED.test(value), {
  abort: true,
  error: "is in quotes, which count as part of the value: write it without them",
});

export function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return text
    .regex(/^\d{1,5}$/, { abort: true, error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
}

export const port = whole(0, 65_535);

/** True for the first of the two words. */
export function choice(yes: string, no: string) {
  return text
    .refine((value) => value === yes || value === no, `must be ${yes} or ${no}`)
    .transform((value) => value === yes);
}

export function list(isItem: (item: string) => boolean, error: string) {
  return text
    .transform((value) => value.split(",").flatMap((item) => item.trim() || []))
    .refine((items) => items.length > 0 && items.every(isItem), error);
}

export const host = text.refine(
  (value) => isIP(value) !== 0 || value === "localhost",
  "must be an address of this machine",
);

export function email(acceptsReserved: boolean) {
  return text
    .regex(EMAIL, { abort: true, error: "must be an e-mail address" })
    .refine(
      (value) => acceptsReserved || !RESERVED_EMAIL.test(value),
      "must not be at a reserved domain such as example.com",
    )
    .toLowerCase();
}

export function url(...protocols: readonly string[]) {
  return text.superRefine((value, context) => {
    const message = findUrlFault(value, protocols);
    if (message !== null) context.addIssue({ code: "custom", message, continue: false });
  });
}

function findUrlFault(value: string, protocols: readonly string[]): string | null {
  const protocol = protocols.find((one) => value.toLowerCase().startsWith(one));
  if (protocol === undefined || (protocol !== "file:" && !value.startsWith("//", protocol.length)))
    return `must be a URL that begins with ${protocols.join("// or ")}//`;
  if (namesSeveralHosts(value)) return "names several hosts: name one address, which moves with the service";
  const isUrl = URL.canParse(value) && hasReadableUser(new URL(value));
  if (lacksHost(value) && !(isUrl && HOSTLESS.includes(protocol))) return "names no host";
  return isUrl ? null : "is not a valid URL: URL-encode user and password, for example / as %2F";
}

/** With its port, and without its user. */
function readHost(value: string): string {
  const authority = /\/\/([^/?#]*)/.exec(value)?.[1] ?? "";
  return authority.slice(authority.lastIndexOf("@") + 1);
}

/** PostgreSQL's library, ours and NATS's client choose none of them. */
function namesSeveralHosts(value: string): boolean {
  const asked = URL.canParse(value) ? new URL(value).searchParams.getAll("host") : [];
  return `${readHost(value)} ${asked.join(" ")}`.includes(",");
}

/** True for `smtps://` and `smtps://user@:465`. `URL` accepts the first. */
function lacksHost(value: string): boolean {
  return /^(:\d*)?$/.test(readHost(value));
}

/** NATS gets user and password decoded. PostgreSQL's and the mail library accept a lone %. */
function hasReadableUser({ protocol, username, password }: URL): boolean {
  const isNats = protocol === "nats:" || protocol === "tls:";
  return !isNats || [username, password].every((part) => part === "" || decode(part) !== "");
}

/** Empty if it cannot be decoded. */
export function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    if (error instanceof URIError) return "";
    throw error;
  }
}
