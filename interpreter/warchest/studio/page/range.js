// The range of a card as a diagram: the spaces around its piece, and marks where it acts, goes or comes.
import { make } from "./dom.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const COLOURS = { goes: "#1d5fa8", acts: "#b3123f", comes: "#22662f", leaves: "#7a5c00", named: "#6b5d4b" };

function shape(name, given) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  return made;
}

function cell(hexes, { x, y }, fill) {
  const corners = hexes ? [0, 1, 2, 3, 4, 5].map((k) => [x + Math.cos(k * Math.PI / 3), y + Math.sin(k * Math.PI / 3)])
    : [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => [x + a / 2, y + b / 2]);
  return shape("polygon", { points: corners.map((one) => one.join()).join(" "), fill, stroke: "#b9a683", "stroke-width": 0.04 });
}

/** A sign for each sort of mark, so that they can be distinguished without colours, too. */
function sign(sort, x, y, size) {
  const fill = COLOURS[sort] ?? COLOURS.named;
  if (sort === "acts") return shape("path", { d: `M${x - size} ${y - size}L${x + size} ${y + size}M${x + size} ${y - size}L${x - size} ${y + size}`,
    stroke: fill, "stroke-width": size / 2, fill: "none" });
  if (sort === "goes") return shape("circle", { cx: x, cy: y, r: size, fill });
  if (sort === "comes") return shape("polygon", { points: `${x - size},${y - size} ${x + size},${y - size} ${x},${y + size}`, fill });
  return shape("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size, fill });
}

/** Return a diagram as a figure, with a legend in words. */
export function diagram(found) {
  const hexes = found.shape === "hexes", size = hexes ? 0.4 : 0.22;
  const wide = Math.max(...found.spaces.map((one) => Math.abs(one.x))) + 1.1;
  const high = Math.max(...found.spaces.map((one) => Math.abs(one.y))) + 1.1;
  const svg = shape("svg", { viewBox: `${-wide} ${-high} ${2 * wide} ${2 * high}`, role: "img", class: "range",
    "aria-label": found.legend.map((one) => one.word).join(", ") });
  for (const one of found.spaces) svg.append(cell(hexes, one, one.x === 0 && one.y === 0 ? "#d9c48f" : "#f3ead6"));
  svg.append(shape("circle", { cx: 0, cy: 0, r: hexes ? 0.5 : 0.3, fill: found.stands ? "#2b2520" : "#ffffff", stroke: "#2b2520", "stroke-width": 0.08 }));
  if (found.facing) svg.append(shape("polygon", { points: "-0.12,-0.32 0.12,-0.32 0,-0.5", fill: "#2b2520" }));
  const here = Map.groupBy(found.marks, (one) => `${one.x} ${one.y}`);
  for (const ones of here.values()) {
    ones.forEach((one, at) => svg.append(sign(one.sort, one.x + (at - (ones.length - 1) / 2) * size * 2, one.y, size * 0.8)));
  }
  const legend = found.legend.map((one) => {
    const key = shape("svg", { viewBox: "-1 -1 2 2", width: 14, height: 14, "aria-hidden": "true" });
    key.append(sign(one.sort, 0, 0, 0.8));
    return make("li", {}, key, ` ${one.word}`);
  });
  return make("figure", { className: "range" }, svg, make("ul", { className: "plain" }, legend));
}
