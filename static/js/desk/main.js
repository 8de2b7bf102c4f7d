// The desk. Without this script the same page is a plain form.
//
// judge.js puts a judgement into the outbox, next_item.js shows the next item, which was fetched ahead, and
// delivery.js sends the outbox in the background; server_answer.js shows what came of it. This module joins them.

import { address, delivery, outbox, tabs } from "./connection.js";
import * as copy from "./copy.js";
import * as expected from "./expected.js";
import * as firstPart from "./first_part.js";
import * as judge from "./judge.js";
import * as keys from "./keys.js";
import { goOn, goOnOrFill, isHeld, leaveOut, nWanted } from "./next_item.js";
import * as progress from "./progress.js";
import * as screen from "./screen.js";
import { onAnswer, onRefused, onResults } from "./server_answer.js";
import * as status from "./status.js";
import { takeBack } from "./take_back.js";
import "./expiry.js";
import "./search.js";
import "./session.js";

// What this browser has of before goes out first, and is not judged again.
async function leaveOutUnsent() {
  const unsent = (await outbox.entries()).filter((entry) => entry.desk === address);
  if (!copy.isCopy) status.doubt(unsent.filter((entry) => entry.isTried));
  for (const entry of unsent) screen.leaveOut(entry.assignment);
  if (expected.isTraining && unsent.length) expected.wait(unsent.at(-1).assignment);
  else if (unsent.some((entry) => entry.assignment === screen.shown?.assignment)) goOn();
  await status.show();
  delivery.wake();
}

window.addEventListener("beforeunload", (event) => {
  if (outbox.isAtRisk) event.preventDefault();
});
// Back to a page that the browser kept whole: without a network a fresh one cannot be had, and this one works.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && navigator.onLine) location.reload();
});

delivery.start({
  wants: nWanted,
  opens: firstPart.request,
  ahead: screen.ahead,
  isProgressDue: progress.isDue,
  onAnswer,
  onRefused,
  onNotOpened: firstPart.refuse,
  onChange: status.show,
});
tabs.listen({ onJudged: leaveOut, onBack: screen.letIn, onResults });
await copy.begin();
screen.resume();
judge.listen(leaveOutUnsent());
keys.listen({ takeBack, isHeld });
expected.listen(goOnOrFill);
