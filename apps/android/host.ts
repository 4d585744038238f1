import type { NativeHost } from "../../scripts/native/host.ts";
import { build } from "./build.ts";
import { FRAMEWORK } from "./resources.ts";

export const host: NativeHost = {
  buildTools: [
    // 17 is Debian's last version that writes bytecode which dx can read.
    { program: "javac", debianPackage: "openjdk-17-jdk-headless" },
    { program: "keytool", debianPackage: "openjdk-17-jre-headless" },
    { program: "aapt", debianPackage: "aapt" },
    { program: FRAMEWORK, debianPackage: "android-framework-res" },
    { program: "zipalign", debianPackage: "zipalign" },
    { program: "apksigner", debianPackage: "apksigner" },
  ],
  testTools: [{ program: "dexdump", debianPackage: "dexdump" }],
  build,
};
