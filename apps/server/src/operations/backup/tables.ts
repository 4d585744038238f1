import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

/**
 * Of running servers, of migrations, and what means nothing after a restore. With the secret,
 * limits would tell who tried to log in from where.
 */
const NOT_BACKED_UP: readonly string[] = [
  "server_lease",
  "kysely_migration",
  "kysely_migration_lock",
  "migrations_online",
  "function_texts",
  "rate_limits",
  "online_players",
  "backups",
];

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The tables, referenced ones before those that reference them. */
export async function listTables(queries: Queries): Promise<readonly Table[]> {
  const { rows } = await sql<Table & { readonly referenced: readonly string[] }>`
    select pg_class.relname as name,
      array(select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      array(select other.relname::text from pg_constraint join pg_class other on other.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> pg_class.oid) as referenced
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and relkind = 'r' and relname <> all (${[...NOT_BACKED_UP]})
    order by pg_class.relname`.execute(queries);
  const left = new Map(rows.map((row) => [row.name, row]));
  const sorted: Table[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(({ referenced }) => !referenced.some((other) => left.has(other)));
    if (free.length === 0) throw new Error(`tables reference one another in a circle: ${[...left.keys()].join(", ")}`);
    for (const { name, columns } of free) {
      left.delete(name);
      sorted.push({ name, columns });
    }
  }
  return sorted;
}

/** Sequences that have given out a value. They may be ahead of the snapshot, which is harmless. */
export async function listSequences(
  queries: Queries,
): Promise<readonly { readonly name: string; readonly lastValue: string }[]> {
  const { rows } = await sql<{ readonly name: string; readonly lastValue: string }>`
    select sequencename::text as name, last_value::text as "lastValue" from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`.execute(queries);
  return rows;
}

/** `"name" ("column", …)`, as COPY takes it. */
export function toTarget({ name, columns }: Table): string {
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return `${quote(name)} (${columns.map(quote).join(", ")})`;
}

/**
 * Empties the tables and disables their own triggers while `load` runs: the rows passed them once
 * already. Foreign keys remain enabled.
 */
export async function replaceRows(tx: Tx, tables: readonly Table[], load: () => Promise<void>): Promise<void> {
  const setTriggers = async (isOn: boolean): Promise<void> => {
    for (const { name } of tables) {
      await sql`alter table ${sql.table(name)} ${sql.raw(isOn ? "enable" : "disable")} trigger user`.execute(tx);
    }
  };
  // Trigger events deferred to the commit would block the change of triggers.
  await sql`set constraints all immediate`.execute(tx);
  await setTriggers(false);
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx);
  await load();
  await setTriggers(true);
}
