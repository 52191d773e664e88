// Texts that are kept in the browser: drafts until they are saved, and in an exported page the folder itself.
const failed = new Set();

function read(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

function write(key, value) {
  try {
    if (Object.keys(value).length) localStorage.setItem(key, JSON.stringify(value));
    else localStorage.removeItem(key);
    failed.delete(key);
  } catch {
    failed.add(key);
  }
  return !failed.has(key);
}

/** A table of values by name under a key of the browser's storage. */
export class Kept {
  constructor(key) {
    this.key = `warchest-studio ${key}`;
  }

  all() {
    return read(this.key);
  }

  get(name) {
    return this.all()[name];
  }

  /** Keep a value; return whether the browser has room for it. */
  set(name, value) {
    return write(this.key, { ...this.all(), [name]: value });
  }

  remove(name) {
    const { [name]: _, ...others } = this.all();
    write(this.key, others);
  }

  clear() {
    write(this.key, {});
  }
}
