/* A job's page, also while the job that follows is at work, and the list of jobs: says aloud what changed (not each
   second), keeps the focus. */
"use strict";

const said = document.getElementById("job-said");
let id; // of the part that changes
let hadFocus = false;

document.body.addEventListener("htmx:beforeSwap", (event) => {
  id = event.detail.target.id;
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
