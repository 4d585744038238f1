import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { Refused } from "../storage.ts";

const PRODUCT = "holo-arena-backup";
/** Raised when an older release could no longer restore what is written. */
const FORMAT = 1;
const MANIFEST = "manifest.json";
export const UNFINISHED_MANIFEST = `${MANIFEST}.unfinished`;
export const SECRET_FILE = "auth-secret";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
const part = { path: z.string().regex(/^[a-z0-9_-]+([./][a-z0-9_-]+)*$/), sizeBytes: count, sha256 };
const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);

const manifestSchema = z.strictObject({
  product: z.literal(PRODUCT),
  format: z.literal(FORMAT),
  release: z.string(),
  takenAt: z.iso.datetime(),
  postgres: z.string(),
  databaseBytes: count,
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.strictObject({ ...part, name, columns: z.array(name), rows: count })).min(1),
  sequences: z.array(z.strictObject({ name, lastValue: z.string().regex(/^\d+$/) })),
  positions: z.strictObject({
    gameLogRecords: count,
    lastGameLogAt: z.iso.datetime().nullable(),
    lastJournalEntryId: z.string().nullable(),
    lastAuditEventId: z.string().nullable(),
  }),
  secret: z.strictObject(part),
  files: z.array(z.strictObject({ ...part, key: z.string() })),
  missingFiles: z.array(z.string()),
  /** Null: the database was of an earlier release, which the auditor cannot read. */
  audit: z
    .strictObject({ invariants: count, broken: z.strictObject({ name: z.string(), found: z.string() }).nullable() })
    .nullable(),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type Part = Pick<Manifest["secret"], "path" | "sizeBytes" | "sha256">;

/** Read before the format is known. */
const headSchema = z.looseObject({ product: z.literal(PRODUCT), format: z.number(), release: z.string() });
const envelopeSchema = z.strictObject({ sha256, manifest: z.looseObject({}) });

export function toManifest(content: Omit<Manifest, "product" | "format">): Manifest {
  return { product: PRODUCT, format: FORMAT, ...content };
}

function digest(manifest: unknown): string {
  return createHash("sha256").update(JSON.stringify(manifest)).digest("hex");
}

/** The last step of a backup: a folder without a manifest is an interrupted one. */
export async function saveManifest(folder: string, manifest: Manifest): Promise<void> {
  const unfinished = path.join(folder, UNFINISHED_MANIFEST);
  const file = await open(unfinished, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ sha256: digest(manifest), manifest }, null, 1)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path.join(folder, MANIFEST));
  const parent = await open(folder, "r");
  await parent.sync().finally(() => parent.close());
}

/** Refuses a folder that is not a complete backup readable by this release. */
export async function loadManifest(folder: string): Promise<Manifest> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Refused(`${folder} cannot be read (${error.code}): name the folder of a backup`);
  });
  if (!entries.includes(MANIFEST)) {
    const isInterrupted = entries.includes("tables");
    throw new Refused(
      isInterrupted
        ? `${folder} holds an interrupted backup, without ${MANIFEST}: use another one`
        : `${folder} is not a backup of an arena: it has no ${MANIFEST}`,
    );
  }
  const envelope = envelopeSchema.safeParse(parseJson(await readFile(path.join(folder, MANIFEST), "utf8")));
  const head = headSchema.safeParse(envelope.data?.manifest);
  if (!envelope.success || !head.success) throw new Refused(`${folder} is not a backup of an arena`);
  const { format, release } = head.data;
  if (format > FORMAT) {
    throw new Refused(
      `the backup has format ${format}, this release reads up to ${FORMAT}: restore it with release ${release} or later`,
    );
  }
  const manifest = manifestSchema.safeParse(envelope.data.manifest);
  if (!manifest.success || envelope.data.sha256 !== digest(envelope.data.manifest)) {
    throw new Refused(`the backup is broken: ${MANIFEST} was changed after it was written`);
  }
  return manifest.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not a manifest; the caller says so.
    return null;
  }
}

export function listParts({ tables, files, secret }: Manifest): readonly Part[] {
  return [...tables, ...files, secret];
}

/** Reads every file of a backup and refuses one that is missing, truncated or changed. */
export async function verifyParts(folder: string, manifest: Manifest): Promise<void> {
  for (const expected of listParts(manifest)) {
    const file = path.join(folder, expected.path);
    const found = await stat(file).catch(() => null);
    if (found === null) throw new Refused(`the backup is broken: ${expected.path} is missing`);
    if (found.size !== expected.sizeBytes) {
      throw new Refused(`the backup is broken: ${expected.path} has ${found.size} bytes, not ${expected.sizeBytes}`);
    }
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(file)) hash.update(chunk);
    if (hash.digest("hex") !== expected.sha256) throw new Refused(`the backup is broken: ${expected.path} was changed`);
  }
}
