import { inflateRawSync } from "node:zlib";

/**
 * A real app built by `aapt package` from a manifest alone, version 1.2.3. Other versions are
 * patched in.
 */
const APP = Buffer.from(
  "UEsDBBQAAgAIAAAAIQDvlTm16wEAALQEAAATAAAAQW5kcm9pZE1hbmlmZXN0LnhtbJWTvW4TQRSFz/gntvLjGAhSgICQQCBFig2BAtIBDUIoDYiCCuMkxMJer9Ybah6BgudAFDwENS0peAZeAL65O5sMGyLBrI9n5ty/M3dn62rrS0NyWtNhTTqv45FG64vgLngJPoBP4Bv4AX6CJ07aBq/AR/AVHAKRswOugBtgCzwHC3qnXWWaaaSpEj3ifwfmpGVbA03MckZDmAm6RhrDPCPirV784S1d+AevslpylHuJecT+7zm7yvHM9AY+P8WnSbWBXsOO2bVYJ/hlWEfM0rr2ic3RtaU+zwyd+3hP8JypV/HvhVP04VOq9bHs4tc/kVdWLYUf4jcwjdIqjNeTaw/PjEwPdWAd2TmlF/8Tc/xO2qY/gd8zfbl1K0FFj9NNiZ1a54pe9+w0qXXrNrtNcIfdHLtbrAv4S7Op+5b9gJw+7wbwXff3o8gxpubQ1JZvYF6PQ8WrenBUU3rv2rrOfKnm3BrIms7NwCLrFDj5X5fz23XVL0bLqrOH/xzxfiyxXuFphe63w+xtrLvfbxacv/7Lhb2+XOaL/C4Hrm49K/y6wT7P3AlcJ3AL9g0YZ7GeW6zEer1PIz1+nA16a5HeRqRjNXDNiLvmdYWeVHP5GveC7pI/F2q4qMaccYW2lShfNa7kG5UeuwpfvpPfUEsBAhcDFAACAAgAAAAhAO+VObXrAQAAtAQAABMAAAAAAAAAAAAgALaBAAAAAEFuZHJvaWRNYW5pZmVzdC54bWxQSwUGAAAAAAEAAQBBAAAAHAIAAAAA",
  "base64",
);
const APP_VERSION = "1.2.3";
const MANIFEST_AT = 30 + "AndroidManifest.xml".length;
const MANIFEST_BYTES = APP.readUInt32LE(18);

export function makeRealApp(): Buffer<ArrayBuffer> {
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

export function makeZip(name: string, content: Buffer): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  for (const [header, at] of [
    [local, 18],
    [entry, 20],
  ] as const) {
    header.writeUInt32LE(content.byteLength, at);
    header.writeUInt32LE(content.byteLength, at + 4);
    header.writeUInt16LE(Buffer.byteLength(name), at + 8);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.byteLength + Buffer.byteLength(name), 12);
  end.writeUInt32LE(local.byteLength + Buffer.byteLength(name) + content.byteLength, 16);
  return Buffer.concat([local, Buffer.from(name), content, entry, Buffer.from(name), end]);
}

export function makeApp(version: string): Buffer {
  return makeZip("AndroidManifest.xml", makeManifest(version));
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
export function makeProgram(version: string | null, rest: Buffer = Buffer.alloc(0)): Buffer<ArrayBuffer> {
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
  }
  return Buffer.concat([file, rest]);
}
