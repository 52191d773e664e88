// Python in a worker. It exchanges {text} with the page, each a message of JSON-RPC; until it is {ready} it tells each
// {stage}, and {failed} if it cannot begin. All files are beside this one; nothing is fetched from anywhere else.
import { place, unpacked } from "./archive.js";
import places from "./places.js";

let session = null;
const waiting = [];
const turn = new MessageChannel();
let isIdle = true;

onmessage = ({ data }) => {
  if (typeof data?.text !== "string") return;
  if (session === null) waiting.push(data.text);
  else receive(data.text);
};

function receive(text) {
  session.receive(text);
  if (isIdle && session.has_work) {
    isIdle = false;
    turn.port2.postMessage(null);
  }
}

// A step of the work for idle moments; messages that have come meanwhile are handled before the next one.
turn.port1.onmessage = () => {
  session.work_idly();
  isIdle = !session.has_work;
  if (!isIdle) turn.port2.postMessage(null);
};

/** Start Python with the files of the archives that it needs at once. */
async function started() {
  const at = new URL(".", import.meta.url).href, fetched = (name) => fetch(new URL(name, at)).then(unpacked);
  // Without native machines of the shipped games the page is slower, and lacks nothing else.
  const native = places.native ? fetched(places.native).catch((error) => console.warn(String(error))) : undefined;
  const first = fetched(places.first);
  first.catch(() => {}); // it is awaited below
  const { loadPyodide } = await import(`${places.pyodide}pyodide.mjs`);
  return loadPyodide({
    indexURL: new URL(places.pyodide, at).href, packageBaseUrl: at, lockFileContents: places.lock,
    stdLibURL: new URL(places.empty, at).href,
    fsInit: async (FS) => {
      for (const tar of [await first, await native]) if (tar) place(FS, "/lib", tar);
    },
    env: { WARCHEST_CACHE: "", PYTHONPATH: "/lib/python3.14", HOME: "/home/pyodide" },
    stdout: () => {}, stderr: (line) => console.warn(line),
  });
}

/** Unpack the second archive, while Python waits. */
function fetchFurther(python) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(places.further, import.meta.url), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${places.further}: ${request.status}`);
  const zlib = python.pyimport("zlib"), data = python.toPy(new Uint8Array(request.response));
  const made = zlib.decompress(data, 31), buffer = made.getBuffer();
  place(python.FS, "/lib", buffer.data);
  buffer.release();
  for (const one of [made, data, zlib]) one.destroy();
}

try {
  postMessage({ stage: "starting Python" });
  const python = await started();
  postMessage({ stage: "reading the cards" });
  session = python.pyimport("warchest.studio.inside").begin((text) => postMessage({ text }), () => fetchFurther(python));
  postMessage({ ready: true });
} catch (error) {
  postMessage({ failed: String(error?.message ?? error) });
}
for (const text of session === null ? [] : waiting.splice(0)) receive(text);
