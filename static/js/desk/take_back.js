// Takes the latest judgement back: out of the outbox while it is there, else on the server.

import * as answers from "./answers.js";
import { takeBackOnServer } from "./aside.js";
import { delivery, tabs } from "./connection.js";
import * as keys from "./keys.js";
import * as news from "./news.js";
import { hold, isHeld, showAgain } from "./next_item.js";
import * as status from "./status.js";
import * as unconfirmed from "./unconfirmed.js";

const desk = document.querySelector("#desk");
const form = document.querySelector("#take-back");

export async function takeBack() {
  if (isHeld()) return;
  if (keys.isGoing()) return keys.stopAndClear();
  const latest = unconfirmed.latest();
  hold(true);
  const isOut = latest && (await delivery.takeOut(latest.entry.client_id));
  hold(false);
  if (isOut) return showUnsent(latest);
  const assignment = latest?.entry.assignment ?? (form.hidden ? null : desk.dataset.last);
  if (assignment) takeBackOnServer(assignment);
  else news.remark("There is nothing to undo.");
}

// The item as it was: the answers of a sheet are filled in, a single choice is made anew.
async function showUnsent({ entry, item }) {
  unconfirmed.remove(entry.client_id);
  tabs.tell({ back: item.assignment });
  showAgain(item);
  await status.show();
  const next = answers.isSheet ? "Your answers are filled in: submit to save." : "Choose again to save.";
  news.remark(`Undone. Your answer was “${entry.said}”. ${next}`);
  document.dispatchEvent(new CustomEvent("desk:undone", { detail: item.assignment }));
}

form.addEventListener("submit", (event) => {
  event.preventDefault(); // the button does what the key does
  takeBack();
});
