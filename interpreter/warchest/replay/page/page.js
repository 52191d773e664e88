"use strict";

// The page of a replay. Texts go into it as texts only, and pictures are read as XML; nothing is loaded.

const element = (id) => document.getElementById(id);
const game = JSON.parse(element("game").textContent);
const words = JSON.parse(element("words").textContent);
const seats = new Map(game.seats.map((seat) => [seat.name, seat]));
const last = game.views[0].steps.length - 1;
const chooser = element("viewer");
const SECONDS = 1.2; // how long a step is shown while the game plays

let view = game.views[0];
let step = -1;
let playing = 0;
let writing = 0;

const filled = (phrase, things) => phrase.replace(/\{(\w+)\}/g, (gap, key) => things[key] ?? gap);

function made(tag, kind, text) {
  const one = document.createElement(tag);
  if (kind) one.className = kind;
  if (text !== undefined) one.textContent = text;
  return one;
}

// ---- pictures

function picture(number) {
  const text = game.pictures[number].map((line) => game.lines[line]).join("\n");
  const read = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  // The policy of the page allows no attributes for style, but properties that a script sets.
  for (const one of read.querySelectorAll("[data-style]")) one.style.cssText = one.dataset.style;
  return read;
}

function fill(slots, numbers, tag) {
  while (slots.children.length > numbers.length) slots.lastElementChild.remove();
  numbers.forEach((number, place) => {
    const slot = slots.children[place] ?? slots.appendChild(made(tag));
    if (slot.dataset.picture === String(number)) return;
    slot.dataset.picture = number;
    slot.replaceChildren(picture(number));
  });
}

// ---- steps

function said(number) {
  return number ? game.lines[view.steps[number][4][0]] ?? "–" : words.start;
}

function show(number) {
  number = Math.min(Math.max(number, 0), last);
  const [board, beside, signs, facts] = view.steps[number];
  fill(element("board"), [board], "div");
  fill(element("beside"), beside, "div");
  fill(element("signs"), signs, "li");
  element("facts").textContent = game.lines[facts];
  element("said").textContent = said(number);
  const count = filled(words.of, {number, all: last});
  element("count").textContent = count;
  element("step").value = number;
  element("step").setAttribute("aria-valuetext", `${count}: ${said(number)}`);
  for (const [id, end] of [["first", 0], ["back", 0], ["on", last], ["last", last]]) {
    element(id).setAttribute("aria-disabled", number === end);
  }
  mark(number);
  step = number;
}

function go(number) {
  show(number);
  clearTimeout(writing);
  // Browsers count how often an address is written.
  writing = setTimeout(() => {
    try {
      history.replaceState(null, "", address(step));
    } catch {
      // Where a page has no address of its own, there is nothing to write.
    }
  }, 200);
}

function play(wanted) {
  clearInterval(playing);
  playing = wanted ? setInterval(() => (step < last ? go(step + 1) : play(false)), SECONDS * 1000) : 0;
  if (wanted && step === last) go(0);
  const button = element("play");
  button.classList.toggle("playing", wanted);
  button.title = wanted ? words.pause : words.play;
  button.setAttribute("aria-label", button.title);
  // A reader that speaks could not keep up.
  element("said").setAttribute("aria-live", wanted ? "off" : "polite");
}

// ---- the news

function list() {
  const items = view.steps.map((one, number) => {
    const link = made("a");
    link.href = address(number);
    link.append(made("span", "number", number), made("span", "decision", said(number)));
    const further = one[4].slice(number ? 1 : 0);
    for (const line of further) link.append(made("span", "change", game.lines[line]));
    const item = made("li");
    item.append(link);
    return item;
  });
  element("list").replaceChildren(...items);
}

function mark(number) {
  const items = element("list").children;
  items[step]?.firstElementChild.removeAttribute("aria-current");
  const item = items[number];
  item.firstElementChild.setAttribute("aria-current", "step");
  // Only the list itself is moved, never the page.
  const frame = item.parentElement;
  const above = item.offsetTop - frame.scrollTop;
  if (above < 0 || above + item.offsetHeight > frame.clientHeight) {
    frame.scrollTop = item.offsetTop - (frame.clientHeight - item.offsetHeight) / 2;
  }
}

// ---- the address: #12, or #12;raven where it is not the first view

function address(number) {
  return `#${number}${view === game.views[0] ? "" : `;${encodeURIComponent(view.viewer)}`}`;
}

function follow() {
  const [, number, name] = /^#(\d{1,9})(?:;(.*))?$/.exec(location.hash) ?? [];
  let viewer = name;
  try {
    viewer = name && decodeURIComponent(name);
  } catch {
    // It is no name, then.
  }
  see(game.views.find((one) => one.viewer === viewer) ?? game.views[0], Number(number ?? 0));
}

function see(wanted, number) {
  if (wanted !== view || step < 0) {
    view = wanted;
    step = -1;
    list();
  }
  chooser.value = game.views.indexOf(view);
  show(number);
}

// ---- the beginning

function begin() {
  element("ending").textContent = game.ending || words.unfinished;
  for (const seat of game.seats) {
    const badge = made("span", "badge", seat.letter);
    badge.style.background = seat.colour;
    badge.style.color = seat.ink;
    const item = made("li");
    item.append(badge, made("span", "", seat.team === seat.name ? seat.name : `${seat.name} (${seat.team})`));
    element("seats").append(item);
  }
  const names = game.views.map((one) => one.viewer ?? words.everything);
  chooser.replaceChildren(...names.map((name, place) => new Option(name, place)));
  if (names.length === 1) element("viewed").textContent = filled(words.seen_by, {player: names[0]});
  element("step").max = last;
}

const KEYS = {
  ArrowLeft: () => step - 1, ArrowRight: () => step + 1, PageUp: () => step - 10, PageDown: () => step + 10,
  Home: () => 0, End: () => last,
};

function pressed(event) {
  const inside = event.target.closest?.("select, input");
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || inside || !(event.key in KEYS)) return;
  event.preventDefault();
  play(false);
  go(KEYS[event.key]());
}

function listen() {
  const pushed = {first: () => 0, back: () => step - 1, on: () => step + 1, last: () => last};
  for (const [id, aim] of Object.entries(pushed)) {
    element(id).addEventListener("click", () => {
      play(false);
      go(aim());
    });
  }
  element("play").addEventListener("click", () => play(!playing));
  element("step").addEventListener("input", (event) => {
    play(false);
    go(Number(event.target.value));
  });
  chooser.addEventListener("change", (event) => {
    const now = step;
    see(game.views[event.target.value], now);
    go(now);
  });
  element("list").addEventListener("click", () => play(false));
  document.addEventListener("keydown", pressed);
  addEventListener("hashchange", follow);
}

begin();
listen();
follow();
