import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { FilesLocation } from "../platform/files/files.ts";
import { decode, url } from "./variable-types.ts";

type Disk = Extract<FilesLocation, { type: "disk" }>;
type Bucket = Omit<Extract<FilesLocation, { type: "s3" }>, "draftsFolder">;

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^([a-z0-9][a-z0-9.-]*\/)*$/;
const REGION = /^[a-z0-9-]{1,40}$/;

/** `file:///folder`, or `s3://key:secret@bucket/prefix?region=..&endpoint=..`. */
export function filesUrl(endpointProtocols: readonly string[]) {
  return url("file:", "s3:").transform((value, context): Disk | Bucket => {
    const place = new URL(value);
    const folder = toFolder(value, place);
    const faults =
      place.protocol === "s3:"
        ? findBucketFaults(readBucket(place), endpointProtocols)
        : [folder === null && "must name a folder of this machine, as file:///folder"];
    for (const message of faults) if (message) context.addIssue({ code: "custom", message });
    if (place.protocol === "s3:") return readBucket(place);
    return folder === null ? z.NEVER : { type: "disk", folder };
  });
}

/** Null if it names no folder: `URL` reads `file:files` as `/files`, and `file://` as `/`. */
function toFolder(value: string, place: URL): string | null {
  const isReadable = decode(place.pathname) !== "" && !/%(2f|00)/i.test(place.pathname);
  return /^file:\/\/\/./.test(value) && place.search === "" && isReadable ? fileURLToPath(place) : null;
}

/** The default endpoint is Amazon's. */
function readBucket(place: URL): Bucket {
  const region = place.searchParams.get("region") ?? "";
  const endpoint = place.searchParams.get("endpoint") ?? `https://s3.${region}.amazonaws.com`;
  const folder = place.pathname.replace(/^\/+|\/+$/g, "");
  return {
    type: "s3",
    endpoint: endpoint.replace(/\/+$/, ""),
    region,
    bucket: place.host,
    prefix: folder === "" ? "" : `${folder}/`,
    accessKeyId: decode(place.username),
    secretAccessKey: decode(place.password),
  };
}

function findBucketFaults(found: Bucket, protocols: readonly string[]): readonly (string | false)[] {
  const { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey } = found;
  const isEndpoint = URL.canParse(endpoint) && protocols.includes(new URL(endpoint).protocol);
  return [
    (accessKeyId === "" || secretAccessKey === "") && "must carry key and secret, as s3://key:secret@bucket",
    !(BUCKET.test(bucket) && PREFIX.test(prefix)) && "must name a bucket, and may name a folder in it",
    !REGION.test(region) && "must name a region, as ?region=af-south-1",
    !isEndpoint && `must have an endpoint that begins with ${protocols.join("// or ")}//`,
  ];
}
