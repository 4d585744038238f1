import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { ReleasePlatform } from "@holo/protocol/release-terms.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries, Tx } from "../platform/database/database.ts";
import { type Release, toFileName } from "./release.ts";

interface Row {
  readonly id: string;
  readonly platform: ReleasePlatform;
  readonly version: string;
  readonly size_bytes: bigint;
  readonly sha256: string;
  readonly uploaded_by: PlayerId;
  readonly uploaded_at: bigint;
  readonly is_current: boolean;
  readonly removed_at: bigint | null;
}

const RELEASES_LOCK = 0x52656c65;

const COLUMNS = sql`id, platform, version, size_bytes, sha256, uploaded_by, uploaded_at, is_current, removed_at`;

function toRelease({ id, platform, version, size_bytes, sha256, uploaded_by, uploaded_at, is_current }: Row): Release {
  return {
    id,
    platform,
    version,
    sizeBytes: Number(size_bytes),
    sha256,
    uploadedBy: uploaded_by,
    uploadedAt: toInstant(Number(uploaded_at)),
    isCurrent: is_current,
  };
}

async function loadRows(queries: Queries, condition: RawBuilder<unknown>): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from app_versions where ${condition} order by uploaded_at desc, id`.execute(queries);
  return rows;
}

export async function lockReleases(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${RELEASES_LOCK})`.execute(tx);
}

export async function loadCurrent(queries: Queries): Promise<readonly Release[]> {
  return (await loadRows(queries, sql`is_current`)).map(toRelease);
}

/** Newest first. */
export async function loadStored(queries: Queries): Promise<readonly Release[]> {
  return (await loadRows(queries, sql`removed_at is null`)).map(toRelease);
}

export async function findStored(queries: Queries, id: string): Promise<Release | null> {
  const [row] = await loadRows(queries, sql`id = ${id} and removed_at is null`);
  return row === undefined ? null : toRelease(row);
}

export async function findStoredByName(queries: Queries, fileName: string): Promise<Release | null> {
  const [row] = await loadRows(queries, sql`file_name = ${fileName} and removed_at is null`);
  return row === undefined ? null : toRelease(row);
}

/** The release with this version, stored or removed: versions are never reused. */
export async function findVersion(
  queries: Queries,
  { platform, version }: Pick<Release, "platform" | "version">,
): Promise<{ readonly release: Release; readonly isKept: boolean } | null> {
  const [row] = await loadRows(queries, sql`platform = ${platform} and version = ${version}`);
  return row === undefined ? null : { release: toRelease(row), isKept: row.removed_at === null };
}

export async function saveRelease(tx: Tx, release: Release, auditEventId: bigint): Promise<void> {
  const { id, platform, version, sizeBytes, sha256, uploadedBy, uploadedAt, isCurrent } = release;
  await sql`
    insert into app_versions (id, platform, version, file_name, is_current, size_bytes, sha256, uploaded_by, uploaded_at, audit_event_id)
    values (${id}, ${platform}, ${version}, ${toFileName(release)}, ${isCurrent}, ${sizeBytes}, ${sha256},
      ${uploadedBy}, ${uploadedAt}, ${auditEventId})`.execute(tx);
}

export async function findCurrent(queries: Queries, platform: ReleasePlatform): Promise<Release | null> {
  const [row] = await loadRows(queries, sql`platform = ${platform} and is_current`);
  return row === undefined ? null : toRelease(row);
}

export async function clearCurrent(tx: Tx, platform: ReleasePlatform): Promise<void> {
  await sql`update app_versions set is_current = false where platform = ${platform} and is_current`.execute(tx);
}

export async function saveCurrent(tx: Tx, id: string): Promise<void> {
  await sql`update app_versions set is_current = true where id = ${id}`.execute(tx);
}

/**
 * Keeps the current release and the newest others, `keptMax` in total; returns the ids of the
 * removed ones.
 */
export async function removeOldest(
  tx: Tx,
  platform: ReleasePlatform,
  { keptMax, at }: { readonly keptMax: number; readonly at: Instant },
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    update app_versions set removed_at = greatest(uploaded_at, ${at}) where id in (
      select id from app_versions where platform = ${platform} and removed_at is null
      order by is_current desc, uploaded_at desc, id offset ${keptMax})
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}
