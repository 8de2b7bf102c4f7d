// Times in the zone of the browser. Pages come with UTC: <time datetime data-local>, and <input data-local> for a time
// that is asked for, whose help names the zone in [data-zone]. Without this script all of it stays UTC.
const words = new Intl.DateTimeFormat("en-GB", {
  year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
  timeZoneName: "short",
});
const zone = words.resolvedOptions().timeZone;

function parts(at) {
  return Object.fromEntries(words.formatToParts(at).map(({ type, value }) => [type, value]));
}

function showLocal(element) {
  element.removeAttribute("data-local");
  const at = new Date(element.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const { year, month, day, hour, minute, timeZoneName } = parts(at);
  if (timeZoneName === "UTC") return;
  element.title = element.textContent;
  element.textContent = `${year}-${month}-${day} ${hour}:${minute} ${timeZoneName}`;
}

// What is entered is local, and is sent with its moment in UTC.
function askLocal(input) {
  input.removeAttribute("data-local");
  const { form, name, defaultValue } = input;
  if (!form || !("FormDataEvent" in window)) return;
  // A browser that goes back to the page puts back what was entered, which is local already.
  if (defaultValue && input.value === defaultValue) {
    const { year, month, day, hour, minute } = parts(new Date(`${defaultValue}Z`));
    input.value = `${year.padStart(4, "0")}-${month}-${day}T${hour}:${minute}`;
  }
  for (const each of input.closest(".field")?.querySelectorAll("[data-zone]") ?? []) each.textContent = zone;
  form.addEventListener("formdata", ({ formData }) => {
    const at = new Date(input.value);
    if (!Number.isNaN(at.getTime())) formData.set(name, at.toISOString());
  });
}

function showAll(root) {
  for (const each of root.querySelectorAll("time[data-local]")) showLocal(each);
  for (const each of root.querySelectorAll("input[data-local]")) askLocal(each);
}

showAll(document);
// What scripts fetch later comes with UTC too.
new MutationObserver((changes) => {
  if (changes.some(({ addedNodes }) => addedNodes.length)) showAll(document.body);
}).observe(document.body, { childList: true, subtree: true });
