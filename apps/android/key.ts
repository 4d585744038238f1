/** Finds the signing key. Android accepts updates only with the same key. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { run } from "../../scripts/native/run.ts";

interface Key {
  /** A key store, PKCS #12 or JKS. */
  readonly file: string;
  readonly alias: string;
  /** Its first line is the password; other programs could read an argument. */
  readonly passwordFile: string;
}

const KEY_DIR = path.join(import.meta.dirname, "..", "..", ".cache", "native");
const VARIABLES = ["HOLO_ANDROID_KEYSTORE", "HOLO_ANDROID_KEY_ALIAS", "HOLO_ANDROID_PASSWORD_FILE"] as const;

/** The key named by the environment, else a development key. Throws if partly named or missing. */
export function findKey(env: NodeJS.ProcessEnv = process.env): Key {
  const [file, alias, passwordFile] = VARIABLES.map((name) => env[name]);
  if (file && alias && passwordFile) {
    const missing = [file, passwordFile].find((named) => !existsSync(named));
    if (missing !== undefined) throw new Error(`There is no ${missing}.`);
    return { file, alias, passwordFile };
  }
  if (file || alias || passwordFile) throw new Error(`A key is named by all of ${VARIABLES.join(", ")}, or by none.`);
  process.stderr.write("Signed with a key for development: not for players.\n");
  return provideDevelopmentKey();
}

function provideDevelopmentKey(): Key {
  const key = {
    file: path.join(KEY_DIR, "android-development.p12"),
    alias: "development",
    passwordFile: path.join(KEY_DIR, "android-development.password"),
  };
  if (existsSync(key.file)) return key;
  mkdirSync(KEY_DIR, { recursive: true });
  writeFileSync(key.passwordFile, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
  const kind = ["-keyalg", "RSA", "-keysize", "2048", "-validity", "10000", "-storetype", "PKCS12"];
  const owner = ["-alias", key.alias, "-dname", "CN=Holo Arena development"];
  run("keytool", ["-genkeypair", ...kind, ...owner, "-keystore", key.file, "-storepass:file", key.passwordFile]);
  return key;
}
