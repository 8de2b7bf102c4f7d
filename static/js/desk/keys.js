// The desk by keyboard: digits choose and, after the beat, submit (on a sheet they go on to the next question);
// letters do the rest.

import { switchText } from "../as_written.js";
import * as answers from "./answers.js";
import { scrollByScreen } from "./layout.js";
import { say } from "./news.js";
import * as screen from "./screen.js";
import { settings } from "./settings.js";
import * as sheet from "./sheet.js";
import * as writing from "./writing.js";

const form = document.querySelector("#judgement");
const comment = form.elements.comment;

// A digit marks, and submits after the beat. Until then it can be changed or stopped.
let pending = null;

export function isGoing() {
  return pending !== null;
}

export function stop() {
  clearTimeout(pending);
  pending = null;
  for (const option of answers.inputs()) option.closest("label").classList.remove("going");
}

function choose(option) {
  stop();
  if (answers.isSheet) return sheet.set(option);
  option.checked = true;
  option.focus({ preventScroll: true });
  option.closest("label").classList.add("going");
  pending = setTimeout(() => form.requestSubmit(), settings.beat);
}

export function stopAndClear() {
  stop();
  answers.clear();
  say("Not submitted.");
}

function writeComment() {
  comment.closest("details").open = true;
  comment.focus();
}

function open(name) {
  stop();
  if (!screen.shown && ["skip", "flag"].includes(name)) return;
  const dialog = document.getElementById(name);
  if (!dialog || dialog.open) return;
  dialog.showModal();
  if (matchMedia("(hover: hover)").matches) dialog.querySelector("#look-for")?.focus();
}

for (const opener of document.querySelectorAll("[data-opens]")) {
  opener.hidden = false;
  opener.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a window of its own
    event.preventDefault();
    open(opener.dataset.opens);
  });
}
for (const closer of document.querySelectorAll("[data-closes]")) {
  closer.addEventListener("click", () => closer.closest("dialog").close());
}

// One press judges one item. A key that is still down when the next item comes has not been pressed for it,
// also where the system repeats it as if it were pressed anew; but a release may go unseen, so that this ends
// after a while. And nobody reads an item in a fifth of a second: who presses a digit sooner pressed twice.
// Without a beat, which is chosen by who wants no delay, only what no hand does on purpose is left out: a key
// that bounces.
const LONGEST_DOWN = 1000; // milliseconds after the item came
const SHORTEST_LOOK = 200;
const LONGEST_BOUNCE = 80;
const down = new Set();
let downBefore = new Set();
let acting = null; // the key that did something and is still down: it types nothing into the box that it led to
let movedAt = -Infinity; // event.timeStamp of the key that last led to another question of a sheet

export function swapped() {
  downBefore = new Set(down);
}

function isForItemBefore(event) {
  const since = event.timeStamp - screen.swappedAt; // when it was pressed, however busy the page was
  if (downBefore.has(event.code) && since < LONGEST_DOWN) return true;
  if (event.timeStamp - movedAt < LONGEST_BOUNCE) return true; // the question before had it
  return since < (settings.beat > 0 ? SHORTEST_LOOK : LONGEST_BOUNCE);
}

// Where it is chosen so, a click or a tap on an option submits as a digit does. The keyboard's own clicks have no
// detail. The second one of a double click is not for the item that came meanwhile.
const DOUBLE_CLICK = 500; // milliseconds after the item came

function chooseByPointer(event) {
  const option = event.target.closest(".option")?.control;
  if (!settings.tap || answers.isSheet || !option || !event.detail) return;
  const isInput = event.target === option;
  const isDouble = event.timeStamp - screen.swappedAt < DOUBLE_CLICK;
  if (isDouble || !isInput) event.preventDefault(); // of the input itself, that would undo the choice
  if (!isDouble) choose(option);
}

// An arrow is the radio buttons' own where one of them has the focus, and no key of the desk where another control has
// it. After a key has chosen, the other arrow still changes the choice.
const CONTROL = "a, button, summary, input, select, textarea";

function isOfControl(event) {
  return event.key.startsWith("Arrow") && pending === null && Boolean(event.target.closest(CONTROL));
}

// On a sheet an arrow leads from question to question, and back from the button; elsewhere it scrolls.
function isOfPage({ key, target }) {
  if (!key.startsWith("Arrow") || answers.isAmong(target)) return false;
  return !(key === "ArrowUp" && sheet.isAtEnd(target));
}

// Space scrolls. It sets what the keyboard itself was led to, as everywhere; nothing that a click or a digit led to,
// and nothing that is set.
function scrollsBySpace(event) {
  const { target } = event;
  if (event.key !== " " || isTyping(target)) return false;
  if (sheet.isLedTo(target)) return true;
  const isOption = target.matches("[data-question] input");
  return isOption && (!target.matches(":focus-visible") || (target.type === "radio" && target.checked));
}

