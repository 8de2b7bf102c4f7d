// Judgements that were made on this page and whose result has not come: {entry, item}, in their order. The
// outbox has the same entries, and those of other pages; the items are only here.

const judgements = [];

export function add(entry, item) {
  judgements.push({ entry, item });
}

export function all() {
  return [...judgements];
}

export function latest() {
  return judgements.at(-1) ?? null;
}

export function remove(clientId) {
  const at = judgements.findIndex(({ entry }) => entry.client_id === clientId);
  if (at >= 0) judgements.splice(at, 1);
}
