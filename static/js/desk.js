// The desk. Without this script the same page is a plain form.
//
// An item is judged here and now: the judgement goes into the outbox, the next item, which was fetched ahead,
// takes its place on the screen, and what is in the outbox is delivered in the background.

import * as answers from "./desk/answers.js";
import { aside } from "./desk/aside.js";
import { Delivery } from "./desk/delivery.js";
import { Feed } from "./desk/feed.js";
import * as keys from "./desk/keys.js";
import * as news from "./desk/news.js";
import { Outbox } from "./desk/outbox.js";
import * as progress from "./desk/progress.js";
import * as screen from "./desk/screen.js";
import * as sheet from "./desk/sheet.js";
import * as standing from "./desk/standing.js";
import { tabs } from "./desk/tabs.js";
import * as words from "./desk/words.js";
import "./desk/search.js";

const desk = document.querySelector("#desk");
const form = document.querySelector("#judgement");
const { user, feed: address } = desk.dataset;
const CLAIM = 1000 * Number(desk.dataset.claimSeconds);
const SLOW = 600; // milliseconds after which it is said that the rest of an item is coming
let { depth, state } = { depth: Number(desk.dataset.depth), state: desk.dataset.state };
let hasBegun = false; // it is known what was judged in this browser before
let isHeld = false; // the page is about to go
let isOver = false; // nothing more comes, and there are notes to read
let newsUntil = Date.parse(screen.now());
let nUnsent = 0; // here; of all tabs
let opens = null; // the first part of a sheet that is on its way to the server: {assignment, response}
const said = []; // what was judged on this page and is not answered for, each with its item

const outbox = new Outbox(user);
const feed = new Feed(user, form.elements.csrfmiddlewaretoken.value);
const delivery = new Delivery(
  { address, outbox, feed, wants, opens: () => opens, ahead, isProgressDue: progress.isDue, onAnswer, onRefused, onNotOpened, onChange: tell },
  user,
);
const others = tabs(address, user, { judged: judgedElsewhere, back: backElsewhere, results: heardElsewhere });

// Judging

form.addEventListener("submit", (event) => {
  event.preventDefault();
  keys.stop();
  if (!hasBegun) return submitLater(screen.shown);
  if (isHeld || opens || !screen.shown) return;
  const missing = answers.missing();
  if (missing.length) {
    if (performance.now() - screen.swappedAt > 500) askFor(missing); // sooner, it was a double click
  } else if (answers.isSheet && sheet.opens()) askForRest();
  else judge();
});

async function submitLater(item) {
  await begun;
  if (screen.shown === item) form.requestSubmit();
}

function askFor(missing) {
  answers.mark(missing);
  answers.focusOn(missing[0]);
  news.say(document.querySelector("#missing").textContent);
}

// The server keeps what was said so far, and then shows the passages.
function askForRest() {
  opens = { assignment: screen.shown.assignment, response: answers.read() };
  sheet.hold(true);
  const asked = opens;
  setTimeout(() => opens === asked && !delivery.trouble && news.remark(`Fetching the ${sheet.opens()}…`), SLOW);
  delivery.now();
}

function showRest({ assignment, html, is_over: isOver, words: why }) {
  if (opens?.assignment !== assignment) return;
  opens = null;
  news.remark("");
  if (isOver) return judgedElsewhere(assignment);
  if (html) {
    screen.showWhole(html);
    keys.swapped();
    news.say(desk.querySelector(".part-name").textContent.trim());
  } else {
    sheet.hold(false);
    screen.leadFromAnswers();
    news.remark(`This was not kept: ${why}`);
  }
}

function onNotOpened(why) {
  showRest({ ...opens, words: why });
}

