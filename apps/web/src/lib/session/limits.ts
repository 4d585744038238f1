import { LIMIT_KINDS } from "@holo/protocol/accounts/restriction-terms.ts";
import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";

/** The limits at `now` (ms since 1970): due changes applied, ended exclusions removed. */
export function toLimitsAt(limits: RestrictionsView, now: number): RestrictionsView {
  const changed = { ...limits };
  for (const kind of LIMIT_KINDS) {
    const { next } = limits[kind];
    if (next !== null && next.at <= now) changed[kind] = { value: next.value, next: null };
  }
  const ahead = (at: number | null) => (at !== null && at > now ? at : null);
  const { excludedUntil, excludedFromFreeUntil } = limits;
  return { ...changed, excludedUntil: ahead(excludedUntil), excludedFromFreeUntil: ahead(excludedFromFreeUntil) };
}

/** The next time (ms since 1970) at which the limits change; null for none. */
export function toChangeAt(limits: RestrictionsView, now: number): number | null {
  const moments = [
    ...LIMIT_KINDS.map((kind) => limits[kind].next?.at ?? null),
    limits.excludedUntil,
    limits.excludedFromFreeUntil,
  ];
  const ahead = moments.filter((at) => at !== null && at > now) as number[];
  return ahead.length === 0 ? null : Math.min(...ahead);
}
