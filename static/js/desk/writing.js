// Writing from a passage: a click ticks a sentence, `c` copies the ticked ones into the box, and what may be better is
// said beside the box. It refuses nothing.

import * as answers from "./answers.js";
import { measure } from "./layout.js";
import { say } from "./news.js";
import * as written from "./written.js";

const desk = document.querySelector("#desk");

// Whether an answer is written from sentences here.
export function isWritten() {
  return Boolean(desk.querySelector("[data-copies-ticked]"));
}

// Whether something is written that a key should not put away.
export function hasText() {
  return answers.boxes().some(answers.hasOwnText);
}

function box() {
  return desk.querySelector(".asked-text textarea");
}

function sentences() {
  return [...desk.querySelectorAll(".sentence:not(.is-title)")];
}

function textOf(sentence) {
  return sentence.querySelector(".words").textContent.trim();
}

function ticked() {
  return sentences().filter((each) => each.control.checked).map(textOf);
}

// Copies the ticked sentences to the end of the box, joined by one space, and leads there. The title is no part of it.
export function copy() {
  const [into, texts] = [box(), ticked()];
  if (!answers.open().includes(into.closest("[data-question]"))) {
    say("Say first that the passage answers the question.");
    return;
  }
  if (into.readOnly) {
    say("You keep the answer as it is. To change it press e.");
    return;
  }
  into.focus();
  into.setSelectionRange(into.value.length, into.value.length);
  if (texts.length) insert(into, (into.value.trim() ? " " : "") + written.withoutControls(texts.join(" ")));
  say(texts.length ? `${texts.length === 1 ? "1 sentence" : `${texts.length} sentences`} copied` : "No sentence is ticked.");
}

// As if it were typed, so that the browser can undo it.
function insert(into, text) {
  if (document.execCommand("insertText", false, text)) return;
  into.setRangeText(text, into.selectionStart, into.selectionEnd, "end");
  into.dispatchEvent(new Event("input", { bubbles: true }));
}

// What is written, and how it stands to the sentences.
export function tell() {
  for (const each of answers.boxes()) tellOf(each);
}

function tellOf(into) {
  const question = into.closest("[data-question]");
  const n = written.length(into.value);
  question.querySelector("[data-length]").textContent = n ? `${written.count(n)} of ${written.count(Number(into.dataset.most))}` : "";
  const text = answers.isAsked(question) && !into.readOnly ? written.hint(into.value, ticked(), sentences().map(textOf)) : "";
  const line = question.querySelector("[data-hint]");
  if (line.textContent === text) return;
  line.textContent = text;
  line.hidden = !text;
  measure();
}

desk.addEventListener("click", (event) => {
  if (event.target.closest("[data-copies-ticked]")) return copy();
  // Who marks a part of a sentence to copy it does not tick it.
  const sentence = event.target.closest(".sentence");
  const marked = getSelection();
  if (sentence && event.target !== sentence.control && !marked.isCollapsed && sentence.contains(marked.anchorNode)) event.preventDefault();
});
