import type { Ground } from './ground.ts';
import { publish } from './posts/publishing.ts';

/** How long somebody who chooses their followers takes to agree. */
const AGREEING_MS = 30_000;

/** Does what has become due since the last request: posts go out, and people agree to be followed. */
export function settle(ground: Ground): void {
  const nowMs = ground.clock.nowMs();
  const due = ground.scheduled.all().filter(({ isGone, dueAtMs }) => !isGone && dueAtMs <= nowMs);
  for (const scheduled of due.toSorted((a, b) => a.dueAtMs - b.dueAtMs)) {
    ground.scheduled.put({ ...scheduled, isGone: true });
    publish(scheduled.draft, { atMs: scheduled.dueAtMs, visibleAtMs: scheduled.dueAtMs, key: undefined }, ground);
  }

  const { marks, stage } = ground;
  const asked = marks.all('request').filter(({ atMs }) => atMs + AGREEING_MS <= nowMs);
  if (asked.length === 0) return;
  const { relations } = stage.momentFor();
  for (const { userId, target, atMs } of asked) {
    const agreedAtMs = atMs + AGREEING_MS;
    relations.setFollow(userId, target, true, agreedAtMs);
    if (marks.has('requestToHear', userId, target)) relations.setNotify(userId, target, true, agreedAtMs);
    marks.set({ kind: 'follow', userId, target, atMs: agreedAtMs });
    marks.drop('request', userId, target);
    marks.drop('requestToHear', userId, target);
  }
}
