// The first part of a sheet. The server keeps the answers to it before it sends the rest of the item: the
// passages, say. `request` is what delivery.js sends; it ends with `show`, `refuse` or `forget`.

import * as answers from "./answers.js";
import { delivery } from "./connection.js";
import * as keys from "./keys.js";
import * as news from "./news.js";
import * as screen from "./screen.js";
import * as sheet from "./sheet.js";

const SLOW = 600; // milliseconds after which a remark says that the rest is being fetched
let current = null; // {assignment, response}

export function request() {
  return current;
}

export function send() {
  const sent = { assignment: screen.shown.assignment, response: answers.read() };
  current = sent;
  sheet.hold(true);
  setTimeout(() => {
    if (current === sent && !delivery.trouble) news.remark(`Fetching the ${sheet.opens()}…`);
  }, SLOW);
  delivery.now();
}

// The item has changed: what still comes belongs to none on the screen.
export function forget() {
  current = null;
}

export function show({ html, words: reason }) {
  if (!html) return refuse(reason);
  forget();
  news.remark("");
  screen.showWhole(html);
  keys.swapped();
  news.say(document.querySelector("#desk .part-name").textContent.trim());
}

export function refuse(reason) {
  forget();
  sheet.hold(false);
  screen.leadFromAnswers();
  news.remark(`This was not kept: ${reason}`);
}
