// The board: the picture of a position, its parts as targets of clicks and keys, and marks on top.
const NAMESPACE = "http://www.w3.org/2000/svg";
const PARTS = "[data-space],[data-piece],[data-thing],[data-zone]";

const STYLE = `
:host { display: block; }
svg { width: 100%; height: auto; max-height: 78vh; display: block; }
.choosable { cursor: pointer; }
.on-can, .on-chosen, .on-aimed, .on-focus { fill: none !important; stroke-linejoin: round; pointer-events: none; }
.on-can { stroke: #b3123f !important; stroke-width: 3.5 !important; stroke-dasharray: 7 5; }
.on-chosen { stroke: #b3123f !important; stroke-width: 6 !important; }
.on-aimed { stroke: #1d5fa8 !important; stroke-width: 6 !important; }
.on-focus { stroke: #1d5fa8 !important; stroke-width: 3 !important; stroke-dasharray: 3 3; }
.arrow { fill: none; stroke: #1d5fa8; stroke-width: 5; stroke-linecap: round; }
.arrow.acts { stroke-dasharray: 8 7; }
.arrow.last { stroke: #b3123f; stroke-opacity: .65; }
.arrowhead { fill: #1d5fa8; } .arrowhead.last { fill: #b3123f; fill-opacity: .65; }
.overlay { pointer-events: none; }
svg:focus { outline: 3px solid #1d5fa8; outline-offset: 2px; }
`;

/** Whether a place of an option is what a part of the picture shows. */
export function isAt(place, part) {
  if (place.sort === "space" || place.sort === "piece") return part.space !== undefined && part.space === place.space;
  if (place.sort === "token") {
    return part.thing === place.name && part.zone === place.zone && (part.owner ?? "") === place.owner;
  }
  return part.thing !== undefined && part.thing === place.name;
}

/** A key for a place or a part, equal for those that are the same. */
export const keyOf = (one) => (one.space ? `at ${one.space}` : `${one.zone ?? ""}/${one.owner ?? ""}/${one.thing ?? one.name}`);

/** Return what the nearest part of the picture around an element shows; null for none. */
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

/** The board; `onpick` is called with what a part shows that was clicked, `onaim` while the pointer is on it. */
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
    this.aims = [];
    this.at = -1;
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
    const had = this.root.activeElement !== null;
    this.root.replaceChildren(this.svg);
    if (had) this.svg.focus();
  }

  /** Mark places: pairs of a place and a class. The places that can be chosen are reached by the arrow keys, too. */
  mark(pairs) {
    for (const one of this.root.querySelectorAll(".choosable")) one.classList.remove("choosable");
    this.over.replaceChildren();
    this.aims = pairs.filter(([, name]) => name === "can" || name === "chosen").map(([place]) => place);
    for (const [place, name] of pairs) {
      for (const element of this.elements(place)) {
        if (name === "can" || name === "chosen") element.classList.add("choosable");
        this.over.append(this.outline(element, `on-${name}`));
      }
    }
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
    return made;
  }

  /** Draw motions on the board as arrows: `{kind, start, end}`; a class tells those of the last decision. */
  arrows(found, name = "") {
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

  /** Go through the places that can be chosen by the arrow keys, and choose one by Enter or the space bar. */
  key(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by && this.aims.length) {
      this.at = (this.at + by + this.aims.length) % this.aims.length;
      this.focus(this.aims[this.at]);
    } else if ((event.key === "Enter" || event.key === " ") && this.aims[this.at]) {
      const place = this.aims[this.at];
      this.onpick({ space: place.space || undefined, thing: place.name, zone: place.zone, owner: place.owner });
    } else if (event.key === "Escape") {
      this.onpick(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  focus(place) {
    for (const one of this.over.querySelectorAll(".on-focus")) one.remove();
    for (const element of this.elements(place)) this.over.append(this.outline(element, "on-focus"));
    this.onaim({ space: place.space || undefined, thing: place.name, zone: place.zone, owner: place.owner });
  }
}
