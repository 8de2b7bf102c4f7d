// The item on the screen, and those that were fetched ahead of it.

import * as active from "./active.js";
import { address } from "./address.js";
import * as answers from "./answers.js";
import { forget, keep, kept } from "./kept.js";
import { measure } from "./layout.js";
import * as sheet from "./sheet.js";
import { forgetOld, forgetTexts, keepText, keptText, onEndOfTexts } from "./texts.js";

const desk = document.querySelector("#desk");
const form = document.querySelector("#judgement");
const judged = document.querySelector("#judged");
const before = document.querySelector("#before");
const waiting = document.querySelector("#waiting");
const comment = form.elements.comment;
const asked = document.querySelector("#asked");
const { user } = desk.dataset;

// The server's clock, by when it made the page: which version of the guideline was read when an item was shown is
// told by it. The browser's own clock may be set back meanwhile, and the other one stop while the machine sleeps.
let made = Date.parse(form.elements.shown_at.value);
const BEGAN = { date: Date.now(), steady: performance.now() };

let queue = []; // each with `fetched_at`, after which its claim may run out
const done = new Set(); // assignments that were judged in this browser

export let shown = {
  assignment: desk.dataset.item,
  attempt: desk.dataset.attempt,
  expires_at: desk.dataset.expires,
  html: judged.innerHTML,
  said_before: before.hidden ? "" : before.querySelector("strong").textContent,
  comment: comment.defaultValue,
};
export let swappedAt = -Infinity; // performance.now() of the last change of the item

export function now() {
  const since = Math.max(Date.now() - BEGAN.date, performance.now() - BEGAN.steady);
  return new Date(made + since).toISOString();
}

export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

// The first item is on the page already. What was written and counted before a reload goes on.
export function resume() {
  if (shown) begin(kept("sessionStorage", keyOf(shown)));
  forgetOld();
  measure();
}

// What this page has, as copy.js keeps it.
export function held() {
  return { shown, queue, done: [...done] };
}

// The page is a copy of before: what was there when it went goes on. `server` and `device` are the time then, by
// the one and by the other clock.
export function restore({ server, device, shown: item, queue: items, done: judged }) {
  made = Date.parse(server) + Math.max(0, BEGAN.date - device);
  queue = items;
  for (const assignment of judged) done.add(assignment);
  if (item) show({ ...item, written: kept("sessionStorage", keyOf(item)) });
  else show(null); // all that was at hand is judged: the item of the page, too
}

function keyOf(item) {
  return `desk:${item.attempt}`;
}

// What was written of an item that left the screen unjudged and comes again, from the server or not. Its time is
// counted anew.
function textsOf(item) {
  const { comment, said } = kept("sessionStorage", keyOf(item));
  return { comment, said };
}

function begin({ active: counted = 0, shownAt = now(), comment: written = "", said }) {
  active.begin(counted);
  form.elements.shown_at.value = shownAt;
  form.elements.client_id.value = newId();
  comment.value = written || shown.comment;
  comment.closest("details").open = Boolean(comment.value);
  answers.mark();
  if (!answers.isSheet) return answers.clear();
  said ??= keptText(user, shown.attempt);
  if (said) answers.fill(said);
  else answers.reset();
  sheet.begin();
}

// What is written and counted of the item on the screen; of a sheet also what was answered: nobody is asked the
// same twenty things again. A single choice is made anew.
export function written() {
  return {
    active: active.milliseconds(),
    shownAt: form.elements.shown_at.value,
    comment: comment.value,
    ...(answers.isSheet && { said: answers.readAll() }),
  };
}

// Their author signs out, here or in another tab, and nobody else may find them.
let isOver = false;
onEndOfTexts(user, () => {
  isOver = true;
  forget("sessionStorage", "desk:");
  forgetTexts(user);
});

