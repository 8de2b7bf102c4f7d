// What the tabs of this browser that show the same desk of the same person tell each other:
//   judged   an assignment that one of them judged: nobody shows it any more
//   back     an assignment whose judgement one of them took out of the outbox again
//   results  what the server said, each with its entry; `progress` is how far one is then, `batch` how it stands

export function tabs(address, user, { judged, back, results }) {
  if (!window.BroadcastChannel) return { say: () => {} };
  const channel = new BroadcastChannel(`touchstone-desk:${user}:${address}`);
  channel.addEventListener("message", ({ data }) => {
    if (data.judged) judged(data.judged);
    if (data.back) back(data.back);
    if (data.results) results(data.results, data.progress, data.batch);
  });
  return { say: (what) => channel.postMessage(what) };
}
