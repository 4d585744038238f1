import type { z } from "zod";
import type { RefusalCode } from "./refusals/refusals.ts";

/**
 * Who may call a route or send a message. `player` is every signed-in person, `admin` includes the
 * CEO. The server refuses everyone else before a handler runs.
 */
export type Access = "anyone" | "player" | "admin" | "ceo";

/** One HTTP route. Schemas are strict: unknown fields are refused. */
export interface Route {
  readonly method: "get" | "post" | "patch";
  /** Parameters in braces: `/api/matches/{id}`. */
  readonly path: string;
  readonly access: Access;
  /**
   * What a visitor is refused with where `access` asks for a session; left out, `login_required` or
   * `access_denied`.
   */
  readonly visitorRefusal?: RefusalCode;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
}

/**
 * A route that answers with a file, or takes one; its handler reads and writes the bytes itself.
 */
export interface FileRoute {
  readonly method: "get" | "post";
  readonly path: string;
  readonly access: Access;
}

/** The read-only type of what a schema produces. */
export type View<Schema extends z.ZodType> = ReadonlyDeep<z.output<Schema>>;

type Scalar = string | number | bigint | boolean | null | undefined;
/** Branded values are scalars too, although they look like objects to the compiler. */
type ReadonlyDeep<Value> = Value extends Scalar ? Value : { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> };