function judge() {
  const item = screen.shown;
  const written = screen.written();
  const entry = {
    desk: address,
    assignment: item.assignment,
    client_id: form.elements.client_id.value,
    response: answers.read(),
    said: answers.words(),
    comment: written.comment,
    shown_at: written.shownAt,
    active_seconds: Number((written.active / 1000).toFixed(3)),
    question: shortened(desk.querySelector(".question .text")?.textContent ?? ""),
  };
  said.push({ entry, item: { ...item, written } });
  const isKept = outbox.add(entry);
  screen.leaveOut(item.assignment);
  others.say({ judged: item.assignment });
  nUnsent += 1;
  progress.show(nUnsent);
  news.remark("");
  standing.wentOn();
  goOn();
  news.sending(progress.itemNumber());
  isKept.then(tell).then(() => delivery.wake());
}

function shortened(text) {
  const [line, longest] = [text.trim(), 60];
  return line.length > longest ? `${line.slice(0, longest).trim()}…` : line;
}

// The next item, or words while there is none.
function goOn() {
  keys.stop();
  opens = null;
  if (navigator.onLine) screen.dropStale(CLAIM);
  const item = screen.next();
  screen.show(item, waitsFor());
  if (item) history.replaceState(null, "", desk.dataset.desk); // it may name an item that is judged now
  keys.swapped();
  screen.lead();
}

function waitsFor() {
  if (isOver) return "Nothing more is at hand.";
  switch (delivery.trouble?.kind) {
    case "unreachable":
      return "The next item comes when the connection returns.";
    case "unable":
      return "The next item comes when the server can hand it out.";
    case "signed-out":
      return `The next item comes when ${user} is signed in.`;
    case "gone":
      return "Nothing more comes here.";
    default:
      return "The next item is on its way…";
  }
}

// Ahead

function ahead() {
  return screen.ahead();
}

// Once half of what may be held is judged, the rest is asked for.
function wants() {
  const n = screen.ahead().length;
  return n <= depth / 2 ? depth - n : 0;
}

// What the server says

async function onAnswer({ answer, answered, isHere, wanted }) {
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = answer.csrf;
  const nHere = answered.filter(({ entry, result }) => noteOutcome(entry, result)).length;
  if (!isHere) return tell();
  ({ depth, state } = answer.batch);
  standing.tell(answer.batch);
  tellNews(answer.answers ?? []);
  if (answer.opened) showRest(answer.opened);
  if (answer.progress) progress.tell(answer.progress);
  else progress.move(nHere);
  if (answered.length) others.say({ results: answered, progress: progress.known(), batch: answer.batch });
  await tellResults(answered, nHere);
  for (const assignment of answer.over) judgedElsewhere(assignment);
  screen.add(answer.items);
  if (answer.is_due && !(await outbox.entries()).length) return leave();
  if (!screen.shown) await fill(wanted > 0);
}

// What was answered to flags since the page came, or since it was told here.
function tellNews(answers) {
  const fresh = answers.filter((each) => Date.parse(each.at) > newsUntil);
  for (const { question, text } of fresh) {
    news.note(`The answer to what you flagged at “${shortened(question)}”: ${text}`);
  }
  if (fresh.length) newsUntil = Date.parse(fresh.at(-1).at);
}

// Results, here or in another tab.
async function tellResults(answered, n) {
  await tell();
  const stands = answered.filter(isStanding).at(-1);
  if (stands && !said.length) {
    news.isSaved(stands.entry, n, state !== "closed", progress.itemNumber());
  }
}

function isStanding({ entry, result }) {
  return ["saved", "late"].includes(result.outcome) || (result.outcome === "already" && result.is_same);
}

// Whether it is one more that is judged.
function noteOutcome(entry, result) {
  const at = said.findIndex((each) => each.entry.client_id === entry.client_id);
  if (at >= 0) said.splice(at, 1);
  if (result.outcome === "taken_back") screen.letIn(entry.assignment);
  else screen.leaveOut(entry.assignment);
  const text = words.outcome(result, entry);
  if (text) news.note(text);
  return ["saved", "late", "already"].includes(result.outcome);
}

function onRefused(entry, why) {
  noteOutcome(entry, { outcome: "refused", words: why });
}

