import { expect, it } from "vitest";
import { explainConnectionFault } from "./connection-fault.ts";

const URL = "postgres://ada:hunter2@db.internal:5433/arena";

const fail = (code: string, message = "it failed") => Object.assign(new Error(message), { code });

// [OPS-53 §-] A server that cannot use its database or its port says so in one line: the variable, the reason and the
// remedy, without a password. It has prepared nothing then.
it.each([
  ["a wrong password", fail("28P01"), /^DATABASE_URL: db\.internal:5433 refuses user ada .* URL-encoded/],
  ["a user that may not connect", fail("28000"), /user ada .* pg_hba\.conf/],
  ["an unknown database", fail("3D000"), /no database arena: create it/],
  ["missing rights", fail("42501"), /alter database arena owner to ada/],
  ["a standby", fail("25006"), /read-only, as a standby is: name the primary/],
  ["a refused connection", fail("ECONNREFUSED"), /nothing listens at db\.internal:5433: start PostgreSQL/],
  ["addresses that all refuse", new AggregateError([fail("ECONNREFUSED"), fail("ECONNREFUSED")]), /nothing listens at/],
  ["an unknown host", fail("ENOTFOUND"), /the host of db\.internal:5433 is unknown/],
  ["an address without an answer", new Error("timeout expired"), /does not answer: .*firewall .*listen_addresses/],
  ["a missing password", new Error("client password must be a string"), /wants a password for user ada/],
  ["a server without TLS", new Error("The server does not support SSL connections"), /about TLS: set sslmode/],
])("names variable and remedy for %s, and no password [OPS-53]", (_what, error, words) => {
  const explained = explainConnectionFault(error, URL) as Error;
  expect(explained.message).toMatch(words);
  expect(explained.message).toMatch(/^DATABASE_URL: /);
  expect(explained.message).not.toContain("hunter2");
});

it("leaves other failures as they are", () => {
  const error = fail("23505");
  expect(explainConnectionFault(error, URL)).toBe(error);
});
