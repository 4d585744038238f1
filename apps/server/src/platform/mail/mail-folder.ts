import { link, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import { makeFolder } from "../files/make-folder.ts";
import { randomUUID } from "../runtime.ts";
import { type Mail, type Mailer, toMessage } from "./mailer.ts";

/**
 * Writes each mail to a file that mail programs open: `2026-01-31T12-00-00.000Z-<id>.eml`, so that
 * names sort by time.
 */
export function openMailFolder(folder: string, sender: string): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    async send(mail) {
      const { message } = await composer.sendMail(toMessage(mail, sender));
      await makeFolder(folder, 0o700);
      await writeOnce(path.join(folder, toFileName(mail)), message as Buffer);
      return "delivered";
    },
    close: () => composer.close(),
  };
}

function toFileName({ id, writtenAt }: Mail): string {
  return `${new Date(writtenAt).toISOString().replaceAll(":", "-")}-${id}.eml`;
}

/** Atomic, by a hard link. An existing file is this mail, written before a crash. */
async function writeOnce(file: string, content: Buffer): Promise<void> {
  const draft = path.join(path.dirname(file), `.${randomUUID()}.draft`);
  try {
    await writeFile(draft, content, { flag: "wx", mode: 0o600, flush: true });
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    // Also after a failed write: a full disk would otherwise collect one per attempt.
    await rm(draft, { force: true });
  }
}
