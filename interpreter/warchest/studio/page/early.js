// The facts that the page gets about its home; the first connection is begun while the browser still reads the rest of
// the page.
import { connectEarly } from "./transport.js";

export const told = await (await fetch("./studio.json")).json();
if (typeof WebAssembly === "object" && typeof Worker === "function") connectEarly(told.home);
