import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Config } from "../../config.ts";
import { verifySmtp } from "../../platform/mail/smtp.ts";
import { verifyNats } from "../../platform/servers/nats.ts";
import { type Finding, makeReporter, toReason } from "./finding.ts";

const TIMEOUT_MS = 10_000;
const CLOCK_MS_MAX = 5_000;
const CERTIFICATE_DAYS_MIN = 14;
const DAY_MS = 86_400_000;
const WEBHOOK_PATH = "/api/paystack/webhook";

export async function checkMail({ mode, smtpUrl, dataDir }: Config): Promise<readonly Finding[]> {
  const { ok, fault } = makeReporter("mail");
  if (smtpUrl === null) return [ok(`mails are written to ${dataDir}/outbox`)];
  const { host } = new URL(smtpUrl);
  try {
    await verifySmtp({ url: smtpUrl, requiresTls: mode === "production" });
    return [ok(`${host} accepts the login`)];
  } catch (error) {
    const remedy = "check host, port, user and password of SMTP_URL: without mails no player can verify an address";
    return [fault(`${host} does not take mails: ${toReason(error)}`, remedy)];
  }
}

/** Reads the balance, which changes nothing. The response's date also checks our clock. */
export async function checkProvider({ paystack }: Config): Promise<readonly Finding[]> {
  const { ok, fault } = makeReporter("payment provider");
  if (paystack === null) return [ok("the sandbox, which moves no money")];
  const { host } = new URL(paystack.url);
  try {
    const response = await fetch(`${paystack.url}/balance`, {
      headers: { authorization: `Bearer ${paystack.secretKey}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
    const clock = checkClock(response.headers.get("date"));
    if (response.status === 401 || response.status === 403) {
      return [
        fault(`${host} refuses the key`, "set PAYSTACK_SECRET_KEY to the secret key of the provider's dashboard"),
        ...clock,
      ];
    }
    const body: unknown = await response.json().catch(() => null);
    const isAnswer = typeof body === "object" && body !== null && "status" in body && body.status === true;
    if (!response.ok || !isAnswer) {
      return [
        fault(`${host} answers with status ${response.status}`, "check PAYSTACK_URL, or ask the provider"),
        ...clock,
      ];
    }
    return [ok(`${host} accepts the key`), ...clock];
  } catch (error) {
    const remedy =
      "check PAYSTACK_URL, DNS and the firewall's outgoing connections: no deposit or withdrawal is possible";
    return [fault(`${host} cannot be reached: ${toReason(error)}`, remedy)];
  }
}

function checkClock(date: string | null): readonly Finding[] {
  const elsewhere = Date.parse(date ?? "");
  if (Number.isNaN(elsewhere)) return [];
  const { ok, fault } = makeReporter("clock");
  const offMs = Date.now() - elsewhere;
  const found = `this machine's clock differs by ${Math.round(Math.abs(offMs) / 1_000)} s from the provider's`;
  if (Math.abs(offMs) <= CLOCK_MS_MAX) return [ok(found)];
  return [fault(found, "switch on time synchronization (timedatectl set-ntp true)")];
}

async function loadCertificateDays({ hostname, port }: URL): Promise<number> {
  const socket = connectTls({ host: hostname, port: Number(port || 443), servername: hostname, timeout: TIMEOUT_MS });
  try {
    await once(socket, "secureConnect");
    return (Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS;
  } finally {
    socket.destroy();
  }
}

/** The server derives a key for an unknown address, too, as for every login and registration. */
async function checkLogin(publicUrl: string): Promise<Finding> {
  const { ok, warning, fault } = makeReporter("login");
  const response = await fetch(`${publicUrl}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: publicUrl },
    body: JSON.stringify({ email: `doctor-${randomUUID()}@example.invalid`, password: randomUUID() }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: "manual",
  });
  const text = await response.text();
  if (text.includes("invalid_credentials")) return ok("the server checks passwords");
  const found = `a login with an unknown address is answered with status ${response.status}`;
  if (response.status < 500) return warning(found, "repeat this in a minute; check that the proxy changes no request");
  return fault(
    `${found}: no password can be checked`,
    "look into the server's log, and let its unit start processes of lower priority (deploy/holo-arena.service)",
  );
}

/** The server as players and the provider reach it. */
export async function checkPublicUrl({ publicUrl }: Config): Promise<readonly Finding[]> {
  const { ok, warning, fault } = makeReporter("PUBLIC_URL");
  const ask = (path: string, method: string) =>
    fetch(`${publicUrl}${path}`, {
      method,
      body: method === "POST" ? "{}" : null,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
  try {
    const health = await ask("/healthz", "GET");
    const [, version] = /^ok (\S+)$/.exec(await health.text()) ?? [];
    if (health.status !== 200 || version === undefined) {
      const remedy = "start the server, and let the proxy pass every path of this origin to its PORT";
      return [fault(`${publicUrl} is answered by something else (status ${health.status})`, remedy)];
    }
    const webhook = await ask(WEBHOOK_PATH, "POST");
    // The server refuses an unsigned notice with this code; a proxy does not know it.
    if (!(await webhook.text()).includes("bad_signature")) {
      const remedy = `let the proxy pass POST ${WEBHOOK_PATH} unchanged, and set it as the webhook in the provider's dashboard`;
      return [fault(`the provider's webhook does not reach the server (status ${webhook.status})`, remedy)];
    }
    const findings = [
      ok(`${publicUrl} and its webhook reach the server, which is version ${version}`),
      await checkLogin(publicUrl),
    ];
    if (!publicUrl.startsWith("https:")) return findings;
    const days = Math.floor(await loadCertificateDays(new URL(publicUrl)));
    const found = `the certificate is valid for ${days} more days`;
    return [
      ...findings,
      days < CERTIFICATE_DAYS_MIN ? warning(found, "renew it; check the proxy's renewal") : ok(found),
    ];
  } catch (error) {
    const reason = toReason(error);
    const remedy = /certificate|self.signed|expired|altname/i.test(reason)
      ? "give the proxy a valid certificate for this name"
      : "start the server and the proxy; check DNS, the firewall and the proxy's address of the server";
    return [fault(`${publicUrl} cannot be reached: ${reason}`, remedy)];
  }
}

/** A NATS server introduces itself to every connection. */
export async function checkNats({ nats }: Config): Promise<readonly Finding[]> {
  if (nats === null) return [];
  const { ok, fault } = makeReporter("NATS");
  const { hostname, port, host } = new URL(nats.url);
  const socket = connect({ host: hostname, port: Number(port || 4_222) });
  try {
    const [greeting]: Buffer[] = await once(socket, "data", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!greeting?.toString().startsWith("INFO "))
      return [fault(`${host} is not a NATS server`, "set NATS_URL to the address of NATS")];
  } catch (error) {
    return [fault(`${host} cannot be reached: ${toReason(error)}`, "start NATS, or correct or unset NATS_URL")];
  } finally {
    socket.destroy();
  }
  try {
    await verifyNats(nats);
    return [ok(`${host} accepts this server`)];
  } catch (error) {
    const remedy = "correct user and password in NATS_URL, or NATS_CREDS; for TLS also NODE_EXTRA_CA_CERTS";
    return [fault(`${host} refuses this server: ${toReason(error)}`, remedy)];
  }
}
