// Notices of the organisers: they stand above the item until they are dismissed. Their place is a live region of its
// own, so that a notice is spoken beside what else is said at the moment.

import { say } from "./news.js";

const place = document.querySelector("#notices");
const known = new Set([...place.children].map((each) => each.dataset.notice));

export function add(notices) {
  for (const { notice, html } of notices) {
    if (known.has(String(notice))) continue;
    known.add(String(notice));
    place.insertAdjacentHTML("beforeend", html);
  }
}

// Without the script the form leads to the page again.
place.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const sent = { method: "POST", body: new FormData(form), redirect: "manual" };
  const reply = await fetch(form.action, sent).catch(() => null);
  if (reply?.type !== "opaqueredirect") return say("The notice could not be dismissed: try again later.");
  form.closest(".notice").remove();
  document.querySelector("#judged").focus({ preventScroll: true });
});
