import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { Access } from "@holo/protocol/route.ts";
import type { Context } from "hono";
import type { Client, Role, Session } from "../../accounts/accounts.ts";
import type { StaffMember } from "../../admin/admin.ts";
import { type Admission, COST } from "../admission/admission.ts";

interface AnyCaller {
  readonly client: Client;
  charge(requests: number): void;
  /** Null for a visitor. Costs a query. */
  findSession(): Promise<Session | null>;
}

interface PlayerCaller {
  readonly client: Client;
  readonly session: Session;
}

interface StaffCaller extends PlayerCaller {
  /** With the current role. Sensitive actions check it again in their own transaction. */
  readonly staff: StaffMember;
}

export interface Callers {
  readonly anyone: AnyCaller;
  readonly player: PlayerCaller;
  readonly admin: StaffCaller;
  readonly ceo: StaffCaller;
}

export interface AccessDeps {
  readonly toClient: (context: Context) => Client;
  readonly admission: Pick<Admission, "identify" | "trySpend" | "charge">;
  readonly findSession: (cookie: string | undefined) => Promise<Session | null>;
  /** Whether staff without a second factor are refused. Staff with one must use it in any case. */
  readonly requiresStaffCodes: boolean;
}

interface Protected<Asked extends Access> {
  readonly access: Asked;
  readonly visitorRefusal?: RefusalCode;
  /** Anything but `get` is an action. */
  readonly method: string;
}

/** The caller of a request, or why it is refused: too many requests, no session, no role. */
export async function admit<Asked extends Access>(
  context: Context,
  { access, visitorRefusal, method }: Protected<Asked>,
  { toClient, admission, findSession, ...deps }: AccessDeps,
): Promise<Result<Callers[Asked], RefusalCode>> {
  const client = toClient(context);
  const source = admission.identify(client);
  if (!admission.trySpend(source, COST.route)) return refuse("too_many_requests");
  const caller: AnyCaller = {
    client,
    charge: (more) => admission.charge(source, more * COST.route),
    findSession: () => findSession(client.cookie),
  };
  const admitted = await CHECKS[access](caller, { ...deps, isAction: method !== "get" });
  return admitted.ok || visitorRefusal === undefined ? admitted : refuse(visitorRefusal);
}

interface StaffCheck extends Pick<AccessDeps, "requiresStaffCodes"> {
  readonly isAction: boolean;
}

type Check<Asked extends Access> = (
  caller: AnyCaller,
  check: StaffCheck,
) => Promise<Result<Callers[Asked], RefusalCode>>;

const CHECKS: { readonly [Asked in Access]: Check<Asked> } = {
  anyone: async (caller) => ok(caller),
  async player({ client, findSession }) {
    const session = await findSession();
    return session === null ? refuse("login_required") : ok({ client, session });
  },
  admin: (caller, check) => admitStaff(caller, ["admin", "ceo"], check),
  ceo: (caller, check) => admitStaff(caller, ["ceo"], check),
};

/** Visitors and players get the same refusal. */
async function admitStaff(
  { client, findSession }: AnyCaller,
  roles: readonly Role[],
  { requiresStaffCodes, isAction }: StaffCheck,
): Promise<Result<StaffCaller, RefusalCode>> {
  const session = await findSession();
  if (session === null || session.role === null || !roles.includes(session.role)) return refuse("access_denied");
  if (requiresStaffCodes && !session.secondFactor.isOn) return refuse("second_factor_missing");
  if (!hasCode(session, isAction ? ACTION_CODE_LIFE_MS : READ_CODE_LIFE_MS)) return refuse("second_factor_required");
  return ok({ client, session, staff: { id: session.player.id, role: session.role } });
}

/** Ruling 40: staff actions and withdrawals need a code of the last minutes. */
export const ACTION_CODE_LIFE_MS = 15 * MINUTE_MS;
/** A working day: staff read personal data. */
const READ_CODE_LIFE_MS = 12 * 60 * MINUTE_MS;

/** Whether the session has given a code lately. True for players without a second factor. */
export function hasCode({ secondFactor: { isOn, confirmedMs } }: Session, lifeMs: number): boolean {
  return !isOn || (confirmedMs !== null && confirmedMs <= lifeMs);
}
