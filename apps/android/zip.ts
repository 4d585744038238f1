import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

/** 1 January 1980, the earliest date of the format. */
const EPOCH_DATE = 0x21;
const STORED = 0;
const DEFLATED = 8;
/** Android maps resources.arsc and refuses it compressed from target SDK 30 on. */
const UNPACKED = /\.(?:arsc|webp)$/;

export function toZip(files: ReadonlyMap<string, Buffer>): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const method = UNPACKED.test(name) ? STORED : DEFLATED;
    const data = method === STORED ? content : deflateRawSync(content, { level: 9 });
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt16LE(EPOCH_DATE, 8);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    locals.push(Buffer.from("PK\x03\x04", "latin1"), facts, Buffer.from(name), data);
    centrals.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), facts, place, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + data.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.size, 4);
  end.writeUInt16LE(files.size, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, central, Buffer.from("PK\x05\x06", "latin1"), end]);
}

/** Reads an archive without a trailing comment, as the build tools write it. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22;
  if (zip.readUInt32BE(end) !== 0x504b0506) throw new Error("This is no archive.");
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const data = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    files.set(name, zip.readUInt16LE(at + 10) === STORED ? data : inflateRawSync(data));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