// It is kept over a reload.
function keepAttempt() {
  if (!shown || isOver) return;
  const now = written();
  keep("sessionStorage", keyOf(shown), now);
  if (answers.isSheet && answers.boxes().some(answers.hasOwnText)) keepText(user, shown.attempt, now.said);
  else forgetTexts(user, shown.attempt);
}
document.addEventListener("visibilitychange", keepAttempt);
window.addEventListener("pagehide", keepAttempt);
// What is typed at once: a browser that ends by force says nothing before.
desk.addEventListener("input", ({ target }) => target.matches("textarea") && keepAttempt());

// What is judged no more is not shown again, wherever it comes from.
export function leaveOut(assignment) {
  done.add(assignment);
  queue = queue.filter((item) => item.assignment !== assignment);
  forget("sessionStorage", `desk:${assignment}`);
  forgetTexts(user, assignment);
  tellOfChange();
}

// Others of this page look after the items: copy.js, expiry.js.
function tellOfChange() {
  document.dispatchEvent(new Event("desk:items"));
}

export function letIn(assignment) {
  done.delete(assignment);
}

export function ahead() {
  return [...(shown ? [shown] : []), ...queue].map((item) => item.assignment);
}

export function add(items) {
  const known = new Set([...done, ...ahead()]);
  const fresh = items.filter((item) => !known.has(item.assignment));
  queue.push(...fresh.map((item) => ({ ...item, fetched_at: Date.now() })));
  if (fresh.length) tellOfChange();
}

// Whose claim has run out meanwhile others may have judged: they are asked for anew.
export function dropStale(longest) {
  queue = queue.filter((item) => Date.now() - item.fetched_at < longest);
}

export function next() {
  return queue.shift() ?? null;
}

// The item instead of the one that is shown, or words where there is none. An item that comes again
// carries what was written and counted then.
export function show(item, words = "", leadsOn = false) {
  desk.classList.toggle("is-waiting", !item);
  waiting.hidden = Boolean(item);
  const [line, onward] = waiting.children;
  line.textContent = words;
  onward.hidden = !leadsOn;
  if (!item) {
    shown = null;
    judged.replaceChildren();
    tellOfChange();
    return;
  }
  shown = item;
  judged.innerHTML = item.html;
  for (const each of document.querySelectorAll(".messages, [data-of-first]")) each.remove();
  before.hidden = !item.said_before;
  before.querySelector("strong").textContent = item.said_before;
  for (const each of document.querySelectorAll("[data-of-item]")) address(each, item.assignment);
  for (const dialog of document.querySelectorAll("#skip, #flag")) {
    dialog.close();
    dialog.querySelector("form").reset();
  }
  begin(item.written ?? textsOf(item));
  tellQuestion();
  measure();
  keepAttempt();
  swappedAt = performance.now();
  tellOfChange();
}

// Another question is seen and said aloud: a tired reader would judge an answer by the question before. Another
// answer to the same one is counted.
let question = questionText();

function questionText() {
  return judged.querySelector(".question .text")?.textContent ?? "";
}

function tellQuestion() {
  const isNew = questionText() !== question;
  question = questionText();
  const place = judged.querySelector(".question .place")?.textContent ?? "";
  judged.querySelector(".question")?.classList.toggle("is-new", isNew);
  asked.textContent = [isNew ? "New question." : "", place].filter(Boolean).join(" ");
}

// To the beginning of the item: what is read next, also by a screen reader.
export function lead() {
  if (!document.querySelector("dialog[open]")) judged.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

// The same item with all it has.
export function showWhole(html) {
  shown = { ...shown, html };
  judged.innerHTML = html;
  sheet.begin();
  swappedAt = performance.now();
  keepAttempt();
  tellOfChange();
  leadFromAnswers();
}

// Not out of a comment that is being written: what is typed on would be taken for keys.
export function leadFromAnswers() {
  if (document.activeElement !== comment) lead();
}

// What is written and counted of the item that leaves the screen unjudged.
export function setAside() {
  if (!shown) return;
  keepAttempt();
  queue.unshift({ ...shown, written: written(), fetched_at: shown.fetched_at ?? Date.now() });
}
