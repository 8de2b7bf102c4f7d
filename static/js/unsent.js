// Sends the judgements that wait on this device from every page that is no desk, says how many there are, and
// asks before somebody signs out with some of them.

import { Delivery } from "./desk/delivery.js";
import { Feed } from "./desk/feed.js";
import { keep, kept } from "./desk/kept.js";
import { Outbox } from "./desk/outbox.js";
import { Tabs } from "./desk/tabs.js";
import { endTexts, hasTexts } from "./desk/texts.js";
import { judgements, outcome } from "./desk/words.js";

const place = document.querySelector("#unsent");
const { user } = place.dataset;
const NOTES = "touchstone.notes"; // the desk shows them, too, until they are dismissed

const outbox = new Outbox(user);
const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
const delivery = new Delivery({ user, address: null, outbox, feed: new Feed(user, token) });
let nSent = 0;
const notes = [];

delivery.start({
  wants: () => 0,
  opens: () => null,
  ahead: () => [],
  isProgressDue: () => false,
  onAnswer,
  onRefused: (entry, reason) => note(outcome({ outcome: "refused", words: reason }, entry)),
  onNotOpened: () => {},
  onChange: show,
});

async function onAnswer({ answer, answered }) {
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = answer.csrf;
  for (const { entry, result } of answered) note(outcome(result, entry));
  nSent += answered.length;
  const told = { results: answered, progress: answer.progress, batch: answer.batch };
  new Tabs(user, answered[0].entry.desk).tell(told); // of the desk, if it is open in another tab
  await show();
}

function note(text) {
  if (!text) return;
  notes.push(text);
  const before = kept("sessionStorage", NOTES)[user] ?? [];
  if (!before.includes(text)) keep("sessionStorage", NOTES, { [user]: [...before, text] });
}

async function show() {
  const n = (await outbox.entries()).length;
  const lines = [...notes];
  if (n) lines.unshift(`${judgements(n)} on this device ${n === 1 ? "is" : "are"} not sent. ${next(n)}`);
  else if (nSent) lines.unshift(`${judgements(nSent)} from this device ${nSent === 1 ? "was" : "were"} sent.`);
  place.hidden = !lines.length;
  place.className = n || notes.length ? "note warn" : "note";
  const paragraphs = lines.map((text) => Object.assign(document.createElement("p"), { textContent: text, dir: "auto" }));
  if (n && delivery.trouble && delivery.trouble.kind !== "gone") paragraphs.push(tryNow());
  place.replaceChildren(...paragraphs);
}

function next(n) {
  const they = n === 1 ? "It is" : "They are";
  switch (delivery.trouble?.kind) {
    case "unreachable":
      return `${they} sent when you are online.`;
    case "unable":
      return `The server cannot store anything now: “${delivery.trouble.words}”. ${they} sent when it can.`;
    case "signed-out":
      return `${they} sent when ${user} is signed in.`;
    default:
      return delivery.isStuck ? "The study does not take any more from you: ask the organiser." : "Sending…";
  }
}

function tryNow() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = "Send now";
  button.addEventListener("click", () => delivery.now());
  const line = document.createElement("p");
  line.append(button);
  return line;
}

// Signing out

let isAgreed = false;

async function signOut(form) {
  let n = (await outbox.entries()).length;
  if (n) {
    await delivery.flush();
    n = (await outbox.entries()).length;
  }
  if (n && (await asked(...unsentWords(n))) !== "out") return;
  if (hasTexts(user) && (await asked(...TEXTS)) !== "out") return;
  endTexts(user);
  isAgreed = true;
  form.requestSubmit();
}

const TEXTS = [
  "You wrote something and did not submit it",
  "It is kept on this device only, and is removed when you sign out, so that nobody else finds it.",
];

function unsentWords(n) {
  return [
    `${judgements(n)} on this device ${n === 1 ? "is" : "are"} not sent`,
    `${n === 1 ? "It stays" : "They stay"} on this device, and ${n === 1 ? "is" : "are"} sent when you sign in here again.` +
      " Nobody else can send or see them.",
  ];
}

// What the person chose: "out", or nothing.
function asked(heading, words) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "unsent-title");
  const title = Object.assign(document.createElement("h2"), { id: "unsent-title" });
  title.textContent = heading;
  const text = document.createElement("p");
  text.textContent = words;
  const form = Object.assign(document.createElement("form"), { method: "dialog" });
  const actions = Object.assign(document.createElement("p"), { className: "actions" });
  const stay = Object.assign(document.createElement("button"), { className: "primary", textContent: "Stay signed in" });
  const out = Object.assign(document.createElement("button"), { value: "out", textContent: "Sign out all the same" });
  actions.append(stay, out);
  form.append(actions);
  dialog.append(title, text, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue);
      dialog.remove();
    });
  });
}

for (const form of document.querySelectorAll("form[action$='/sign-out/'], form[action$='/sign-out-everywhere/']")) {
  form.addEventListener("submit", (event) => {
    if (isAgreed) return;
    event.preventDefault();
    signOut(form);
  });
}

await show();
delivery.wake();
