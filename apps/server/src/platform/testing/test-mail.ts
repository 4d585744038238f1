import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

export interface ReadMail {
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

/** Parses a mail with a text and an HTML part in any MIME encoding. */
export function parseMail(source: string): ReadMail {
  const { headers, body } = splitPart(source);
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get("content-type") ?? "")?.[1];
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).slice(1, -1).map(splitPart);
  const find = (type: string): string => {
    const part = parts.find((one) => one.headers.get("content-type")?.startsWith(type));
    if (part === undefined) throw new Error(`the mail has no part of ${type}`);
    return decode(part.body.replace(/\r\n$/, ""), part.headers.get("content-transfer-encoding") ?? "7bit");
  };
  return { headers, text: find("text/plain"), html: find("text/html") };
}

export async function readMails(folder: string): Promise<readonly ReadMail[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".eml")).sort();
  return await Promise.all(names.map(async (name) => parseMail(await readFile(path.join(folder, name), "utf8"))));
}

function splitPart(source: string): { readonly headers: ReadonlyMap<string, string>; readonly body: string } {
  const trimmed = source.replace(/^\r\n/, "");
  const end = trimmed.indexOf("\r\n\r\n");
  const lines = trimmed
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { headers: new Map(headers), body: trimmed.slice(end + 4) };
}

function decode(body: string, encoding: string): string {
  switch (encoding.toLowerCase()) {
    case "base64":
      return Buffer.from(body, "base64").toString("utf8");
    case "quoted-printable": {
      const octets = body
        .replace(/[ \t]+\r\n/g, "\r\n")
        .replace(/=\r\n/g, "")
        .replace(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
      return Buffer.from(octets, "latin1").toString("utf8").replaceAll("\r\n", "\n");
    }
    default:
      return body.replaceAll("\r\n", "\n");
  }
}
