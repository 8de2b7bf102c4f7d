// A page of figures is loaded again when their job ends, but not once somebody has typed something into it: that would
// be lost. Then the page says that it is out of date, and asks no more.
let isTyped = false;

document.addEventListener("input", () => {
  isTyped = true;
});
document.addEventListener("htmx:beforeOnLoad", (event) => {
  if (!isTyped || !event.detail.xhr.getResponseHeader("HX-Refresh")) return;
  event.preventDefault();
  const state = event.target.closest(".computed");
  state.querySelector(".computing").remove();
  state.querySelector(".out-of-date").hidden = false;
});