function optionOf(key) {
  if (answers.isSheet) return sheet.inputFor(key);
  return answers.inputs().find((each) => answers.hasKey(each, key));
}

const OWN_ENTER = "a, button, summary";
const TYPING = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])";

// A window that was closed this moment still has the focus, and nobody types in what is not seen.
function isTyping(element) {
  return Boolean(element.closest(TYPING)) && element.checkVisibility();
}

// Enter alone begins a new line there.
function isSubmitOfText({ key, shiftKey, target }) {
  return key === "Enter" && shiftKey && target.matches("[data-question] textarea");
}

// What a key means where the layout puts another sign on it: AZERTY has & for 1, Russian ы for s. A Latin
// letter means itself, wherever it lies.
function keyOf(event) {
  if (event.key.length !== 1) return event.key;
  const [, digit, letter] = event.code.match(/^(?:Digit(\d)|Key([A-Z]))$/) ?? [];
  if (digit && !event.shiftKey) return digit;
  return letter && event.key > "\x7f" ? letter.toLowerCase() : event.key.toLowerCase();
}

// A digit skips for the reason with that number; what else is typed are words.
function chooseReason(event, dialog) {
  if (event.key.length !== 1 || event.key === " ") return;
  const reason = [...dialog.querySelectorAll("[name=choice]")].find((each) => answers.hasKey(each, keyOf(event)));
  if (!reason) return dialog.querySelector("[name=reason]").focus(); // the sign lands there
  event.preventDefault();
  reason.checked = true;
  if (!event.repeat) reason.form.requestSubmit();
}

export function listen({ takeBack, isHeld }) {
  const acts = {
    s: () => (writing.hasText() ? say("There is a text in the box: to skip all the same, use Skip.") : open("skip")),
    f: () => open("flag"),
    g: () => open("guidelines"),
    p: () => open("break"),
    "?": () => open("keys"),
    c: () => (writing.isWritten() ? writing.copy() : writeComment()),
    w: () => say(switchText()),
    z: takeBack,
    Backspace: () => (writing.hasText() ? say("To delete words go into the box. To undo press z.") : takeBack()),
    Enter: (event) => (!event.shiftKey && sheet.goOnFromTicks()) || form.requestSubmit(),
    ...(answers.isSheet && { ArrowDown: () => sheet.step(1), ArrowUp: () => sheet.step(-1) }),
  };
  const forItem = ["s", "f", "c", "w", "Enter"]; // there has to be one

  function actOf(event) {
    const key = keyOf(event);
    if (key === "Enter" && !event.shiftKey && event.target.closest(OWN_ENTER)) return null;
    if (answers.isSheet ? isOfPage(event) : isOfControl(event)) return null;
    const option = optionOf(key);
    if (!option && answers.isSheet && sheet.tellKeys(key)) return null;
    const act = option ? () => choose(option) : acts[key];
    if (!act) return null;
    return () => {
      if (isHeld() || (!screen.shown && (option || forItem.includes(key)))) return;
      const answersOne = option || key === "Enter";
      if (answersOne && isForItemBefore(event)) return;
      const before = sheet.current();
      act(event);
      if (answersOne && answers.isSheet && sheet.current() !== before) movedAt = event.timeStamp;
    };
  }

  form.addEventListener("click", (event) => isHeld() || chooseByPointer(event));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.repeat && event.code === acting) return event.preventDefault();
    const dialog = document.querySelector("dialog[open]");
    if (!dialog && scrollsBySpace(event)) {
      event.preventDefault();
      scrollByScreen(event.shiftKey);
      return;
    }
    if (event.key === "Escape" && !dialog) {
      if (event.target === comment) comment.blur();
      else if (event.target.matches("[data-question] textarea")) answers.focusOn(event.target.closest("[data-question]"));
      else if (pending !== null) stopAndClear();
      return;
    }
    if (!dialog && isSubmitOfText(event)) {
      event.preventDefault();
      if (!event.repeat && !isHeld()) form.requestSubmit();
      return;
    }
    if (isTyping(event.target) || !settings.keys) return;
    if (dialog) {
      const closes = { guidelines: "g", keys: "?", break: "p" }[dialog.id];
      if (event.key === closes) dialog.close();
      else if (dialog.id === "skip") chooseReason(event, dialog);
      return;
    }
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    if (event.repeat) return;
    acting = event.code;
    act();
  });
}

// After the listener that acts: it asks which keys were down before.
document.addEventListener("keydown", (event) => down.add(event.code), true);
document.addEventListener("keyup", (event) => {
  down.delete(event.code);
  if (event.code === acting) acting = null;
  downBefore.delete(event.code);
});
window.addEventListener("blur", () => {
  acting = null;
  down.clear();
  downBefore.clear();
});
