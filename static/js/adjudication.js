// Keys on an item's page. A digit chooses the label, or the written answer, and leads to the reason, where Enter sends
// the form; the digit of a label with a kept reason saves at once. n: note, u: guideline unclear, z: undo the last decision, w: the answer as
// it was written, or as Markdown.
import { switchText } from "./as_written.js";
import { isOfPageBefore, send } from "./one_press.js";

const form = document.querySelector("#adjudicate");
const reuse = document.querySelector("#reuse");
const undo = document.querySelector("#undo");

function isTyping(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
}

function choose(digit) {
  const kept = reuse?.querySelector(`button[aria-keyshortcuts="${CSS.escape(digit)}"]`);
  if (kept) {
    send(reuse, kept);
    return true;
  }
  const chosen = form?.querySelectorAll("input[type=radio][name=label]")[Number(digit) - 1];
  if (!chosen) return false;
  chosen.checked = true;
  // Another written answer than those that are there has a box of its own.
  const box = chosen.value === "third" && form.querySelector(".third textarea");
  (box || form.querySelector("input[name=reason]")).focus();
  return true;
}

function open(id) {
  const part = document.querySelector(id);
  if (!part) return false;
  part.open = true;
  part.querySelector("form:last-of-type :is(input:not([type=hidden]), select)")?.focus();
  return true;
}

function take() {
  if (undo) send(undo);
  return Boolean(undo);
}

const acts = { n: () => open("#note"), u: () => open("#unclear"), z: take, w: switchText };

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
  if (isOfPageBefore(event)) return;
  // By its place where the layout has another sign there, as AZERTY has & for 1.
  const [, digit] = (!event.shiftKey && event.code.match(/^Digit(\d)$/)) || [null, event.key];
  const act = acts[event.key];
  if (/^\d$/.test(digit) ? choose(digit) : act && act()) event.preventDefault();
});
