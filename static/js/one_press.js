// One press decides one item. Nobody reads an item in a fifth of a second: a key that comes sooner was pressed twice
// on the page before, as on the desk (desk/keys.js). And what was sent is not sent again while its answer is awaited.
const SHORTEST_LOOK = 200; // milliseconds
const AWAITED = 5000;
let shownAt = performance.now();
let sentAt = -Infinity;

window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  shownAt = performance.now();
  sentAt = -Infinity;
});

export function isOfPageBefore(event) {
  return event.timeStamp - shownAt < SHORTEST_LOOK;
}

export function send(form, button) {
  const now = performance.now();
  if (now - sentAt < AWAITED) return;
  sentAt = now;
  form.requestSubmit(button);
}
