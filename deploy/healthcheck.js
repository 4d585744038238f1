/** Exits 0 if the server answers and can write; for containers, which have no curl. */
import process from "node:process";

const response = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).catch(() => null);
process.exit(response?.ok ? 0 : 1);
