/** Reads Windows executables (Microsoft's "PE Format"). */
import { readFileSync } from "node:fs";

export const RESOURCES = { icon: 3, iconGroup: 14, version: 16, manifest: 24 } as const;

interface PortableExecutable {
  readonly machine: number;
  /** Seconds since 1970, or 0. */
  readonly builtAt: number;
  /** IMAGE_DLLCHARACTERISTICS_*. */
  readonly characteristics: number;
  /** The resources of one type, in file order. */
  readonly listResources: (kind: number) => readonly Buffer[];
}

export function readExecutable(file: string): PortableExecutable {
  const bytes = readFileSync(file);
  const head = bytes.readUInt32LE(0x3c);
  if (bytes.toString("latin1", head, head + 4) !== "PE\0\0") throw new Error(`${file} is no program for Windows.`);
  const optional = head + 24;
  const resources = findSection(bytes, head, ".rsrc");
  return {
    machine: bytes.readUInt16LE(head + 4),
    builtAt: bytes.readUInt32LE(head + 8),
    characteristics: bytes.readUInt16LE(optional + 70),
    listResources: (kind) => listResources(bytes, resources, kind),
  };
}

interface Section {
  readonly address: number;
  readonly offset: number;
}

function findSection(bytes: Buffer, head: number, name: string): Section {
  const first = head + 24 + bytes.readUInt16LE(head + 20);
  for (let index = 0; index < bytes.readUInt16LE(head + 6); index++) {
    const at = first + index * 40;
    if (bytes.toString("latin1", at, at + name.length) !== name) continue;
    return { address: bytes.readUInt32LE(at + 12), offset: bytes.readUInt32LE(at + 20) };
  }
  throw new Error(`There is no ${name}.`);
}

/** A tree of three levels: type, name, language. */
function listResources(bytes: Buffer, { address, offset }: Section, kind: number): readonly Buffer[] {
  const listEntries = (table: number) => {
    const count = bytes.readUInt16LE(offset + table + 12) + bytes.readUInt16LE(offset + table + 14);
    return Array.from({ length: count }, (_, index) => {
      const at = offset + table + 16 + index * 8;
      return { name: bytes.readUInt32LE(at), next: bytes.readUInt32LE(at + 4) & 0x7fffffff };
    });
  };
  return listEntries(0)
    .filter(({ name }) => name === kind)
    .flatMap(({ next }) => listEntries(next))
    .flatMap(({ next }) => listEntries(next))
    .map(({ next }) => {
      const at = bytes.readUInt32LE(offset + next) - address + offset;
      return bytes.subarray(at, at + bytes.readUInt32LE(offset + next + 4));
    });
}
