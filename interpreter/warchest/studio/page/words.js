// The page's own words, in a file for each language: `words/en.json` has them all; another file may leave some out.
const known = {};
const OF_EDITOR = "in the editor: ";
let plurals = new Intl.PluralRules("en"), numbers = new Intl.NumberFormat("en");

/** Return a text of the page; `{name}` in it is replaced. */
export function word(key, given = {}) {
  return (known[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => shown(given[name] ?? ""));
}

const shown = (given) => (typeof given === "number" ? numbers.format(given) : given);

/** Return a number with its noun: "1 finding", "2 findings"; a language may have a `few finding`. */
export function counted(number, key) {
  const sort = number === 1 ? "1" : plurals.select(number);
  return word(`${sort} ${key}` in known ? `${sort} ${key}` : `n ${key}`, { n: number });
}

/** Return the editor's own words, which are English in its library, in the language of the page. */
export const phrases = () => Object.fromEntries(Object.entries(known).filter(([key]) => key.startsWith(OF_EDITOR))
  .map(([key, text]) => [key.slice(OF_EDITOR.length), text]));

/** Read the words of the first language that is there; raises where there are none. */
export async function readWords(languages, wanted) {
  const chosen = wanted.map((one) => one.split("-")[0]).find((one) => languages.includes(one)) ?? "en";
  const read = async (name) => (await fetch(`./words/${name}.json`)).json();
  Object.assign(known, ...(await Promise.all([...new Set(["en", chosen])].map(read))));
  plurals = new Intl.PluralRules(chosen);
  numbers = new Intl.NumberFormat(chosen);
  document.documentElement.lang = chosen;
  document.documentElement.dir = known["direction"];
  for (const one of document.querySelectorAll("[data-word]")) one.textContent = word(one.dataset.word);
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", word(one.dataset.label));
  document.title = word("studio");
  return chosen;
}
