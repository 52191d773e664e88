// The session with the language server: requests, the open texts, and recovery when no answer comes.
import { LSPClient, LSPPlugin, Text, Workspace } from "./codemirror.js";
import { connect } from "./transport.js";

/** The milliseconds after which a session that does not answer is ended, and a new one begun: more for long texts. */
const PATIENCE = 10_000, EACH = 0.5;
const START = 60_000;

/** A text that the server knows: the editor shows one of them, the others keep their documents here. */
class OpenText {
  constructor(uri, text) {
    Object.assign(this, { uri, languageId: "yaml", version: 0, doc: Text.of(text.split("\n")), view: null });
  }

  getView() {
    return this.view;
  }
}

class OpenTexts extends Workspace {
  files = [];

  syncFiles() {
    const found = [];
    for (const file of this.files) {
      const plugin = file.view && LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty) continue;
      found.push({ changes: plugin.unsyncedChanges, file, prevDoc: file.doc });
      file.doc = file.view.state.doc;
      file.version += 1;
      plugin.clear();
    }
    return found;
  }

  openFile(uri, _, view) {
    this.open(uri, view.state.doc.toString()).view = view;
  }

  closeFile(uri) {
    const file = this.getFile(uri);
    if (file) file.view = null;
  }

  displayFile(uri, place) {
    return this.shown?.(uri, place) ?? Promise.resolve(null);
  }

  /** Open a text, or replace one that is open; return it. */
  open(uri, text) {
    let file = this.getFile(uri);
    if (!file) {
      file = new OpenText(uri, text);
      this.files.push(file);
      this.client.didOpen(file);
    } else if (file.doc.toString() !== text) {
      file.doc = Text.of(text.split("\n"));
      file.version += 1;
      this.client.notification("textDocument/didChange", {
        textDocument: { uri, version: file.version }, contentChanges: [{ text }],
      });
    }
    return file;
  }

  close(uri) {
    if (!this.getFile(uri)) return;
    this.files = this.files.filter((one) => one.uri !== uri);
    this.client.didClose(uri);
  }
}

/** A session: `onslow` is called when an answer takes longer than usual because of long texts, and when it is there;
 * `onstate` receives "starting", "ready" or "lost", with a reason; `onstart` prepares each new session. */
export class Session {
  constructor(home, extensions, choices) {
    this.home = home;
    this.choices = choices;
    this.handlers = new Map();
    this.onstate = () => {};
    this.onstart = async () => {};
    this.onslow = () => {};
    this.heard = 0;
    this.client = new LSPClient({
      timeout: 2 ** 30, extensions, initializationOptions: choices, workspace: (client) => new OpenTexts(client),
      unhandledNotification: (_, method, params) => this.handlers.get(method)?.(params),
    });
    this.texts = this.client.workspace;
  }

  /** Call a function for each notification of a method. */
  on(method, act) {
    this.handlers.set(method, act);
  }

  /** Begin a session; return when it answers. */
  async start() {
    this.onstate("starting", "");
    const connection = (this.connection = connect(this.home));
    connection.onstage = (stage) => this.onstate("starting", stage);
    connection.closed.then((reason) => this.connection === connection && this.lost(reason));
    await within(START, connection.ready);
    this.client.connect({
      send: (text) => connection.send(text),
      subscribe: (act) => {
        connection.onmessage = (text) => {
          this.heard = performance.now();
          act(text);
        };
      },
      unsubscribe: () => { connection.onmessage = () => {}; },
    });
    await within(START, this.client.initializing);
    await this.onstart();
    this.onstate("ready", "");
  }

  /** End the session that is lost: all its requests fail. */
  lost(reason) {
    const connection = this.connection;
    this.connection = null;
    this.client.disconnect();
    for (const one of this.client.requests.splice(0)) {
      clearTimeout(one.timeout);
      one.reject(new Error(reason || "the session has ended"));
    }
    connection?.end();
    this.onstate("lost", reason);
  }

  /** The number of characters of the open texts. */
  get length() {
    return this.texts.files.reduce((sum, one) => sum + one.doc.length, 0);
  }

  /** Send the changes of the editor, then a request; a session that does not answer in time is ended. */
  async request(method, params, patience = PATIENCE) {
    if (!this.connection) throw new Error("the session has ended");
    this.client.sync();
    const stop = this.watch(patience);
    try {
      return await this.client.request(method, params);
    } catch (error) {
      throw plain(error);
    } finally {
      stop();
    }
  }

  /** End the session when it has been silent for the given milliseconds, and more for long texts; `onslow` reports
  texts that take longer than usual. Return the end of watching. */ watch(patience) {
    const begun = performance.now();
    let timer = 0, isSlow = false;
    const look = () => {
      const passed = performance.now() - Math.max(begun, this.heard), most = patience + EACH * this.length;
      if (passed >= most) {
        this.lost("no answer");
        return;
      }
      if (passed >= patience && !isSlow) this.onslow((isSlow = true));
      timer = setTimeout(look, (passed < patience ? patience : most) - passed + 1);
    };
    timer = setTimeout(look, patience);
    return () => {
      clearTimeout(timer);
      if (isSlow) this.onslow(false);
    };
  }
}

/** Run a long request on a connection of its own, with the open texts of a session; return `{done, stop}`. */
export function job(session, method, params, progress) {
  const connection = connect(session.home), texts = session.texts.files;
  const say = (message) => connection.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const done = (async () => {
    await within(START, connection.ready);
    return new Promise((resolve, reject) => {
      connection.closed.then((reason) => reject(new Error(reason || "stopped")));
      connection.onmessage = (text) => {
        const message = JSON.parse(text);
        if (message.method === "warchest/progress") progress(message.params);
        else if (message.id === 1) {
          say({ method: "initialized", params: {} });
          for (const one of texts) {
            say({ method: "textDocument/didOpen", params: { textDocument: {
              uri: one.uri, languageId: "yaml", version: 0, text: one.doc.toString() } } });
          }
          say({ id: 2, method, params });
        } else if (message.id === 2) {
          if (message.error) reject(plain(message.error));
          else resolve(message.result);
        }
      };
      say({ id: 1, method: "initialize", params: {
        processId: null, rootUri: null, capabilities: {}, initializationOptions: session.choices } });
    });
  })();
  done.catch(() => {}).then(() => connection.end());
  return { done, stop: () => connection.end() };
}

/** Return an error without the name of the parameter in front of its message: that is for programs. */
function plain(error) {
  const head = `${error.data?.field}: `;
  return error.data && error.message.startsWith(head) ? { ...error, message: error.message.slice(head.length) } : error;
}

function within(milliseconds, promise) {
  let timer = 0;
  const late = new Promise((_, fail) => { timer = setTimeout(() => fail(new Error("no answer")), milliseconds); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
