// The short name of a new study follows the title until somebody writes one.
const { title, slug } = document.getElementById("new-study").elements;
const proposed = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  .replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, slug.maxLength > 0 ? slug.maxLength : 60);
let own = slug.value !== "" && slug.value !== proposed(title.value);

title.addEventListener("input", () => { if (!own) slug.value = proposed(title.value); });
slug.addEventListener("input", () => { own = slug.value !== ""; });
