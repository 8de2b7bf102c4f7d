// What this browser keeps besides judgements: settings, a half-written comment, notes. Where it keeps nothing,
// the desk works all the same.

export function kept(store, key) {
  try {
    return JSON.parse(window[store].getItem(key)) ?? {};
  } catch {
    return {};
  }
}

export function keep(store, key, value) {
  try {
    window[store].setItem(key, JSON.stringify(value));
  } catch {
    // Forbidden or full: nothing that was judged depends on it.
  }
}

export function keys(store) {
  try {
    return Object.keys(window[store]);
  } catch {
    return [];
  }
}

export function forget(store, begins) {
  for (const key of keys(store)) {
    if (key.startsWith(begins)) window[store].removeItem(key);
  }
}
