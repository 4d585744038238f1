declare const brand: unique symbol;

/** A value that was validated once at the boundary. The name exists in the type system only. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
