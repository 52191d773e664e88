// The board: the picture of a position, its parts as targets of clicks and keys, and marks on top.
const NAMESPACE = "http://www.w3.org/2000/svg";
const PARTS = "[data-space],[data-piece],[data-thing],[data-zone]";

const STYLE = `
:host { display: block; user-select: none; }
svg { width: 100%; height: auto; max-height: 78vh; display: block; }
.choosable { cursor: pointer; }
.on-can, .on-chosen, .on-aimed, .on-focus { fill: none !important; stroke-linejoin: round; pointer-events: none; }
.on-can { stroke: #b3123f !important; stroke-width: 3.5 !important; stroke-dasharray: 7 5; }
.on-chosen { stroke: #b3123f !important; stroke-width: 6 !important; }
.on-aimed { stroke: #1d5fa8 !important; stroke-width: 6 !important; }
.on-focus { stroke: #1d5fa8 !important; stroke-width: 5 !important; }
.on-focus.under { stroke: #ffffff !important; stroke-width: 10 !important; }
.arrow { fill: none; stroke: #1d5fa8; stroke-width: 5; stroke-linecap: round; }
.arrow.acts { stroke-dasharray: 8 7; }
.arrow.last { stroke: #b3123f; stroke-opacity: .65; }
.arrowhead { fill: #1d5fa8; } .arrowhead.last { fill: #b3123f; fill-opacity: .65; }
.overlay { pointer-events: none; }
svg:focus-visible { outline: 3px solid #1d5fa8; outline-offset: -3px; }
svg.upright { max-height: none; }
.told { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/** The width of the page's part, in pixels, below which the things beside a board are put under it. */
const NARROW = 520;
const MARGIN = 28;
/** The height, in the units of a picture, within which places are in the same line for the arrow keys. */
const LINE = 12;
const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** Whether a part of the picture shows a place of an option. */
export function isAt(place, part) {
  if (place.sort === "space" || place.sort === "piece") return part.space !== undefined && part.space === place.space;
  if (place.sort === "token") {
    return part.thing === place.name && part.zone === place.zone && (part.owner ?? "") === place.owner;
  }
  return part.thing !== undefined && part.thing === place.name;
}

/** A key for a place or a part, equal for those that are the same. */
export const keyOf = (one) => (one.space ? `at ${one.space}` : `${one.zone ?? ""}/${one.owner ?? ""}/${one.thing ?? one.name}`);

/** Return the data of the nearest part of the picture around an element; null for none. */
export function partOf(element) {
  const found = element.closest?.(PARTS);
  if (!found) return null;
  const data = { ...found.dataset };
  const around = found.parentElement?.closest(PARTS);
  if (data.space === undefined && around) {
    for (const key of ["space", "zone", "owner"]) data[key] ??= around.dataset[key];
  }
  return data;
}

/** Return an element with a picture that cannot be clicked, in the sheet of its game. */
export function picture(svg, style) {
  const host = document.createElement("div"), sheet = new CSSStyleSheet();
  sheet.replaceSync(`${style} svg { width: 100%; height: auto; }`);
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheet];
  root.append(drawing(svg));
  return host;
}

/** Return the drawing of a text of SVG; raises an Error if it is none. */
function drawing(svg) {
  const found = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (found.namespaceURI !== NAMESPACE) throw new Error("no picture");
  return document.importNode(found, true);
}

/** The board; `onpick` is called with the data of a part that was clicked, `onaim` with that under the pointer. */
export class Board {
  constructor(host, labels) {
    this.host = host;
    this.labels = labels;
    this.onpick = this.onaim = this.ondrop = () => {};
    this.root = host.attachShadow({ mode: "open" });
    this.sheet = new CSSStyleSheet();
    this.sheet.replaceSync(STYLE);
    this.pictured = new CSSStyleSheet();
    this.root.adoptedStyleSheets = [this.sheet, this.pictured];
    this.root.addEventListener("click", (event) => {
      const part = partOf(event.target);
      if (part) this.onpick(part);
    });
    this.root.addEventListener("pointerover", (event) => this.onaim(partOf(event.target)));
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.root.addEventListener("focusin", () => this.point());
    this.root.addEventListener("focusout", () => this.leave());
    this.told = Object.assign(document.createElement("div"), { className: "told" });
    this.told.setAttribute("role", "status");
    this.marked = [];
    this.drawn = [];
    this.at = "";
    /** Where the place of the keyboard was seen last, in the units of the picture. */
    this.seen = { x: 0, y: 0 };
    this.width = 0;
    new ResizeObserver(() => host.clientWidth !== this.width && requestAnimationFrame(() => this.fit())).observe(host);
  }

  /** Take the sheet of all pictures of a game. */
  style(text) {
    this.pictured.replaceSync(text);
  }

  /** Show a picture. */
  show(svg) {
    this.svg = drawing(svg);
    this.svg.setAttribute("tabindex", "0");
    this.svg.setAttribute("role", "application");
    this.svg.setAttribute("aria-roledescription", this.labels.board);
    this.over = document.createElementNS(NAMESPACE, "g");
    this.over.setAttribute("aria-hidden", "true");
    this.over.setAttribute("class", "overlay");
    this.svg.append(this.over);
    this.size = { width: this.svg.viewBox.baseVal.width, height: this.svg.viewBox.baseVal.height };
    this.aside = null;
    const had = this.root.activeElement !== null;
    this.root.replaceChildren(this.svg, this.told);
    this.arrange();
    if (had) this.focus();
  }

  /** Give the keyboard to the board. */
  focus() {
    this.svg.focus();
  }

  /** Lay the picture out again for the available width, with its marks. */
  fit() {
    if (!this.svg || !this.host.clientWidth) return;
    const { marked, drawn } = this;
    this.arrange();
    this.mark(marked);
    for (const [found, name] of drawn) this.arrows(found, name);
  }

  /** Put the things beside the board under it, and larger, where there is little width; otherwise beside it. */
  arrange() {
    this.width = this.host.clientWidth;
    const isNarrow = this.width > 0 && this.width < NARROW;
    if (isNarrow && !this.aside) this.separate();
    const paper = this.svg.querySelector(".paper");
    let { width, height } = this.size;
    this.svg.classList.toggle("upright", isNarrow);
    this.aside?.removeAttribute("transform");
    if (isNarrow && this.aside.childElementCount) {
      const kept = [...this.svg.children].filter((one) => one.getBBox && one !== this.aside && one !== paper && one !== this.over)
        .map((one) => one.getBBox()), beside = this.aside.getBBox();
      width = Math.max(...kept.map((one) => one.x + one.width)) + MARGIN;
      const foot = Math.max(...kept.map((one) => one.y + one.height)) + MARGIN / 2, by = (width - 2 * MARGIN) / beside.width;
      height = foot + beside.height * by + MARGIN;
      this.aside.setAttribute("transform", `translate(${MARGIN - beside.x * by} ${foot - beside.y * by}) scale(${by})`);
    }
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    for (const one of [this.svg, paper].filter(Boolean)) {
      one.setAttribute("width", width);
      one.setAttribute("height", height);
    }
  }

  /** Gather in one group all that is to the right of the board. */
  separate() {
    const end = Math.max(0, ...[...this.svg.querySelectorAll(".cell")].map((one) => one.getBBox()).map((box) => box.x + box.width));
    this.aside = document.createElementNS(NAMESPACE, "g");
    const beside = end > 0 ? [...this.svg.children].filter((one) => one.getBBox && one !== this.over && one.getBBox().x >= end) : [];
    this.aside.append(...beside);
    this.svg.insertBefore(this.aside, this.over);
  }

  /** Mark places: pairs of a place and a class. The places that can be chosen are reached by the arrow keys, too. */
  mark(pairs) {
    for (const one of this.root.querySelectorAll(".choosable")) one.classList.remove("choosable");
    this.over.replaceChildren();
    this.marked = pairs;
    this.drawn = [];
    for (const [place, name] of pairs) {
      for (const element of this.elements(place)) {
        if (name === "can" || name === "chosen") element.classList.add("choosable");
        this.over.append(this.outline(element, `on-${name}`));
      }
    }
    this.point();
  }

  /** Return the elements that show a place: cells for spaces, chips for things in zones. */
  elements(place) {
    if (place.sort === "space" || place.sort === "piece") {
      return place.space ? [...this.root.querySelectorAll(`.cell[data-space="${CSS.escape(place.space)}"]`)] : [];
    }
    return [...this.root.querySelectorAll(`[data-thing="${CSS.escape(place.name ?? "")}"]`)]
      .filter((one) => isAt(place, partOf(one)));
  }

  outline(element, name) {
    let made;
    if (["polygon", "rect", "circle", "path"].includes(element.localName)) {
      made = element.cloneNode(false);
      for (const key of ["id", "data-space", "data-thing", "style"]) made.removeAttribute(key);
    } else {
      const box = element.getBBox();
      made = document.createElementNS(NAMESPACE, "rect");
      const sizes = { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4, rx: 6 };
      for (const [key, value] of Object.entries(sizes)) made.setAttribute(key, value);
    }
    made.setAttribute("class", name);
    if (this.aside?.contains(element)) made.setAttribute("transform", this.aside.getAttribute("transform") ?? "");
    return made;
  }

  /** Draw motions on the board as arrows: `{kind, start, end}`; a class tells those of the last decision. */
  arrows(found, name = "") {
    this.drawn.push([found, name]);
    for (const one of found) {
      const [a, b] = [this.centre(one.start), this.centre(one.end)];
      if (!a || !b || (a.x === b.x && a.y === b.y)) continue;
      const angle = Math.atan2(b.y - a.y, b.x - a.x), short = 20;
      const end = { x: b.x - short * Math.cos(angle), y: b.y - short * Math.sin(angle) };
      const line = document.createElementNS(NAMESPACE, "path");
      line.setAttribute("d", `M${a.x} ${a.y}L${end.x} ${end.y}`);
      line.setAttribute("class", `arrow ${one.kind} ${name}`);
      const head = document.createElementNS(NAMESPACE, "path");
      const turn = (by) => `${end.x - 16 * Math.cos(angle + by)} ${end.y - 16 * Math.sin(angle + by)}`;
      head.setAttribute("d", `M${b.x - 8 * Math.cos(angle)} ${b.y - 8 * Math.sin(angle)}L${turn(0.5)}L${turn(-0.5)}Z`);
      head.setAttribute("class", `arrowhead ${name}`);
      this.over.append(line, head);
    }
  }

  centre(space) {
    const cell = space && this.root.querySelector(`.cell[data-space="${CSS.escape(space)}"]`);
    if (!cell) return null;
    const box = cell.getBBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  // ---- the keyboard

  /** Go through the places that can be chosen by the arrow keys, with Shift or where none can be through all places;
   * choose one by Enter or the space bar. */
  key(event) {
    const step = STEPS[event.key], targets = this.targets();
    const at = targets.find((one) => one.key === this.at);
    if (step) {
      const can = targets.filter((one) => one.isChoosable);
      this.go(event.shiftKey || !can.length ? targets : can, at, step);
    } else if ((event.key === "Enter" || event.key === " ") && at) {
      this.onpick(at.part);
    } else if (event.key === "Escape" && targets.some((one) => one.isChoosable)) {
      this.onpick(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Return the places of the picture in the order of reading: spaces, things, and empty zones. */
  targets() {
    const found = new Map(), frame = this.svg.getBoundingClientRect();
    for (const element of this.svg.querySelectorAll(".cell[data-space],[data-thing],[data-zone]:not(:has([data-thing]))")) {
      const part = partOf(element), box = element.getBoundingClientRect(), scale = this.svg.getScreenCTM()?.a || 1;
      const key = `${keyOf(part)} ${part.space ? part.thing ?? "" : ""}`;
      if (found.has(key) || !box.width) continue;
      found.set(key, { key, part, element, isChoosable: element.classList.contains("choosable"),
        x: (box.x - frame.x + box.width / 2) / scale, y: (box.y - frame.y + box.height / 2) / scale });
    }
    return [...found.values()].sort((a, b) => Math.round(a.y / LINE) - Math.round(b.y / LINE) || a.x - b.x);
  }

  /** Go to the next place to the left or right in the order of reading, or to the nearest one above or below. */
  go(targets, from, [right, down]) {
    if (!targets.length) return;
    let next = right < 0 ? targets.at(-1) : targets[0];
    if (from && right) {
      const after = targets.filter((one) => (before(from, one) ? right > 0 : before(one, from) && right < 0));
      next = (right > 0 ? after[0] : after.at(-1)) ?? next;
    } else if (from) {
      const far = (one) => Math.abs(one.y - from.y) + 2 * Math.abs(one.x - from.x);
      const beyond = targets.filter((one) => (one.y - from.y) * down > LINE / 2);
      next = beyond.sort((a, b) => far(a) - far(b))[0] ?? from;
    }
    this.at = next.key;
    this.point();
    this.told.textContent = this.called(next);
    this.onaim(next.part);
  }

  /** Outline the place at which the keyboard is; where a coin or a zone is gone, go to the nearest place. */
  point() {
    for (const one of this.over.querySelectorAll(".on-focus")) one.remove();
    if (!this.at || this.root.activeElement !== this.svg) return;
    const targets = this.targets(), far = (one) => Math.hypot(one.x - this.seen.x, one.y - this.seen.y);
    let at = targets.find((one) => one.key === this.at);
    if (!at && targets.length) {
      at = targets.reduce((a, b) => (far(b) < far(a) ? b : a));
      this.told.textContent = this.called(at);
    }
    if (!at) return;
    Object.assign(this, { at: at.key, seen: { x: at.x, y: at.y } });
    this.over.append(this.outline(at.element, "on-focus under"), this.outline(at.element, "on-focus"));
  }

  leave() {
    for (const one of this.over.querySelectorAll(".on-focus")) one.remove();
  }

  /** Return a text for a place: its name, its contents, and whether it can be chosen. */
  called({ part, isChoosable }) {
    const there = part.space === undefined ? [] : [...this.svg.querySelectorAll(`[data-space="${CSS.escape(part.space)}"] [data-piece]`)]
      .map((one) => `${one.dataset.piece} (${one.dataset.owner ?? ""})`);
    return [part.space, part.thing, ...there, part.space === undefined && part.zone, part.space === undefined && part.owner,
      isChoosable && this.labels.can].filter(Boolean).join(", ");
  }
}

/** Whether a place is before another one in the order of reading. */
const before = (a, b) => Math.round(a.y / LINE) < Math.round(b.y / LINE) || (Math.round(a.y / LINE) === Math.round(b.y / LINE) && a.x < b.x);
