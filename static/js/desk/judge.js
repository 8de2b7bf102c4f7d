// Submits the item on the screen: the judgement goes into the outbox, and the next item takes its place at once.

import * as answers from "./answers.js";
import * as batch from "./batch.js";
import { address, delivery, outbox, tabs } from "./connection.js";
import * as expected from "./expected.js";
import * as firstPart from "./first_part.js";
import * as keys from "./keys.js";
import * as news from "./news.js";
import { goOn, isHeld } from "./next_item.js";
import * as progress from "./progress.js";
import * as screen from "./screen.js";
import * as sheet from "./sheet.js";
import * as status from "./status.js";
import * as unconfirmed from "./unconfirmed.js";
import { shortened } from "./words.js";

const DOUBLE_CLICK = 500; // milliseconds after the item came
const form = document.querySelector("#judgement");

// `ready` is a promise: before it nothing is judged, and what is submitted waits for it.
export function listen(ready) {
  let isReady = false;
  ready.then(() => (isReady = true));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    keys.stop();
    const item = screen.shown;
    if (!isReady) {
      await ready;
      if (screen.shown !== item) return;
    }
    submit();
  });
}

function submit() {
  if (isHeld() || firstPart.request() || !screen.shown) return;
  const missing = answers.missing();
  if (missing.length) {
    if (performance.now() - screen.swappedAt > DOUBLE_CLICK) askFor(missing);
  } else if (answers.isSheet && sheet.opens()) firstPart.send();
  else judge();
}

function askFor(missing) {
  answers.mark(missing);
  answers.leadTo(missing[0]);
  news.say(document.querySelector("#missing").textContent);
}

function judge() {
  const item = screen.shown;
  const written = screen.written();
  const entry = made(item, written);
  unconfirmed.add(entry, { ...item, written });
  const isKept = outbox.add(entry);
  screen.leaveOut(item.assignment);
  tabs.tell({ judged: item.assignment });
  status.countJudgement();
  news.remark("");
  batch.hideNoteThatItGoesOn();
  if (expected.isTraining) expected.wait(item.assignment);
  else goOn();
  news.sending(progress.itemNumber());
  document.dispatchEvent(new CustomEvent("desk:judged", { detail: entry }));
  isKept.then(status.show).then(() => delivery.wake());
}

// What tells the item from the others of its question: the answer, where there is one.
function beginning() {
  const texts = document.querySelectorAll("#judged .response .text");
  return texts.length && !answers.isSheet && !document.querySelector("#judged .pair") ? shortened(texts[0].textContent) : "";
}

// An entry of the outbox. What the server does not get is for words about it.
function made(item, written) {
  return {
    desk: address,
    assignment: item.assignment,
    client_id: form.elements.client_id.value,
    response: answers.read(),
    said: answers.words(),
    written: answers.texts(),
    comment: written.comment,
    shown_at: written.shownAt,
    active_seconds: Number((written.active / 1000).toFixed(3)),
    text: beginning(),
    question: shortened(document.querySelector("#desk .question .text")?.textContent ?? ""),
  };
}
