import { LIMIT_KINDS, type LimitsView } from "@holo/protocol/limit-views.ts";

/** The limits as they are at `now` (ms since 1970): what was to come by then has come, what was to end has ended. */
export function toLimitsAt(limits: LimitsView, now: number): LimitsView {
  const changed = { ...limits };
  for (const kind of LIMIT_KINDS) {
    const { next } = limits[kind];
    if (next !== null && next.at <= now) changed[kind] = { value: next.value, next: null };
  }
  const { excludedUntil } = limits;
  return { ...changed, excludedUntil: excludedUntil !== null && excludedUntil > now ? excludedUntil : null };
}

/** When they are not as they are at `now` any more; null where nothing is to come. */
export function toChangeAt(limits: LimitsView, now: number): number | null {
  const moments = [...LIMIT_KINDS.map((kind) => limits[kind].next?.at ?? null), limits.excludedUntil];
  const ahead = moments.filter((at) => at !== null && at > now) as number[];
  return ahead.length === 0 ? null : Math.min(...ahead);
}
