/* A job's page and the list of jobs while something is at work: says aloud what changed (not each second),
   keeps the focus. */
"use strict";

const said = document.getElementById("job-said");
const id = document.querySelector("[data-said]").id;
let hadFocus = false;

document.body.addEventListener("htmx:beforeSwap", (event) => {
  // Signed out meanwhile, or the job is gone: the page itself says so better than a part of it.
  if (!event.detail.serverResponse.includes(`id="${id}"`)) {
    event.detail.shouldSwap = false;
    location.reload();
  }
  hadFocus = document.getElementById(id).contains(document.activeElement);
});

document.body.addEventListener("htmx:afterSwap", () => {
  const part = document.getElementById(id);
  const now = part.dataset.said.trim();
  if (said.textContent !== now) said.textContent = now;
  if (hadFocus && !part.contains(document.activeElement)) part.focus();
});
