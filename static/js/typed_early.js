/* A form whose numbers come from the server asks for them when it is changed. What was changed before the
   scripts were there, or was put back by the browser on the way back to the page, is asked for at the start. */
"use strict";

function indexOfDefault(select) {
  return [...select.options].findIndex((each) => each.defaultSelected);
}

function isChanged(field) {
  if (!field.name) return false; // a slider that repeats a field
  if (field.type === "select-one") return field.selectedIndex !== Math.max(0, indexOfDefault(field));
  if (field.options) return [...field.options].some((each) => each.selected !== each.defaultSelected);
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  return "defaultValue" in field && field.value !== field.defaultValue;
}

// htmx listens for the same event, and has read the page by then: its script comes before this one.
document.addEventListener("DOMContentLoaded", () => {
  for (const form of document.querySelectorAll("form[hx-trigger^=input]")) {
    if ([...form.elements].some(isChanged)) form.dispatchEvent(new Event("input", { bubbles: true }));
  }
});
