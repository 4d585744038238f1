/** Authenticode. Windows trusts a certificate more over time: keep one for all releases. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { run } from "../../scripts/native/run.ts";

interface Key {
  /** PKCS #12 with the key, its certificate and the intermediates. */
  readonly file: string;
  /** Its first line is the password; other programs could read an argument. */
  readonly passwordFile: string;
  /** An RFC 3161 server, so that the signature outlives its certificate; null without one. */
  readonly timestampUrl: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const FOLDER = path.join(import.meta.dirname, "..", "..", ".cache", "native");

export function sign(file: string, signed: string, name: string): void {
  const { file: keyFile, passwordFile, timestampUrl } = findKey(process.env);
  const key = ["-pkcs12", keyFile, "-readpass", passwordFile, "-h", "sha256"];
  const hour = timestampUrl === null ? [] : ["-ts", timestampUrl];
  // osslsigncode does not overwrite files.
  rmSync(signed, { force: true });
  run("osslsigncode", ["sign", ...key, "-n", name, ...hour, "-in", file, "-out", signed]);
}

/** The key named by the environment, else a development key. Throws if partly named or missing. */
export function findKey(env: Environment, folder: string = FOLDER): Key {
  const [file, passwordFile] = [env.HOLO_WINDOWS_KEYSTORE, env.HOLO_WINDOWS_PASSWORD_FILE];
  if (!file && !passwordFile) return provideDevelopmentKey(folder);
  if (!file || !passwordFile) throw new Error("A key needs both HOLO_WINDOWS_KEYSTORE and HOLO_WINDOWS_PASSWORD_FILE.");
  for (const named of [file, passwordFile]) if (!existsSync(named)) throw new Error(`There is no ${named}.`);
  return { file, passwordFile, timestampUrl: env.HOLO_WINDOWS_TIMESTAMP_URL || null };
}

function provideDevelopmentKey(folder: string): Key {
  process.stderr.write("Signed with a key for development: Windows warns of it.\n");
  const key = {
    file: path.join(folder, "windows-development.p12"),
    passwordFile: path.join(folder, "windows-development.password"),
    timestampUrl: null,
  };
  if (!existsSync(key.file)) makeDevelopmentKey(key);
  return key;
}

/** The key file is written last, so an interrupted run leaves no partial key. */
function makeDevelopmentKey({ file, passwordFile }: Key): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(passwordFile, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
  const [privateKey, certificate, store] = [`${file}.key`, `${file}.crt`, `${file}.new`] as const;
  const purpose = ["-addext", "extendedKeyUsage=codeSigning", "-addext", "keyUsage=digitalSignature"];
  const subject = ["-subj", "/CN=Holo Arena development", "-days", "3650", ...purpose];
  run("openssl", [
    "req",
    "-x509",
    "-newkey",
    "rsa:3072",
    "-noenc",
    ...subject,
    "-keyout",
    privateKey,
    "-out",
    certificate,
  ]);
  const pair = ["-inkey", privateKey, "-in", certificate];
  run("openssl", ["pkcs12", "-export", ...pair, "-out", store, "-passout", `file:${passwordFile}`]);
  rmSync(privateKey);
  rmSync(certificate);
  renameSync(store, file);
}
