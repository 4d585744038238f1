const DOCUMENT = 0x0003;
const STRING_POOL = 0x0001;
const RESOURCE_MAP = 0x0180;
const START_ELEMENT = 0x0102;
const IS_UTF8 = 0x100;
const STRING_VALUE = 0x03;
/** `android:versionName`. */
const VERSION_NAME = 0x0101021c;
const CHUNK_BYTES = 8;
const NODE_BYTES = 16;

interface Manifest {
  /** Null: absent. */
  readonly packageName: string | null;
  /** `versionName`; null: absent or a resource reference. */
  readonly version: string | null;
}

/**
 * A manifest in Android's binary XML; null if malformed. Source: ResourceTypes.h of Android's
 * androidfw.
 */
export function parseManifest(manifest: Buffer): Manifest | null {
  try {
    return findManifest(manifest);
  } catch (error) {
    // An offset beyond the end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function findManifest(manifest: Buffer): Manifest | null {
  if (manifest.readUInt16LE(0) !== DOCUMENT) return null;
  let pool: Buffer | null = null;
  let resources: Buffer = Buffer.alloc(0);
  let at = manifest.readUInt16LE(2);
  while (at + CHUNK_BYTES <= manifest.byteLength) {
    const length = manifest.readUInt32LE(at + 4);
    if (length < CHUNK_BYTES) return null;
    const chunk = manifest.subarray(at, at + length);
    const type = chunk.readUInt16LE(0);
    if (type === STRING_POOL) pool = chunk;
    if (type === RESOURCE_MAP) resources = chunk;
    // The first element is the manifest itself.
    if (type === START_ELEMENT) return pool === null ? null : readAttributes(chunk, pool, resources);
    at += length;
  }
  return null;
}

function readAttributes(element: Buffer, pool: Buffer, resources: Buffer): Manifest | null {
  if (readString(pool, element.readUInt32LE(NODE_BYTES + 4)) !== "manifest") return null;
  const begin = NODE_BYTES + element.readUInt16LE(NODE_BYTES + 8);
  const attributeBytes = element.readUInt16LE(NODE_BYTES + 10);
  const count = element.readUInt16LE(NODE_BYTES + 12);
  const found: { packageName: string | null; version: string | null } = { packageName: null, version: null };
  for (let index = 0; index < count; index += 1) {
    const at = begin + index * attributeBytes;
    const nameIndex = element.readUInt32LE(at + 4);
    if (element.readUInt8(at + 15) !== STRING_VALUE) continue;
    const value = readString(pool, element.readUInt32LE(at + 16));
    const resourceAt = CHUNK_BYTES + 4 * nameIndex;
    const resource = resourceAt + 4 <= resources.byteLength ? resources.readUInt32LE(resourceAt) : null;
    if (resource === VERSION_NAME) found.version = value;
    if (resource === null && readString(pool, nameIndex) === "package") found.packageName = value;
  }
  return found;
}

function readString(pool: Buffer, index: number): string | null {
  if (index >= pool.readUInt32LE(8)) return null;
  const at = pool.readUInt32LE(20) + pool.readUInt32LE(pool.readUInt16LE(2) + 4 * index);
  if ((pool.readUInt32LE(16) & IS_UTF8) === 0) {
    const units = pool.readUInt16LE(at);
    return pool.toString("utf16le", at + 2, at + 2 + 2 * units);
  }
  // The length in characters, then in bytes: one byte each below 128, which every version is.
  const bytes = pool.readUInt8(at + 1);
  return pool.toString("utf8", at + 2, at + 2 + bytes);
}
