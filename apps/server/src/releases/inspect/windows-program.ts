import type { Build } from "./build.ts";
import type { ReadAt } from "./read-at.ts";

const DOS_HEADER_BYTES = 64;
const PE_OFFSET_AT = 0x3c;
const PE_HEADER_BYTES = 24;
const SECTION_BYTES = 40;
const SECTIONS_MAX = 96;
/** The resources of a web view host are icons and a few texts. */
const RESOURCES_BYTES_MAX = 16 * 1024 * 1024;
const VERSION_KEY = Buffer.from("VS_VERSION_INFO\0", "utf16le");
const FIXED_VERSION_SIGNATURE = 0xfeef04bd;

/**
 * A Windows program, recognised by its MZ and PE headers; null otherwise. The version is the fixed
 * file version of its resources. Source: Microsoft's "PE Format" and VS_FIXEDFILEINFO.
 */
export async function readWindowsProgram(readAt: ReadAt, sizeBytes: number): Promise<Build | null> {
  const dos = await readAt(0, DOS_HEADER_BYTES);
  if (dos === null || dos.toString("latin1", 0, 2) !== "MZ") return null;
  const peAt = dos.readUInt32LE(PE_OFFSET_AT);
  const pe = await readAt(peAt, PE_HEADER_BYTES);
  if (pe === null || pe.toString("latin1", 0, 4) !== "PE\0\0") return null;
  const sections = await readAt(
    peAt + PE_HEADER_BYTES + pe.readUInt16LE(20),
    Math.min(pe.readUInt16LE(6), SECTIONS_MAX) * SECTION_BYTES,
  );
  return { version: sections === null ? null : await readVersion(readAt, sections, sizeBytes) };
}

async function readVersion(readAt: ReadAt, sections: Buffer, sizeBytes: number): Promise<string | null> {
  for (let at = 0; at + SECTION_BYTES <= sections.byteLength; at += SECTION_BYTES) {
    if (sections.toString("latin1", at, at + 8) !== ".rsrc\0\0\0") continue;
    const begin = sections.readUInt32LE(at + 20);
    const length = Math.min(sections.readUInt32LE(at + 16), RESOURCES_BYTES_MAX, sizeBytes - begin);
    const resources = length > 0 ? await readAt(begin, length) : null;
    return resources === null ? null : parseFixedVersion(resources);
  }
  return null;
}

/** Major, minor and build; the fourth number is ignored. All zero means no version. */
function parseFixedVersion(resources: Buffer): string | null {
  const keyAt = resources.indexOf(VERSION_KEY);
  if (keyAt < 0) return null;
  // Blocks are aligned to four bytes, before and after the key.
  const fixedAt = keyAt + VERSION_KEY.byteLength + ((4 - ((6 + VERSION_KEY.byteLength) % 4)) % 4);
  if (fixedAt + 16 > resources.byteLength || resources.readUInt32LE(fixedAt) !== FIXED_VERSION_SIGNATURE) return null;
  const parts = [
    resources.readUInt16LE(fixedAt + 10),
    resources.readUInt16LE(fixedAt + 8),
    resources.readUInt16LE(fixedAt + 14),
  ];
  return parts.every((part) => part === 0) ? null : parts.join(".");
}
