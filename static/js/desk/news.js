// What the desk says while the page stays: what is saved, what is in the way, and notes that stay until they
// are dismissed. "Saved" is said only when the server has it.

import { address as leadTo } from "./address.js";
import { keep, kept } from "./kept.js";
import { measure } from "./layout.js";
import * as words from "./words.js";

const desk = document.querySelector("#desk");
const said = document.querySelector("#said");
const last = document.querySelector(".last");
const saved = document.querySelector("#saved");
const takeBack = document.querySelector("#take-back");
const trouble = document.querySelector("#trouble");
const hint = document.querySelector("#hint");
const notes = document.querySelector("#notes");
const user = desk.dataset.user;

const SLOW = 600; // milliseconds after which it is said aloud that something is being sent
let speaking = null;

// Aloud, for those who do not see it.
export function say(text, after = 0) {
  clearTimeout(speaking);
  speaking = setTimeout(() => (said.textContent = text), after);
}

// To everybody: it stands there until the next item.
export function remark(text) {
  hint.textContent = text;
  hint.hidden = !text;
  if (text) say(text);
}

// What became of the latest judgement: being sent, or saved.
export function sending(itemNumber) {
  last.hidden = false;
  last.classList.add("is-sending");
  saved.textContent = "Sending…";
  say(`Sending… ${itemNumber}.`, SLOW);
}

// The latest one, while something is in the way.
export function notYet({ said }) {
  last.hidden = false;
  last.classList.add("is-sending");
  saved.textContent = `Not saved yet: ${said}`;
}

export function isSaved(entry, n, canBeTakenBack, itemNumber) {
  desk.dataset.last = entry.assignment;
  leadTo(takeBack, entry.assignment);
  takeBack.hidden = !canBeTakenBack;
  settled(`Saved: ${entry.said}`);
  say(n > 1 ? `${words.judgements(n)} saved. ${itemNumber}.` : `Saved: ${entry.said}. ${itemNumber}.`);
}

// Nothing is on its way; without words what was saved before stands there again.
export function settled(text = saved.dataset.before ?? "") {
  saved.dataset.before = text;
  saved.textContent = text;
  last.classList.remove("is-sending");
  last.hidden = !text;
}

// What is in the way of what is unsent, and when it is tried again. Null where nothing is.
export function inTheWay(found, n, isKept, nextTry) {
  const text = found ? why(found, n) : "";
  const lost = !isKept && n > 0 ? `This browser cannot save anything: leave the page open until everything is sent.` : "";
  const all = [text, lost].filter(Boolean).join(" ");
  const [line, again, link] = trouble.children;
  if (!all && trouble.contains(document.activeElement)) document.querySelector("#judged").focus({ preventScroll: true });
  trouble.hidden = !all;
  again.hidden = !["unreachable", "unable"].includes(found?.kind);
  countDown(again.firstElementChild, again.hidden ? null : nextTry);
  if (line.textContent === all) return;
  line.textContent = all;
  link.hidden = found?.kind !== "signed-out" || Boolean(found.user);
  measure();
  if (all) say(all);
}

// Not aloud: it would speak every second.
let counting = null;

function countDown(place, until) {
  const show = () => {
    const seconds = Math.ceil((until - performance.now()) / 1000);
    place.textContent = seconds > 0 ? `Next try in ${seconds} s.` : "Trying…";
  };
  clearInterval(counting);
  show();
  if (until !== null) counting = setInterval(show, 1000);
}

function why({ kind, user: other, words: reason }, n) {
  const these = `${words.answers(n)} ${n === 1 ? "is" : "are"} saved on this device`;
  if (kind === "gone") {
    const left = n ? ` ${these} and could not be sent.` : "";
    return `This batch is not open to you any more.${left} Ask the organiser of the study.`;
  }
  if (kind === "signed-out") {
    const left = n ? ` ${these} and will be sent when ${user} is signed in.` : "";
    return other ? `${other} is signed in on this device now, and this page is ${user}’s.${left}` : `You are signed out.${left}`;
  }
  if (kind === "unable") {
    if (!n) return `The server cannot send items now: “${reason}”. This page tries again.`;
    return `The server cannot save anything now: “${reason}”. ${these} and will be sent again.`;
  }
  if (!n) return "Offline. This page continues when you are online.";
  return `Offline. ${these} and will be sent.`;
}

// Notes outlast a reload: nobody has read them before they were dismissed.
let written = kept("sessionStorage", "touchstone.notes")[user] ?? [];

export function note(text) {
  if (written.includes(text)) return;
  written.push(text);
  showNotes();
  say(text);
}

function showNotes() {
  keep("sessionStorage", "touchstone.notes", { [user]: written });
  notes.hidden = !written.length;
  notes.replaceChildren(...written.map(line));
}

function line(text) {
  const item = document.createElement("li");
  const paragraph = document.createElement("p");
  const button = document.createElement("button");
  item.className = "note warn";
  paragraph.dir = "auto";
  paragraph.textContent = text;
  button.className = "plain";
  button.textContent = "Dismiss";
  button.addEventListener("click", () => {
    written = written.filter((each) => each !== text);
    showNotes();
    document.querySelector("#judged").focus({ preventScroll: true });
    document.dispatchEvent(new Event("desk:dismissed"));
  });
  item.append(paragraph, button);
  return item;
}

export function hasNotes() {
  return written.length > 0;
}

showNotes();
settled(last.hidden ? "" : saved.textContent.trim());
