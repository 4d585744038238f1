import type { ReadAt } from "./read-at.ts";

const DOS_HEADER_BYTES = 64;
const PE_OFFSET_AT = 0x3c;
const PE_HEADER_BYTES = 24;
const SECTION_BYTES = 40;
const SECTIONS_MAX = 96;
/** The resources of a web view host are icons and a few texts. */
const RESOURCES_BYTES_MAX = 16 * 1024 * 1024;
/** `IMAGE_FILE_DLL`. */
const IS_LIBRARY = 0x2000;
const PRODUCT_KEY = Buffer.from("ProductName\0", "utf16le");
/** Blocks are aligned to four bytes. */
const PRODUCT_PADDING_BYTES = 2;
const VERSION_KEY = Buffer.from("VS_VERSION_INFO\0", "utf16le");
const FIXED_VERSION_SIGNATURE = 0xfeef04bd;

interface WindowsProgram {
  /** Null: none, or not readable. */
  readonly version: string | null;
  readonly productName: string | null;
}

/**
 * A whole program with MZ and PE headers; null otherwise, as for a library. Source: Microsoft's
 * "PE Format", VS_FIXEDFILEINFO and "String structure".
 */
export async function readWindowsProgram(readAt: ReadAt, sizeBytes: number): Promise<WindowsProgram | null> {
  const dos = await readAt(0, DOS_HEADER_BYTES);
  if (dos === null || dos.toString("latin1", 0, 2) !== "MZ") return null;
  const peAt = dos.readUInt32LE(PE_OFFSET_AT);
  const pe = await readAt(peAt, PE_HEADER_BYTES);
  if (pe === null || pe.toString("latin1", 0, 4) !== "PE\0\0" || (pe.readUInt16LE(22) & IS_LIBRARY) !== 0) return null;
  const sectionCount = pe.readUInt16LE(6);
  if (sectionCount > SECTIONS_MAX) return null;
  const sections = await readAt(peAt + PE_HEADER_BYTES + pe.readUInt16LE(20), sectionCount * SECTION_BYTES);
  if (sections === null) return null;
  let resources: Buffer | null = null;
  for (let at = 0; at < sections.byteLength; at += SECTION_BYTES) {
    const [length, begin] = [sections.readUInt32LE(at + 16), sections.readUInt32LE(at + 20)];
    // A section without content may name any place.
    if (length > 0 && begin + length > sizeBytes) return null;
    if (resources === null && sections.toString("latin1", at, at + 8) === ".rsrc\0\0\0")
      resources = await readAt(begin, Math.min(length, RESOURCES_BYTES_MAX));
  }
  return {
    version: resources === null ? null : parseFixedVersion(resources),
    productName: resources === null ? null : parseProductName(resources),
  };
}

/** The length of a string in characters is four bytes before its key, its text after the key. */
function parseProductName(resources: Buffer): string | null {
  const keyAt = resources.indexOf(PRODUCT_KEY);
  if (keyAt < 6) return null;
  const textAt = keyAt + PRODUCT_KEY.byteLength + PRODUCT_PADDING_BYTES;
  const text = resources.toString("utf16le", textAt, textAt + 2 * resources.readUInt16LE(keyAt - 4));
  return text.replace(/\0.*$/s, "").trim();
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
