// What the page says of judgements that are not sent, and of what is in their way.

import { address, delivery, outbox } from "./connection.js";
import * as news from "./news.js";
import { showWaiting } from "./next_item.js";
import * as progress from "./progress.js";

let nUnsent = 0; // from this desk, of all tabs
const doubtful = new Set(); // ids of those that the page's own count may include

export async function show() {
  const entries = await outbox.entries();
  nUnsent = entries.filter((entry) => entry.desk === address && !doubtful.has(entry.client_id)).length;
  progress.show(nUnsent);
  news.inTheWay(delivery.trouble, entries.length, outbox.isKept, delivery.nextTry);
  if (!entries.length) news.settled();
  else if (delivery.trouble) news.notYet(entries.at(-1));
  showWaiting();
}

// These were sent before the page was made, and their answer was lost: nobody is told of more than the server has.
export function doubt(entries) {
  for (const { client_id } of entries) doubtful.add(client_id);
}

// One more, before the outbox has it.
export function countJudgement() {
  nUnsent += 1;
  progress.show(nUnsent);
}

document.querySelector("#try-now").addEventListener("click", () => {
  delivery.now();
  show();
});
