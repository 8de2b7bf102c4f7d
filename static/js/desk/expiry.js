// Tells at once that the time for the item on the screen is over: when it ends, or when the person comes back.

import { say } from "./news.js";
import * as screen from "./screen.js";

const note = document.querySelector("#expired");
const LONGEST_TIMER = 2 ** 31 - 1; // milliseconds; a longer one would end at once
let timer = null;

function look() {
  clearTimeout(timer);
  const until = Date.parse(screen.shown?.expires_at ?? "");
  const left = until - Date.parse(screen.now());
  const wasHidden = note.hidden;
  note.hidden = !(left <= 0) || Boolean(document.querySelector("#judged .is-late"));
  if (wasHidden && !note.hidden) say(note.textContent.trim());
  if (left > 0 && left < LONGEST_TIMER) timer = setTimeout(look, left + 50);
}

document.addEventListener("desk:items", look);
document.addEventListener("visibilitychange", look);
look();
