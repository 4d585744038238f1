import { inflateRawSync } from "node:zlib";

/**
 * A real app built by `aapt package` from a manifest alone, version 1.2.3. Other versions are
 * patched in.
 */
const APP = Buffer.from(
  "UEsDBBQAAgAIAAAAIQB1DMUv5wEAALAEAAATAAAAQW5kcm9pZE1hbmlmZXN0LnhtbJWSy24TQRBFb/sRW87LgCOFPCSEWCFhQ0CIZJewQQhFSJFYsIpxEmLFj9F4kjWfwILvQPkM1qxYsMg3sEaC0zU9zjAhEvTMna6+VV11u6bLquu8Ijmt6VtJWtLliHL2CngC3oKP4DP4Ci7AD/DSSbtgH3wCX8B38BM0yLsC7oKn4DWY1ZkOFWuivsYa6TnfA5irnl11NTTPDfVghujqawCzx44TvfkjWrr9D1FZtdE09zxzn/XfczaVEBnrPXxyTUyVal29gx2wqmGPiIvx9pml+zpmb4KuLXV4Jug8JnpI5ETtQnw7nKIDH1Gtg+eQuM6VvLJqEXyPuK5plJZhvJ5ER0TGZNrRqXXk4Jpe/M+ey39SN/0j+CPTl8AtWK/S7rY545gMYzthZHeqqkesNsBjVjOsHmKnkEp4Ni3zKfl8zgfAd9zfjTTHgHo9U5p1v6EXoc4dbU+rSx9cXfeYV0vOrYG46twEzGFHwMm/Tc7uK0u/GDWrzhr+PMf7MY/d4qmFztfD7H3YTRc4Py+mdnkxy5eLWw9c2W5XGtcM/ob1MOUWAjdr99842+u5ucJer/dVTo8fN4PeUk5vJadjOXDVgrZy6Ekxl6/xLOjO+FuhhsvVmDEu1dbK5Svuy/hKoceuwGf/5DdQSwECFwMUAAIACAAAACEAdQzFL+cBAACwBAAAEwAAAAAAAAAAACAAtoEAAAAAQW5kcm9pZE1hbmlmZXN0LnhtbFBLBQYAAAAAAQABAEEAAAAYAgAAAAA=",
  "base64",
);
const APP_VERSION = "1.2.3";
const MANIFEST_AT = 30 + "AndroidManifest.xml".length;
const MANIFEST_BYTES = APP.readUInt32LE(18);

export function makeUnsignedApp(): Buffer<ArrayBuffer> {
  return APP;
}

/** `version` has five characters. */
export function makeManifest(version: string): Buffer {
  const manifest = inflateRawSync(APP.subarray(MANIFEST_AT, MANIFEST_AT + MANIFEST_BYTES));
  const at = manifest.indexOf(APP_VERSION, 0, "utf16le");
  if (at < 0 || version.length !== APP_VERSION.length) throw new Error("such a version has no place there");
  manifest.write(version, at, "utf16le");
  return manifest;
}

/** Stored, not packed. */
export function makeZip(files: Readonly<Record<string, Buffer>>): Buffer<ArrayBuffer> {
  const [locals, entries]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const facts = Buffer.alloc(26);
    facts.writeUInt32LE(content.byteLength, 14);
    facts.writeUInt32LE(content.byteLength, 18);
    facts.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), facts, Buffer.from(name), content]);
    locals.push(local);
    entries.push(Buffer.from("PK\x01\x02\0\0", "latin1"), facts, place, Buffer.from(name));
    offset += local.byteLength;
  }
  const end = Buffer.alloc(22);
  const directory = Buffer.concat(entries);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(directory.byteLength, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** Version 1.2.3 unless told. */
export function makeApp(version: string = APP_VERSION): Buffer<ArrayBuffer> {
  return makeSignedApp(Buffer.from("a certificate"), makeManifestZip(makeManifest(version)));
}

export function makeManifestZip(manifest: Buffer): Buffer<ArrayBuffer> {
  return makeZip({ "AndroidManifest.xml": manifest });
}

/** With a block of signature scheme 2 that names a certificate; nothing is really signed. */
export function makeSignedApp(certificate: Buffer, app: Buffer = APP): Buffer<ArrayBuffer> {
  const part = (...content: Buffer[]): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.reduce((sum, { byteLength }) => sum + byteLength, 0));
    return Buffer.concat([length, ...content]);
  };
  const signer = part(part(part(Buffer.from("digests")), part(part(certificate))), part(Buffer.from("signatures")));
  const scheme = part(signer);
  const head = Buffer.alloc(20);
  const length = Buffer.alloc(8);
  head.writeBigUInt64LE(BigInt(scheme.byteLength + 4), 8);
  head.writeUInt32LE(0x7109871a, 16);
  length.writeBigUInt64LE(BigInt(head.byteLength + scheme.byteLength + 16));
  length.copy(head);
  const block = Buffer.concat([head, scheme, length, Buffer.from("APK Sig Block 42")]);
  const directoryAt = app.readUInt32LE(app.byteLength - 6);
  const signed = Buffer.concat([app.subarray(0, directoryAt), block, app.subarray(directoryAt)]);
  signed.writeUInt32LE(directoryAt + block.byteLength, signed.byteLength - 6);
  return signed;
}

const PE_AT = 64;
const RESOURCES_AT = 512;

/**
 * The headers of a Windows program, with a version resource if `version` (three or four numbers) is
 * given.
 */
export function makeProgram(
  version: string | null,
  rest: Buffer = Buffer.alloc(0),
  productName = "Holo Arena",
): Buffer<ArrayBuffer> {
  const file = Buffer.alloc(1024);
  file.write("MZ", 0, "latin1");
  file.writeUInt32LE(PE_AT, 0x3c);
  file.write("PE\0\0", PE_AT, "latin1");
  file.writeUInt16LE(1, PE_AT + 6);
  file.writeUInt16LE(240, PE_AT + 20);
  if (version !== null) {
    const sectionAt = PE_AT + 24 + 240;
    file.write(".rsrc", sectionAt, "latin1");
    file.writeUInt32LE(512, sectionAt + 16);
    file.writeUInt32LE(RESOURCES_AT, sectionAt + 20);
    const keyAt = RESOURCES_AT + 38;
    file.write("VS_VERSION_INFO", keyAt, "utf16le");
    const fixedAt = RESOURCES_AT + 72;
    const [major = 0, minor = 0, build = 0, revision = 0] = version.split(".").map(Number);
    file.writeUInt32LE(0xfeef04bd, fixedAt);
    for (const [part, at] of [
      [minor, 8],
      [major, 10],
      [revision, 12],
      [build, 14],
    ] as const) {
      file.writeUInt16LE(part, fixedAt + at);
    }
    const stringAt = RESOURCES_AT + 128;
    file.writeUInt16LE(productName.length + 1, stringAt + 2);
    file.write("ProductName", stringAt + 6, "utf16le");
    file.write(productName, stringAt + 32, "utf16le");
  }
  return Buffer.concat([file, rest]);
}
