// What an answer of the server changes on the page. Another tab passes on what it heard (`onResults`).

import * as batch from "./batch.js";
import { delivery, outbox, tabs } from "./connection.js";
import * as expected from "./expected.js";
import * as firstPart from "./first_part.js";
import * as news from "./news.js";
import { add as saved } from "./history.js";
import { fill, goOn, leave, leaveOut } from "./next_item.js";
import * as notices from "./notices.js";
import * as progress from "./progress.js";
import * as screen from "./screen.js";
import * as status from "./status.js";
import * as unconfirmed from "./unconfirmed.js";
import * as words from "./words.js";

let newsUntil = Date.parse(screen.now()); // answers to flags are on the page up to then

export async function onAnswer({ answer, answered, isHere, wanted }) {
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = answer.csrf;
  const n = noteOutcomes(answered);
  if (!isHere) return status.show();
  batch.update(answer.batch);
  showAnswersToFlags(answer.answers ?? []);
  notices.add(answer.notices ?? []);
  if (answer.opened) showRest(answer.opened);
  if (answer.progress) progress.tell(answer.progress);
  else progress.move(n);
  if (answered.length) tabs.tell({ results: answered, progress: progress.known(), batch: answer.batch });
  await showResults(answered, n);
  if (expected.take(answered)) goOn();
  for (const assignment of answer.over) leaveOut(assignment);
  screen.add(answer.items);
  if (answer.is_due && !expected.isOpen() && !(await outbox.entries()).length) return leave();
  if (!screen.shown) await fill(wanted > 0);
}

// The server answered another tab.
export async function onResults({ results, progress: known, batch: itsBatch }) {
  if (itsBatch) batch.update(itsBatch);
  const n = noteOutcomes(results);
  if (known) progress.tellElsewhere(known);
  else progress.move(n);
  await showResults(results, n);
  if (expected.take(results.filter(expected.isAbout))) goOn();
  if (delivery.trouble) delivery.now(); // the server is there
}

export function onRefused(entry, reason) {
  const refused = { entry, result: { outcome: "refused", words: reason } };
  noteOutcome(refused);
  if (expected.take([refused])) goOn();
}

function showRest(opened) {
  if (firstPart.request()?.assignment !== opened.assignment) return;
  if (opened.is_over) leaveOut(opened.assignment);
  else firstPart.show(opened);
}

// Returns how many more are judged.
function noteOutcomes(answered) {
  for (const each of answered) noteOutcome(each);
  return answered.filter(({ result }) => ["saved", "late", "already"].includes(result.outcome)).length;
}

function noteOutcome({ entry, result }) {
  unconfirmed.remove(entry.client_id);
  if (isStored({ result })) saved(entry);
  if (result.outcome === "taken_back") screen.letIn(entry.assignment);
  else screen.leaveOut(entry.assignment);
  const text = words.outcome(result, entry);
  if (text) news.note(text);
}

async function showResults(answered, n) {
  await status.show();
  const latest = answered.filter(isStored).at(-1);
  if (latest && !unconfirmed.latest()) news.isSaved(latest.entry, n, !batch.isClosed() && !expected.isTraining, progress.itemNumber());
}

function isStored({ result }) {
  return ["saved", "late"].includes(result.outcome) || (result.outcome === "already" && result.is_same);
}

// Those that came since the page was made, or since the last ones were shown here.
function showAnswersToFlags(given) {
  const fresh = given.filter((each) => Date.parse(each.at) > newsUntil);
  for (const { question, text } of fresh) {
    news.note(`The answer to what you flagged at “${words.shortened(question)}”: ${text}`);
  }
  if (fresh.length) newsUntil = Date.parse(fresh.at(-1).at);
}
