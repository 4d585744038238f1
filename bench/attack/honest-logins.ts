import { request } from "node:http";
import { solveTestChallenge } from "../../apps/server/src/accounts/testing/solve-test-challenge.ts";
import { quantile } from "../statistics.ts";

/** A server on loopback. Attackers and players come from addresses of 127.0.0.0/8. */
export interface LoginTarget {
  readonly url: string;
  readonly origin: string;
  readonly network: number;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface Answer {
  readonly status: number;
  readonly body: { readonly code?: string; readonly challenge?: string; readonly bits?: number };
  readonly cookies: string;
}

interface HonestLogins {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Of all logins, those that succeeded within three seconds. */
  readonly promptShare: number;
}

/**
 * Players log in one after the other, each from its own address, and compute a proof if asked for
 * one. `cookies` are of known devices, by player.
 */
export async function measureLogins(
  target: LoginTarget,
  players: readonly Credentials[],
  pauseMs: number,
  cookies: readonly string[] = [],
): Promise<HonestLogins & { readonly cookies: readonly string[] }> {
  const logins = players.map(async (player, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * pauseMs));
    const startedMs = performance.now();
    const answer = await logIn(target, player, toLoopback(target.network, index), cookies[index] ?? "", true);
    return { ms: performance.now() - startedMs, ...answer };
  });
  const done = await Promise.all(logins);
  const times = done.map(({ ms, status }) => (status === 200 ? ms : Number.POSITIVE_INFINITY));
  return {
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    promptShare: times.filter((ms) => ms <= PROMPT_MS).length / times.length,
    cookies: done.map((answer) => answer.cookies),
  };
}

const PROMPT_MS = 3_000;

function toLoopback(net: number, index: number): string {
  return `127.${net}.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}

async function logIn(target: LoginTarget, form: Credentials, from: string, cookie: string, solves: boolean) {
  const answer = await send(target, "POST", "/api/login", from, cookie, form);
  if (answer.body.code !== "work_required" || !solves) return answer;
  const { challenge = "", bits = 0 } = (await send(target, "GET", "/api/challenge", from, cookie)).body;
  return await send(target, "POST", "/api/login", from, cookie, {
    ...form,
    proof: solveTestChallenge({ challenge, bits }),
  });
}

function send(
  { url, origin }: LoginTarget,
  method: string,
  path: string,
  localAddress: string,
  cookie: string,
  body?: object,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", origin, cookie };
    const sent = request(new URL(path, url), { method, localAddress, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const cookies = (response.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
        resolve({
          status: response.statusCode ?? 0,
          body: JSON.parse(Buffer.concat(chunks).toString("utf8")),
          cookies,
        });
      });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
