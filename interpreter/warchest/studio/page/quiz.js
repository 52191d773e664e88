// A quiz on a sentence: two boards side by side, and the question which of them is meant.
import { button, dialog, make } from "./dom.js";
import { picture } from "./board.js";
import { word } from "./words.js";

/** Ask about pairs of answers until one is left; return it, or null where the quiz was broken off. */
export async function quiz(question, style) {
  const written = question.answers.find((one) => one.written), others = question.answers.filter((one) => one !== written);
  let meant = written ?? others.shift();
  for (const other of others) {
    const chosen = await asked(question, meant, other, style);
    if (!chosen) return null;
    if (chosen === "other") meant = other;
  }
  return meant;
}

function asked(question, meant, other, style) {
  const side = (answer, against) => make("figure", {}, picture(answer.svg ?? question.svg ?? "", style),
    make("ul", {}, answer.lines.filter((line) => !against.lines.includes(line)).map((line) => make("li", {}, line))));
  return dialog(word("which is meant"), [make("div", { className: "boards" }, side(meant, other), side(other, meant))],
    [["", word("stop")], ["meant", word("the left one")], ["other", word("the right one")]], "wide");
}

/** Return the buttons that take an answer: they write its reading, or keep it as a ruling. */
export function takings(answer, take) {
  if (answer.written) {
    return answer.edit ? [button(word("keep as a ruling"), () => take(answer.edit, "the ruling is on the card"), { className: "main" })] : [];
  }
  return answer.readings.filter((one) => one.edit)
    .map((one) => button(`${word("write")}: ${one.text}`, () => take(one.edit, "the sentence is written")));
}
