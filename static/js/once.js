// A form that was sent is not sent again while its answer is awaited: a double click is one act. Sent again after
// a while, or once the page is back, it is meant. Last of all listeners: what a script keeps from the server is
// the script's own.
const AWAITED = 5000; // milliseconds
let sentAt = new WeakMap();

window.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  const form = event.target;
  const method = event.submitter?.getAttribute("formmethod") ?? form.getAttribute("method");
  if (method?.toLowerCase() !== "post") return; // asks only
  const now = performance.now();
  if (now - (sentAt.get(form) ?? -Infinity) < AWAITED) event.preventDefault();
  else sentAt.set(form, now);
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) sentAt = new WeakMap();
});
