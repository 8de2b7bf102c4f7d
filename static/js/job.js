/* A job's page while it is at work: says aloud what changed (not each second), keeps the focus. */
"use strict";

const said = document.getElementById("job-said");
let hadFocus = false;

document.body.addEventListener("htmx:beforeSwap", (event) => {
  // Signed out meanwhile, or the job is gone: the page itself says so better than a part of it.
  if (!event.detail.serverResponse.includes('id="job"')) {
    event.detail.shouldSwap = false;
    location.reload();
  }
  hadFocus = document.getElementById("job").contains(document.activeElement);
});

document.body.addEventListener("htmx:afterSwap", () => {
  const job = document.getElementById("job");
  const now = job.dataset.said.trim();
  if (said.textContent !== now) said.textContent = now;
  if (hadFocus && !job.contains(document.activeElement)) job.focus();
});
