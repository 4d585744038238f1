import { request } from "node:http";
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
  readonly cookies: string;
}

interface HonestLogins {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Of all logins, those that succeeded within three seconds. */
  readonly promptShare: number;
}

/** Players log in one after the other, each from its own address, with cookies of known devices. */
export async function measureLogins(
  target: LoginTarget,
  players: readonly Credentials[],
  pauseMs: number,
  cookies: readonly string[] = [],
): Promise<HonestLogins & { readonly cookies: readonly string[] }> {
  const logins = players.map(async (player, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * pauseMs));
    const startedMs = performance.now();
    const answer = await logIn(target, player, toLoopback(target.network, index), cookies[index] ?? "");
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

function logIn({ url, origin }: LoginTarget, form: Credentials, localAddress: string, cookie: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", origin, cookie };
    const sent = request(
      new URL("/api/login", url),
      { method: "POST", localAddress, headers, agent: false },
      (response) => {
        response.resume();
        response.on("error", reject);
        response.on("end", () => {
          const cookies = (response.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
          resolve({ status: response.statusCode ?? 0, cookies });
        });
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(form));
  });
}
