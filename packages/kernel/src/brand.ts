declare const brand: unique symbol;

/** A value that was checked once at the border and is told apart from its like by name, at no cost at run time. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
