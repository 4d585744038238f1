import { assertNever } from "@holo/kernel/assert.ts";
import { openDiskFiles } from "./disk-files.ts";
import type { Files, FilesLocation } from "./files.ts";
import { openS3Files } from "./s3-files.ts";

export function openFiles(place: FilesLocation): Files {
  switch (place.type) {
    case "disk":
      return openDiskFiles(place.folder);
    case "s3":
      return openS3Files(place);
    default:
      return assertNever(place);
  }
}