// Says how things stand.
async function tell() {
  const entries = await outbox.entries();
  nUnsent = entries.filter((entry) => entry.desk === address).length;
  progress.show(nUnsent);
  news.inTheWay(delivery.trouble, entries.length, outbox.isKept, delivery.nextTry);
  if (!entries.length) news.settled();
  else if (delivery.trouble) news.notYet(entries.at(-1));
  if (!screen.shown) screen.show(null, waitsFor(), isOver);
}

// There is none on the screen: the next one, or else the page that says why nothing comes.
async function fill(wasAsked = true) {
  if (screen.ahead().length) return goOn();
  if (!wasAsked || (await outbox.entries()).length) return delivery.wake();
  leave();
}

// The server's page says what is to be done now. Notes are read before.
function leave() {
  if (isHeld) return;
  isOver = news.hasNotes();
  if (!isOver) location.replace(desk.dataset.desk);
  else if (!screen.shown) screen.show(null, waitsFor(), isOver);
}

// Other tabs, and other devices

function judgedElsewhere(assignment) {
  const isShown = screen.shown?.assignment === assignment;
  screen.leaveOut(assignment);
  if (!isShown) return;
  goOn();
  news.remark("That item was judged elsewhere: in another tab, or on another device.");
  delivery.wake();
}

async function heardElsewhere(answered, far, batch) {
  if (batch) standing.tell(batch);
  const n = answered.filter(({ entry, result }) => noteOutcome(entry, result)).length;
  progress.tellElsewhere(far);
  await tellResults(answered, n);
  if (delivery.trouble) delivery.now(); // the server is there
}

function backElsewhere(assignment) {
  screen.letIn(assignment);
}

// Taking back

async function takeBack() {
  if (isHeld) return;
  if (keys.isGoing()) return keys.stopAndClear();
  const latest = said.at(-1)?.entry;
  isHeld = true;
  const out = latest && (await delivery.takeOut(latest.client_id));
  isHeld = false;
  if (out) return showAgain(said.pop().item);
  const saved = document.querySelector("#take-back").hidden ? null : desk.dataset.last;
  const meant = latest?.assignment ?? saved;
  if (meant) takeBackThere(meant);
  else news.remark("There is nothing to take back.");
}

// An item whose judgement has not left this browser; of a sheet with what was said, else nothing is chosen.
async function showAgain(item) {
  screen.letIn(item.assignment);
  others.say({ back: item.assignment });
  opens = null;
  screen.setAside();
  screen.show(item);
  keys.swapped();
  screen.lead();
  await tell();
  const then = answers.isSheet ? "What you said is filled in." : "Choose anew.";
  news.remark(`Taken back: it was not sent yet. ${then}`);
}

// The beginning

const takeBackThere = aside({
  hold(isSo) {
    isHeld = isSo;
    if (!isHeld && !screen.shown) fill(false);
  },
  ready: async () => ((await delivery.flush()) ? null : delivery.trouble),
});
document.querySelector("#try-now").addEventListener("click", () => {
  delivery.now();
  tell();
});
document.querySelector("#take-back").addEventListener("submit", (event) => {
  event.preventDefault(); // the button does what the key does
  takeBack();
});
window.addEventListener("beforeunload", (event) => {
  if (outbox.isAtRisk) event.preventDefault();
});
// Back to a page that the browser kept whole: without a network a fresh one cannot be had, and this one works.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && navigator.onLine) location.reload();
});
document.addEventListener("desk:dismissed", () => {
  if (isOver && !news.hasNotes()) leave();
});

// What this browser has of before goes out first, and is not judged again.
async function begin() {
  const before = (await outbox.entries()).filter((entry) => entry.desk === address);
  for (const entry of before) screen.leaveOut(entry.assignment);
  if (before.some((entry) => entry.assignment === screen.shown?.assignment)) goOn();
  await tell();
  delivery.wake();
}

screen.resume();
const begun = begin();
begun.then(() => (hasBegun = true));
keys.listen({ takeBack, isHeld: () => isHeld });
