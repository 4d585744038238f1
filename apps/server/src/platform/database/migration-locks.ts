/** A migration as its file exports it. */
export interface MigrationText {
  readonly up: string;
  readonly online?: readonly string[];
}

/** They stay small, whatever is played. */
const SMALL_TABLES: ReadonlySet<string> = new Set([
  "servers",
  "nodes",
  "outages",
  "server_lease",
  "setting_changes",
  "app_versions",
]);

/** Without comments, texts and function bodies, in lower case. */
function toStatements(sql: string): readonly string[] {
  return sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/--.*$/gm, "")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .toLowerCase()
    .split(";")
    .map((statement) => statement.replace(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");
}

/** At commas outside parentheses. */
function splitActions(text: string): readonly string[] {
  const actions = [""];
  let depth = 0;
  for (const char of text) {
    depth += char === "(" ? 1 : char === ")" ? -1 : 0;
    if (char === "," && depth === 0) actions.push("");
    else actions[actions.length - 1] += char;
  }
  return actions.map((action) => action.trim());
}

/** What an action of `alter table` does to all rows while it keeps others out; null for nothing. */
function findInAction(action: string, table: string, notNull: ReadonlySet<string>): string | null {
  if (action.startsWith("add constraint") || /^add (check|unique|primary|foreign|exclude)/.test(action)) {
    if (/ using index /.test(`${action} `)) return null;
    if (/\b(unique|primary key|exclude)\b/.test(action)) return "builds an index: build it online, then use it";
    return action.endsWith("not valid") ? null : "checks every row: add it as not valid and validate it online";
  }
  if (action.startsWith("add")) {
    if (/\b(identity|stored|serial|bigserial|smallserial)\b/.test(action)) return "writes every row";
    if (/\b(unique|primary key)\b/.test(action)) return "builds an index: build it online, then use it";
    if (/\bdefault [^,]*\(/.test(action)) return "may write every row: give the column a constant default";
    if (/\b(check|references)\b/.test(action)) return "checks every row: add a constraint that is not valid";
    return null;
  }
  if (/^alter (column )?\S+ (set data )?type /.test(action)) return "writes every row: fill another column instead";
  const required = /^alter (?:column )?(\S+) set not null/.exec(action)?.[1];
  if (required !== undefined && !notNull.has(`${table} ${required}`))
    return "checks every row: validate a check (… is not null) first";
  if (action.startsWith("validate")) return "checks every row while earlier statements keep others out: do it online";
  return null;
}

/** Columns that a validated check of these migrations keeps from being null, as "table column". */
function listNotNull(migrations: readonly MigrationText[]): ReadonlySet<string> {
  const checks = new Map<string, string>();
  const found = new Set<string>();
  for (const statement of migrations.flatMap(({ up, online = [] }) => [up, ...online].flatMap(toStatements))) {
    const [, table, rest = ""] = /^alter table (?:only )?(\S+) (.*)$/.exec(statement) ?? [];
    const [, name, column] = /^add constraint (\S+) check \((\S+) is not null\) not valid/.exec(rest) ?? [];
    if (name !== undefined) checks.set(`${table} ${name}`, `${table} ${column}`);
    const validated = checks.get(`${table} ${/^validate constraint (\S+)/.exec(rest)?.[1]}`);
    if (validated !== undefined) found.add(validated);
  }
  return found;
}

/**
 * Statements of the last migration that keep players waiting on a big table: all of `up` is one
 * transaction, which holds its locks to the end. A table that it creates is empty.
 */
export function findLockingStatements(migrations: readonly MigrationText[]): readonly string[] {
  const last = migrations.at(-1);
  if (last === undefined) return [];
  const notNull = listNotNull(migrations);
  const statements = toStatements(last.up);
  const created = new Set(statements.map((text) => /^create table (?:if not exists )?(\S+)/.exec(text)?.[1]));
  const isBig = (table: string | undefined): table is string =>
    table !== undefined && !created.has(table) && !SMALL_TABLES.has(table);
  const found: string[] = [];
  const say = (statement: string, what: string): void => void found.push(`"${statement.slice(0, 90)}" ${what}`);
  for (const statement of statements) {
    const index = /^create (?:unique )?index .*?\bon (?:only )?([^\s(]+)/.exec(statement);
    if (isBig(index?.[1])) say(statement, "keeps writers out: build it concurrently, online");
    const altered = /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/.exec(statement);
    if (isBig(altered?.[1]))
      for (const action of splitActions(altered?.[2] ?? "")) {
        const what = findInAction(action, altered![1]!, notNull);
        if (what !== null) say(statement, what);
      }
    const written = /^(?:update|delete from) (?:only )?(\S+)/.exec(statement)?.[1];
    if (isBig(written)) say(statement, "locks the rows that it writes: let the server do it in parts");
    if (/^(lock|cluster|vacuum|reindex|truncate)\b/.test(statement)) say(statement, "keeps others out");
  }
  for (const statement of (last.online ?? []).flatMap(toStatements)) {
    const isAllowed =
      /^create (unique )?index concurrently if not exists /.test(statement) ||
      /^drop index concurrently if exists /.test(statement) ||
      /^alter table \S+ (validate constraint \S+|alter (column )?\S+ set not null)$/.test(statement);
    if (!isAllowed) say(statement, "must be part of up: only what keeps no one out and can be repeated is online");
  }
  return found;
}
