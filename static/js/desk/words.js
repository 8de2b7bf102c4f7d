// The desk's words that change while the page stays. templates/annotation/desk/_progress.html says the same.

export function judgements(n) {
  return n === 1 ? "1 judgement" : `${n} judgements`;
}

export function answers(n) {
  return n === 1 ? "1 answer" : `${n} answers`;
}

// The beginning of a text, for a line that names it.
export function shortened(text) {
  const [line, longest] = [text.trim(), 60];
  return line.length > longest ? `${line.slice(0, longest).trim()}…` : line;
}

export function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "less than a minute";
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `about ${rest} min`;
  return rest ? `about ${hours} h ${rest} min` : `about ${hours} h`;
}

// Which item this is: "Item 3 of 40".
export function itemNumber({ n_done, n_left, is_more }) {
  return is_more ? `Item ${n_done + 1}` : `Item ${n_done + 1} of ${n_done + n_left}`;
}

// How long an item is expected to take: annotation/templatetags/desk.py says the same.
export function seconds(n) {
  return n < 120 ? `${n} s` : `${Math.round(n / 60)} min`;
}

// How far one is: the count, the pace beside it, and whether that is known.
export function progress({ n_done, n_left, is_more, seconds_left }, expected) {
  if (is_more) return { count: `${n_done} done`, pace: `· more than ${n_left} left`, isKnown: true };
  const count = `${n_done} of ${n_done + n_left}`;
  if (!n_left) return { count, pace: "", isKnown: true };
  if (seconds_left === null) return { count, pace: `· about ${seconds(expected)} an item`, isKnown: false };
  return { count, pace: `· ${duration(seconds_left)} left`, isKnown: true };
}

// What is reserved for the person. How far they are in it is not always told.
export function part(n, nDone) {
  if (nDone !== null) return `${nDone} of ${n}`;
  return n === 1 ? "1 item" : `${n} items`;
}

// Of ten-thousandths, with two to four places: sampling/pay.py says the same.
export function money(units, sign) {
  const whole = Math.floor(units / 10000).toLocaleString("en-US");
  const behind = String(units % 10000).padStart(4, "0").replace(/0{1,2}$/, "");
  return `${sign}${whole}.${behind}`;
}

// What becomes of a judgement, where more is to be said than that it is saved. Empty where that is all.
export function outcome(result, entry) {
  const of = entry?.question ? `“${entry.question}”: ` : "";
  if (result.outcome === "saved") return "";
  if (result.outcome === "late") return of + result.words;
  if (result.outcome === "already" && result.is_same) return "";
  const not = `${of}“${entry?.said ?? "your answer"}” was not saved`;
  const text = entry?.written ? ` You wrote: “${entry.written}”` : "";
  if (result.outcome === "refused") return `${not}: ${result.words}.${text}`;
  if (result.outcome === "already") return `${not}: you answered “${result.said}” before, in another tab or on another device. ${result.words}${text}`;
  return `${not}. ${result.words}${text}`;
}
