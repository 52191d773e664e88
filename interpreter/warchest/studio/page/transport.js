// The two ways to a session: a WebSocket to this computer, or a worker with Python in it. Both carry texts of messages.

/** The connection that was begun in advance, until it is taken. */
let early = null;

/** Return a connection: `send`, `onmessage`, `onstage`, `ready`, `closed` (a promise with a reason) and `end`. */
export function connect(home) {
  const made = early ?? (home === "folder" ? bySocket() : byWorker());
  early = null;
  return made;
}

/** Begin the first connection, which takes a while, before the rest of the page is there. */
export function connectEarly(home) {
  early = connect(home);
}

function connection() {
  const made = { onmessage: () => {}, onstage: () => {} };
  made.ready = new Promise((done, fail) => Object.assign(made, { _done: done, _fail: fail }));
  made.closed = new Promise((done) => { made._closed = done; });
  made.ready.catch(() => {});
  return made;
}

function bySocket() {
  const address = new URL("session", location.href.replace(/^http/, "ws"));
  address.search = location.search;
  address.hash = "";
  const socket = new WebSocket(address), made = connection();
  socket.onopen = () => made._done();
  socket.onmessage = ({ data }) => made.onmessage(data);
  socket.onclose = ({ reason }) => {
    made._fail(new Error(reason || "no connection"));
    made._closed(reason);
  };
  made.send = (text) => socket.send(text);
  made.end = () => socket.close();
  return made;
}

function byWorker() {
  const worker = new Worker("./worker.js", { type: "module" }), made = connection();
  worker.onmessage = ({ data }) => {
    if (data.text !== undefined) made.onmessage(data.text);
    else if (data.stage) made.onstage(data.stage);
    else if (data.ready) made._done();
    else if (data.failed) fail(data.failed);
  };
  const fail = (reason) => {
    made._fail(new Error(reason));
    made._closed(reason);
  };
  worker.onerror = (event) => fail(event.message || "the worker failed");
  made.send = (text) => worker.postMessage({ text });
  made.end = () => {
    worker.terminate();
    made._closed("");
  };
  return made;
}
