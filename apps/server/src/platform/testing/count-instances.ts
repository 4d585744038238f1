import { Session } from "node:inspector/promises";

const HELD = "holoCountedPrototype";

/** After a garbage collection. `queryObjects` of node:v8 does the same, but is experimental. */
export async function countInstances(type: { readonly prototype: object }): Promise<number> {
  const session = new Session();
  session.connect();
  Reflect.set(globalThis, HELD, type.prototype);
  try {
    const { result } = await session.post("Runtime.evaluate", { expression: HELD });
    const { objects } = await session.post("Runtime.queryObjects", { prototypeObjectId: result.objectId! });
    const counted = await session.post("Runtime.callFunctionOn", {
      objectId: objects.objectId!,
      functionDeclaration: "function () { return this.length; }",
    });
    return counted.result.value;
  } finally {
    Reflect.deleteProperty(globalThis, HELD);
    session.disconnect();
  }
}
