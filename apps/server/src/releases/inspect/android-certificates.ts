import { createHash } from "node:crypto";
import type { ReadAt } from "./read-at.ts";
import { findZipDirectory, type ZipEntries } from "./zip.ts";

const MAGIC = "APK Sig Block 42";
/** The block's length and the magic, at its end. */
const FOOTER_BYTES = 24;
const BLOCK_BYTES_MAX = 1024 * 1024;
const SCHEMES = [0x7109871a, 0xf05368c0];

/**
 * Whether an app names one of these certificates (SHA-256, AB:CD:..) as its signer; always if none
 * is given. Signatures are not verified: phones do that.
 */
export async function isSignedBy(certificates: readonly string[], readAt: ReadAt, sizeBytes: number): Promise<boolean> {
  if (certificates.length === 0) return true;
  const signers = await readSigners(readAt, sizeBytes);
  return signers.some((signer) => certificates.includes(signer));
}

/** The certificates of the signers in the signing block; none if the app has only scheme 1. */
export async function readSigners(readAt: ReadAt, sizeBytes: number): Promise<readonly string[]> {
  const directory = await findZipDirectory(readAt, sizeBytes);
  return directory === null ? [] : await readCertificates(readAt, directory.begin);
}

/** Scheme 1: the files that sign a JAR, each with a list of signed files of the same name. */
export function hasSchemeOne(entries: ZipEntries): boolean {
  const names = [...entries.keys()];
  return (
    entries.has("META-INF/MANIFEST.MF") &&
    names.some((name) => {
      const signer = /^META-INF\/([^/]+)\.(?:RSA|DSA|EC)$/.exec(name)?.[1];
      return signer !== undefined && entries.has(`META-INF/${signer}.SF`);
    })
  );
}

/** Android's APK signature schemes 2 and 3. */
async function readCertificates(readAt: ReadAt, directoryAt: number): Promise<readonly string[]> {
  const footer = directoryAt < FOOTER_BYTES ? null : await readAt(directoryAt - FOOTER_BYTES, FOOTER_BYTES);
  if (footer === null || footer.toString("latin1", 8) !== MAGIC) return [];
  const length = Number(footer.readBigUInt64LE(0));
  if (length < FOOTER_BYTES || length > Math.min(BLOCK_BYTES_MAX, directoryAt)) return [];
  const block = await readAt(directoryAt - length, length - FOOTER_BYTES);
  return block === null ? [] : [...listSchemes(block)].flatMap(listSigners);
}

function* listSchemes(block: Buffer): Generator<Buffer, void> {
  for (let at = 0; at + 12 <= block.byteLength; ) {
    const endAt = at + 8 + Number(block.readBigUInt64LE(at));
    if (endAt < at + 12 || endAt > block.byteLength) return;
    if (SCHEMES.includes(block.readUInt32LE(at + 8))) yield block.subarray(at + 12, endAt);
    at = endAt;
  }
}

/** A signer is its signed data and its signatures; signed data are digests, then certificates. */
function listSigners(scheme: Buffer): readonly string[] {
  const [signers] = split(scheme);
  return [...split(signers)].flatMap((signer) => {
    const [signed] = split(signer);
    const [_digests, certificates] = split(signed);
    const [own] = split(certificates);
    if (own === undefined) return [];
    const hex = createHash("sha256").update(own).digest("hex").toUpperCase();
    return [hex.match(/../g)!.join(":")];
  });
}

/** Splits parts that each follow their length, up to the first that is cut. */
function* split(sequence: Buffer = Buffer.alloc(0)): Generator<Buffer, void> {
  for (let at = 0; at + 4 <= sequence.byteLength; ) {
    const endAt = at + 4 + sequence.readUInt32LE(at);
    if (endAt > sequence.byteLength) return;
    yield sequence.subarray(at + 4, endAt);
    at = endAt;
  }
}
