// Cards and a position in the fragment of an address: `1.` (the number of the format), then JSON, deflated, base64url.
export const MOST = 1 << 20;
export const LONG = 2000;

const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

/** Return the fragment that carries some plain data. */
export async function packed(data) {
  const text = new TextEncoder().encode(JSON.stringify(data));
  const bytes = new Uint8Array(await new Response(through(text, new CompressionStream("deflate-raw"))).arrayBuffer());
  const base = btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(""));
  return `1.${base.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Return the data that a fragment carries; raises an Error with the key of a text for the reader. */
export async function unpacked(fragment) {
  const [, format, body] = /^(\d{1,4})\.(.*)$/s.exec(fragment) ?? [];
  if (!format) throw new Error("link is none");
  if (format !== "1") throw new Error("link is newer");
  const data = parsed(await inflated(bytesOf(body)));
  const isText = (one) => typeof one === "string";
  const names = Object.keys(data?.cards ?? {});
  if (typeof data !== "object" || !isText(data.game) || !names.every((one) => isText(data.cards[one]))) {
    throw new Error("link is cut");
  }
  if (!names.every(isName)) throw new Error("link has bad names");
  return data;
}

/** Whether a text can be the path of a card file in a folder. */
export const isName = (name) =>
  name.length <= 200 && /^[^/\\.:][^\\:]*\.ya?ml$/i.test(name) &&
  name.split("/").every((one) => one && !one.startsWith("."));

function bytesOf(body) {
  try {
    return Uint8Array.from(atob(body.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  } catch {
    throw new Error("link is cut");
  }
}

async function inflated(bytes) {
  const reader = through(bytes, new DecompressionStream("deflate-raw")).getReader(), parts = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read().catch(() => { throw new Error("link is cut"); });
    if (done) return new Blob(parts).text();
    size += value.length;
    if (size > MOST) {
      reader.cancel().catch(() => {});
      throw new Error("link is too large");
    }
    parts.push(value);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("link is cut");
  }
}
