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

export function forget(store, begins) {
  try {
    for (const key of Object.keys(window[store])) {
      if (key.startsWith(begins)) window[store].removeItem(key);
    }
  } catch {
    // There is nothing to forget.
  }
}
