import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ReleaseView } from "@holo/protocol/release-views.ts";
import type { ByteRange } from "../platform/files/files.ts";
import { transact } from "../platform/transaction.ts";
import { isFileName, RELEASES_FOLDER, toFileKey, toFileName, toReleaseView } from "./release.ts";
import { clearCurrent, findKept, findKeptNamed, loadCurrent, loadKept, lockReleases, saveCurrent } from "./store.ts";
import { openUploads, type UploadOrder, type UploadRefusal, type UploadsOptions } from "./upload.ts";

/** What is offered for download, and how it can be read. */
export interface Download {
  readonly release: ReleaseView;
  /** The content or a part of it, read only as fast as it is taken. Throws where the file is lost. */
  read(range?: ByteRange): Promise<AsyncGenerator<Uint8Array, void>>;
}

/** The builds of the native apps: taken from admins, kept, and offered to everybody. */
export interface Releases {
  /** The one of each platform that everybody is offered. Asked for often: a change made elsewhere is seen within seconds. */
  loadCurrent(): Promise<readonly ReleaseView[]>;
  /** All that are kept, newest first. */
  loadKept(): Promise<readonly ReleaseView[]>;
  /**
   * Receives a build, looks at it, keeps it, and makes it the current one of its platform, as an act. The same file as the same version again
   * changes nothing. What is refused or cut off leaves nothing behind. Refusals in the order of `UploadRefusal`.
   */
  upload(order: UploadOrder): Promise<Result<ReleaseView, UploadRefusal>>;
  /** Offers another of those that are kept, as an act. Changes nothing where it is offered already. */
  makeCurrent(actorId: PlayerId, id: string): Promise<Result<ReleaseView, "access_denied" | "unknown_release">>;
  /** Null where no such file is kept. */
  findDownload(fileName: string): Promise<Download | null>;
  /** Removes what uploads that never ended have left. */
  sweep(): Promise<void>;
}

export type ReleasesOptions = Omit<UploadsOptions, "onPublished">;

const REMEMBERED_MS = 5_000;
/** A file that is kept has its row a moment later, or never. */
const ROWLESS_MS = 60 * 60_000;

export function openReleases(options: ReleasesOptions): Releases {
  const { database, time, files, isAdmin, recordAct } = options;
  const queries = database.kysely;
  let remembered: { readonly views: Promise<readonly ReleaseView[]>; readonly sinceMs: number } | null = null;
  const forget = (): void => {
    remembered = null;
  };
  const upload = openUploads({ ...options, onPublished: forget });

  return {
    loadCurrent() {
      const nowMs = time.monotonicMs();
      if (remembered === null || nowMs - remembered.sinceMs > REMEMBERED_MS) {
        const views = loadCurrent(queries).then((current) => current.map(toReleaseView));
        remembered = { views, sinceMs: nowMs };
        // A database that was away is asked again at once.
        views.catch(forget);
      }
      return remembered.views;
    },

    loadKept: async () => (await loadKept(queries)).map(toReleaseView),

    async upload(order) {
      const uploaded = await upload(order);
      return uploaded.ok ? ok(toReleaseView(uploaded.value)) : uploaded;
    },

    async makeCurrent(actorId, id) {
      return await transact(database, async (tx, afterCommit) => {
        await lockReleases(tx);
        if (!(await isAdmin(tx, actorId))) return refuse("access_denied");
        const release = await findKept(tx, id);
        if (release === null) return refuse("unknown_release");
        if (release.isCurrent) return ok(toReleaseView(release));
        const before = await clearCurrent(tx, release.platform);
        await saveCurrent(tx, id);
        const detail = before === null ? "" : `Before: ${toFileName(before)}`;
        const act = { act: "release_made_current", subject: toFileName(release), detail, at: time.now() } as const;
        await recordAct(tx, { playerId: actorId, ...act });
        afterCommit(forget);
        return ok(toReleaseView({ ...release, isCurrent: true }));
      });
    },

    async findDownload(fileName) {
      const release = isFileName(fileName) ? await findKeptNamed(queries, fileName) : null;
      if (release === null) return null;
      return {
        release: toReleaseView(release),
        async read(range) {
          const content = await files.read(toFileKey(release.id), range);
          if (content === null) throw new Error(`the file of ${fileName} is lost`);
          return content;
        },
      };
    },

    async sweep() {
      await files.sweepDrafts();
      const kept = await files.list(RELEASES_FOLDER);
      const wanted = new Set((await loadKept(queries)).map(({ id }) => toFileKey(id)));
      const rowless = kept.filter(({ key, keptAt }) => !wanted.has(key) && time.now() - keptAt > ROWLESS_MS);
      for (const { key } of rowless) await files.remove(key);
    },
  };
}
