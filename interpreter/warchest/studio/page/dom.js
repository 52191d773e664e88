// Elements of the page. Texts go in as texts, never as HTML.

/** Return an element with properties, attributes (`data-…`, `aria-…`, `role`, `for`), listeners (`on…`) and contents. */
export function make(name, given = {}, ...contents) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && !key.includes("-")) made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...contents.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false));
  return made;
}

/** Return the element of an id. */
export const part = (id) => document.getElementById(id);

/** Return a button. */
export const button = (text, act, given = {}) => make("button", { type: "button", onclick: act, ...given }, text);

/** Return a field with its label. */
export function field(label, control) {
  return make("label", { className: "field" }, make("span", {}, label), control);
}

/** Replace the contents of a part of the page; the focus stays on the element of the same name, or goes to the first
one. */ export function refill(box, ...contents) {
  const had = box.contains(document.activeElement) ? document.activeElement : null;
  const called = (one) => `${one.localName} ${one.getAttribute("aria-label") ?? one.textContent}`;
  const name = had && called(had);
  box.replaceChildren(...contents);
  if (!had) return;
  const found = [...box.querySelectorAll("button, select, input, summary")].filter((one) => !one.disabled && one.offsetParent);
  box.tabIndex = -1;
  (found.find((one) => called(one) === name) ?? found[0] ?? box).focus();
}

/** Return a list to choose from: texts, or pairs of a value and a text. */
export function choice(values, given = {}) {
  const options = values.map((one) => (Array.isArray(one) ? one : [one, one]));
  const made = make("select", given, options.map(([value, text]) => make("option", { value }, text)));
  if (given.value !== undefined) made.value = given.value;
  return made;
}

/** Call a function when nothing has happened for some milliseconds. */
export function quiet(milliseconds, act) {
  let timer = 0;
  const later = (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...given), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

/** Show a dialog until it is closed; return the value of the button that closed it, empty for none. Enter in a field
 * is the first button with a value. */
export function dialog(title, contents, buttons, className = "") {
  const inside = make("form", { method: "dialog" }, make("h2", { id: "dialog-title" }, title), contents,
    make("menu", {}, buttons.map(([value, text]) => (value
      ? make("button", { value, className: "main" }, text) : button(text, () => made.close())))));
  const made = make("dialog", { "aria-labelledby": "dialog-title", className }, inside);
  return opened(made);
}

/** Open a dialog that is made; return the value of the button that closes it. */
export function opened(made) {
  document.body.append(made);
  made.showModal();
  return new Promise((done) => made.addEventListener("close", () => {
    made.remove();
    done(made.returnValue);
  }));
}

/** Return tabs: pairs of a title and a panel; `chosen` is called with the number of the tab that is shown. */
export function tabs(label, pairs, chosen = () => {}) {
  const heads = pairs.map(([title, panel], number) => {
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-label", title);
    panel.tabIndex = 0;
    return button(title, () => show(number), { role: "tab", onkeydown: (event) => step(event, number) });
  });
  const show = (number) => {
    heads.forEach((one, at) => {
      one.setAttribute("aria-selected", at === number);
      one.tabIndex = at === number ? 0 : -1;
      pairs[at][1].hidden = at !== number;
    });
    chosen(number);
  };
  const step = (event, number) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const next = (number + by + heads.length) % heads.length;
    show(next);
    heads[next].focus();
  };
  const made = make("div", { className: "tabs" }, make("div", { role: "tablist", "aria-label": label }, heads),
    pairs.map(([, panel]) => panel));
  show(0);
  return { made, show };
}
