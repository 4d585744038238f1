import type { z } from "zod";
import type { RefusalCode } from "./refusals/refusals.ts";

/**
 * Who may call a route or send a message. `player` is everyone with a session, `admin` includes the
 * CEO. The server refuses all others before a handler runs.
 */
export type Access = "anyone" | "player" | "admin" | "ceo";

/** One HTTP route. Schemas are strict: unknown fields are refused. */
export interface Route {
  readonly method: "get" | "post" | "patch";
  /** Parameters in braces: `/api/matches/{id}`. */
  readonly path: string;
  readonly access: Access;
  /**
   * The refusal for a visitor where `access` requires a session. Default: `login_required` or
   * `access_denied`.
   */
  readonly visitorRefusal?: RefusalCode;
  /** The handler's refusals besides `COMMON_REFUSALS`, in the order of its checks. */
  readonly refusals: readonly RefusalCode[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
}

/** A route that answers with a file or takes one; its handler reads and writes the bytes. */
export interface FileRoute {
  readonly method: "get" | "post";
  readonly path: string;
  readonly access: Access;
  readonly refusals: readonly RefusalCode[];
}

/** Possible answers of every route, before its handler runs or instead of its answer. */
const COMMON_REFUSALS = [
  "bad_request",
  "too_large",
  "foreign_origin",
  "too_many_requests",
  "unavailable",
  "something_went_wrong",
] as const satisfies readonly RefusalCode[];

type RefusalSource = Pick<Route, "access" | "visitorRefusal" | "refusals">;

/** Every code that a caller of the route may receive. */
export type RefusalOf<Of extends RefusalSource> =
  | (typeof COMMON_REFUSALS)[number]
  | Of["refusals"][number]
  | AccessRefusal<Of["access"], Of["visitorRefusal"]>;

type AccessRefusal<Declared extends Access, VisitorRefusal> = Declared extends "anyone"
  ? never
  : Declared extends "player"
    ? VisitorRefusal extends RefusalCode
      ? VisitorRefusal
      : "login_required"
    : StaffRefusal;

/** In the order of the checks. */
type StaffRefusal = "access_denied" | "second_factor_missing" | "second_factor_required";
const STAFF_REFUSALS: readonly StaffRefusal[] = ["access_denied", "second_factor_missing", "second_factor_required"];

export function listRefusals({ access, visitorRefusal, refusals }: RefusalSource): readonly RefusalCode[] {
  const forAccess = {
    anyone: [],
    player: [visitorRefusal ?? "login_required"],
    admin: STAFF_REFUSALS,
    ceo: STAFF_REFUSALS,
  } as const;
  return [...new Set([...COMMON_REFUSALS, ...forAccess[access], ...refusals])];
}

export type View<Schema extends z.ZodType> = ReadonlyDeep<z.output<Schema>>;

type Scalar = string | number | bigint | boolean | null | undefined;
/** Branded values are scalars too, although they look like objects to the compiler. */
type ReadonlyDeep<Value> = Value extends Scalar ? Value : { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> };
