// A text that is written on a sheet: what is wrong with it, and hints that stop nobody. The server says the same of what
// is wrong: annotation/schemes/written_questions.py.

const CONTROL = /[\u0000-\u0008\u000b-\u001f]/gu;
const HALF = /[\ud800-\udfff]/u; // of a character
const LEAST_SHARE = 0.5; // of the words, in the ticked sentences
const LARGEST_SHARE = 0.9; // of the words of the passage

// As it is stored.
export function stored(text) {
  return text.replaceAll("\r\n", "\n").normalize("NFC");
}

// Whether something is written in a box: a text to be edited, which stands in it from the beginning, is not.
export function isWritten(box) {
  return Boolean(box.value.trim()) && !isUnchanged(box);
}

function isUnchanged({ value, dataset }) {
  return "original" in dataset && folded(value) === folded(dataset.original);
}

function folded(text) {
  return stored(text).trim().split(/\s+/u).join(" ");
}

// The text without the control characters that no answer may have.
export function withoutControls(text) {
  return text.replace(CONTROL, "");
}

// Why the text of a box cannot be stored; "" where it can.
export function objection(box) {
  const text = stored(box.value);
  if (isUnchanged(box)) return "It is as it was: change it, or choose keep.";
  const strange = text.match(CONTROL)?.[0];
  if (strange) return `There is a control character in it (U+${hexadecimal(strange)}): remove it.`;
  if (HALF.test(text)) return "There is half a character in it: remove it.";
  const [n, most] = [length(text), Number(box.dataset.most)];
  return n > most ? `${count(n)} characters: at most ${count(most)}.` : "";
}

function hexadecimal(character) {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
}

// In characters, and not in the halves of which JavaScript makes some.
export function length(text) {
  return [...stored(text)].length;
}

export function count(n) {
  return n.toLocaleString("en-US");
}

// What may be better about an answer from these sentences of a passage; "" where nothing is known.
export function hint(answer, ticked, passage) {
  const own = words(answer);
  if (!own.length) return "";
  const source = new Set(words(ticked.join(" ")));
  const share = own.filter((word) => source.has(word)).length / own.length;
  if (ticked.length && share < LEAST_SHARE) {
    return "Fewer than half of your words are in the ticked sentences.";
  }
  const all = words(passage.join(" "));
  if (all.length && own.length > LARGEST_SHARE * all.length) return "This is nearly the whole passage.";
  return "";
}

const segmenter = "Segmenter" in Intl ? new Intl.Segmenter(undefined, { granularity: "word" }) : null;

// Words in lower case, also of scripts that part them by no space.
function words(text) {
  const lower = stored(text).toLowerCase();
  if (!segmenter) return lower.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...segmenter.segment(lower)].filter((each) => each.isWordLike).map((each) => each.segment);
}
