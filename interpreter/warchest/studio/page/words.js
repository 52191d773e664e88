// The page's own words, in a file for each language: `words/en.json` has them all; another file may leave some out.
const known = {};

/** Return a text of the page; `{name}` in it is replaced. */
export function word(key, given = {}) {
  return (known[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => given[name] ?? "");
}

/** Return a number with the text for one thing, or for several: "1 finding", "2 findings". */
export const counted = (number, key) => word(number === 1 ? `1 ${key}` : `n ${key}`, { n: number });

/** Read the words of the first language that is there; raises where there are none. */
export async function readWords(languages, wanted) {
  const chosen = wanted.map((one) => one.split("-")[0]).find((one) => languages.includes(one)) ?? "en";
  const read = async (name) => (await fetch(`./words/${name}.json`)).json();
  Object.assign(known, ...(await Promise.all([...new Set(["en", chosen])].map(read))));
  document.documentElement.lang = chosen;
  for (const one of document.querySelectorAll("[data-word]")) one.textContent = word(one.dataset.word);
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", word(one.dataset.label));
  document.title = word("studio");
  return chosen;
}
