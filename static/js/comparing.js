/* The form of a comparison: what it would draw comes from the server, and what is drawn is what the form says. */
"use strict";

const problem = document.getElementById("outlook-problem");
for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.body.addEventListener(failure, () => { problem.hidden = false; });
}
document.body.addEventListener("htmx:afterOnLoad", () => { problem.hidden = true; });
document.body.addEventListener("htmx:beforeRequest", () => {
  document.getElementById("outlook").setAttribute("aria-busy", "true");
});
