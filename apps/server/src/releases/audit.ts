import { createHash } from "node:crypto";
import { sql } from "kysely";
import { holds, type Invariant, keepsTriggers } from "../platform/database/invariant.ts";
import type { Files } from "../platform/files/files.ts";
import { toFileKey, toFileName } from "./release.ts";
import { loadCurrent } from "./store.ts";

const TRIGGERS = ["app_versions app_versions_stay", "app_versions app_versions_stay_all"];

/** The releases on offer are those that staff published. */
export const releaseInvariants: readonly Invariant[] = [
  keepsTriggers("the triggers that protect releases are enabled", TRIGGERS),
  holds(
    "every release matches its audit event, and vice versa",
    sql`
      select coalesce(release.file_name, event.subject) || ' has ' || coalesce(release.size_bytes || ' bytes, SHA-256 ' || release.sha256, 'no row')
        || ', its audit event says ' || coalesce(event.detail, 'nothing') as found
      from app_versions release
      full join (select * from audit_events where action = 'release_added') event on event.id = release.audit_event_id
      where event.subject is distinct from release.file_name or event.player_id is distinct from release.uploaded_by
        or event.at is distinct from release.uploaded_at
        or event.detail is distinct from release.size_bytes || ' bytes, SHA-256 ' || release.sha256
      order by 1`,
  ),
  holds(
    "the current release of each platform matches the last audit event",
    sql`
      select coalesce(current.file_name, 'nothing') || ' is current, the last audit event named ' || coalesce(last.subject, 'nothing') as found
      from (select * from app_versions where is_current) current
      full join (
        select distinct on (right(subject, 4)) subject from audit_events
        where action = 'release_made_current' order by right(subject, 4), id desc) last
        on last.subject = current.file_name
      where current.id is null or last.subject is null order by 1`,
  ),
];

/** The file of each current release has the published size and SHA-256. Reads the whole file. */
export function keepsCurrentFiles(files: Files): Invariant {
  return {
    name: "the file of each current release is there, whole and unchanged",
    async check(queries) {
      for (const release of await loadCurrent(queries)) {
        const content = await files.read(toFileKey(release.id));
        if (content === null) return `${toFileName(release)} is lost`;
        const digest = createHash("sha256");
        let bytes = 0;
        for await (const chunk of content) {
          digest.update(chunk);
          bytes += chunk.byteLength;
        }
        const sha256 = digest.digest("hex");
        if (bytes !== release.sizeBytes || sha256 !== release.sha256) {
          return `${toFileName(release)} has ${bytes} bytes, SHA-256 ${sha256}, instead of ${release.sizeBytes}, ${release.sha256}`;
        }
      }
      return null;
    },
  };
}
