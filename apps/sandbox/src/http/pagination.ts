import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type Answer, invalid } from "./answer.ts";
import type { JsonObject } from "./json.ts";

interface Page<Item> {
  readonly items: readonly Item[];
  readonly meta: JsonObject;
}

interface Listed {
  readonly status: string;
  readonly createdAt: number;
}

const PER_PAGE = 50;

function parseCount(text: string | null, standIn: number): number {
  const count = Number(text ?? standIn);
  return Number.isSafeInteger(count) && count > 0 ? count : standIn;
}

export function toPage<Item extends Listed>(all: readonly Item[], query: URLSearchParams): Result<Page<Item>, Answer> {
  for (const name of ["from", "to"]) {
    const text = query.get(name);
    if (text !== null && Number.isNaN(Date.parse(text))) {
      return refuse(invalid(`Invalid '${name}' date`, "Send the date in ISO 8601"));
    }
  }
  const status = query.get("status");
  const from = Date.parse(query.get("from") ?? "");
  const to = Date.parse(query.get("to") ?? "");
  const found = all.filter(
    (item) => (status === null || item.status === status) && !(item.createdAt < from) && !(item.createdAt > to),
  );
  const perPage = parseCount(query.get("perPage"), PER_PAGE);
  const page = parseCount(query.get("page"), 1);
  const skipped = (page - 1) * perPage;
  return ok({
    items: found.slice(skipped, skipped + perPage),
    meta: { total: found.length, skipped, perPage, page, pageCount: Math.ceil(found.length / perPage) },
  });
}
