import type { ChaosAccount, ChaosRule } from '../history.ts';
import { workingMs, type Interval } from './outages.ts';
import { eventMsOf, formatStep, formatStream, type Step } from './steps.ts';
import type { Violation } from './violations.ts';
import type { Stream } from './world.ts';

export interface Limits {
  readonly requiredMs: number;
  readonly lateMs: number;
  /** Infinity: nothing more can arrive. */
  readonly nowMs: number;
}

/** The announcements of one rule about one person through one account. */
export interface ItemCase {
  readonly rule: ChaosRule;
  readonly account: ChaosAccount;
  readonly handle: string;
  /** Oldest first. */
  readonly streams: readonly Stream[];
  /** In the order in which they arrived. */
  readonly steps: readonly Step[];
  readonly outages: readonly Interval[];
  readonly limits: Limits;
  /** Receives the time from each event to its announcement, without outages. */
  readonly onDelay: (delayMs: number) => void;
}

/** Compares the events of a person with the announcements. */
export function checkItem(item: ItemCase): readonly Violation[] {
  const { streams, steps } = item;
  return [
    ...steps.flatMap((step) => checkStep(step, item)),
    ...duplicates(item),
    ...wrongOrder(item),
    ...streams.flatMap((stream) => missing(stream, item)),
    ...replies(item),
  ];
}

function violation(item: ItemCase, kind: Violation['kind'], what: string, about: readonly (Step | Stream)[]): Violation {
  const instants = about.flatMap((one) => ('atMs' in one ? [one.atMs] : [one.startMs, ...(one.endMs === undefined ? [] : [one.endMs])]));
  return {
    kind,
    rule: item.rule.id,
    account: item.account.name,
    item: item.handle,
    what,
    fromMs: Math.min(...instants),
    toMs: Math.max(...instants),
    evidence: about.map((one) => ('atMs' in one ? formatStep(one) : formatStream(one))),
  };
}

const streamOf = (step: Step, { streams }: ItemCase): Stream | undefined => streams.find(({ id }) => id === step.stream);

/** Whether the world has the event of a step, and whether the step arrived in time. */
function checkStep(step: Step, item: ItemCase): readonly Violation[] {
  const { rule, outages, limits, account, onDelay } = item;
  const stream = streamOf(step, item);
  const eventMs = eventMsOf(step, stream);
  const expected = EXPECTED[rule.shape];
  if (!expected.has(step.what) || eventMs === undefined) {
    return [violation(item, 'unexpected', 'the world has no event for this announcement', [step, ...(stream ? [stream] : [])])];
  }
  // A repeated edit has no separate event.
  if (step.what === 'edited') return [];
  if (account.mayLose) return [];
  const delayMs = workingMs({ fromMs: eventMs, toMs: step.atMs }, outages);
  onDelay(delayMs);
  if (delayMs <= limits.lateMs) return [];
  return [violation(item, 'late', `it arrived after ${Math.round(delayMs / 1000)} s`, [step, ...(stream ? [stream] : [])])];
}

const EXPECTED: Readonly<Record<ChaosRule['shape'], ReadonlySet<Step['what']>>> = {
  card: new Set(['opened', 'edited', 'closed']),
  reply: new Set(['opened', 'closed']),
  removal: new Set(['opened', 'deleted']),
  title: new Set(['titled']),
  slot: new Set(['ran']),
};

/** Effects that may exist once: messages and posts. A repeated edit or deletion changes nothing. */
function duplicates(item: ItemCase): readonly Violation[] {
  const created = item.steps.filter(
    (step) => step.what !== 'edited' && step.what !== 'deleted' && step.atMs === step.arrival.versions[0]?.atMs,
  );
  const groups = Map.groupBy(created, ({ what, stream, title }) => `${what} ${stream}${what === 'titled' ? ` ${title}` : ''}`);
  return [...groups].flatMap(([key, found]) =>
    new Set(found.map(({ arrival }) => arrival.id)).size > 1
      ? [violation(item, 'duplicated', `"${key}" arrived ${found.length} times`, found)]
      : [],
  );
}

function wrongOrder(item: ItemCase): readonly Violation[] {
  const violations: Violation[] = [];
  let latest: { readonly step: Step; readonly eventMs: number } | undefined;
  for (const step of item.steps) {
    // A deletion waits for nothing, and nothing waits for it.
    const eventMs = step.what === 'deleted' ? undefined : eventMsOf(step, streamOf(step, item));
    if (eventMs === undefined) continue;
    if (latest && eventMs < latest.eventMs) {
      violations.push(violation(item, 'out of order', 'an older event was announced after a newer one', [latest.step, step]));
    } else {
      latest = { step, eventMs };
    }
  }
  return violations;
}

/** The announcements of a stream that did not arrive, although their events lasted long enough to be seen. */
function missing(stream: Stream, item: ItemCase): readonly Violation[] {
  const { rule, account, steps, outages, limits } = item;
  if (account.mayLose) return [];
  const mine = steps.filter((step) => step.stream === stream.id);

  /** Whether a state that began at `fromMs` must have been announced by now. */
  function isOverdue(fromMs: number, toMs: number | undefined): boolean {
    const { requiredMs, lateMs, nowMs } = limits;
    return (
      workingMs({ fromMs, toMs: toMs ?? nowMs }, outages) >= requiredMs &&
      workingMs({ fromMs, toMs: nowMs }, outages) > Math.max(requiredMs, lateMs)
    );
  }
  const lost = (what: string): Violation => violation(item, 'lost', what, [...mine, stream]);

  if (rule.shape === 'title') {
    return stream.titles
      .filter(({ title, fromMs, toMs }) => isOverdue(fromMs, toMs) && !mine.some((step) => step.title === title))
      .map(({ title }) => lost(`title ${title} was not announced`));
  }
  const opened = mine.some(({ what }) => what === 'opened');
  if (!opened) return isOverdue(stream.startMs, stream.endMs) ? [lost('the start was not announced')] : [];
  const end = rule.shape === 'removal' ? 'deleted' : 'closed';
  const isClosed = mine.some(({ what }) => what === end);
  const violations =
    stream.endMs !== undefined && !isClosed && isOverdue(stream.endMs, undefined) ? [lost('the end was not announced')] : [];
  // An edit that was not sent yet when the stream ended is withdrawn.
  if (rule.shape !== 'card' || stream.endMs !== undefined) return violations;
  const titles = stream.titles.filter(({ title, fromMs, toMs }) => isOverdue(fromMs, toMs) && !mine.some((step) => step.title === title));
  return [...violations, ...titles.map(({ title }) => lost(`title ${title} was not shown`))];
}

/** Replies must reply to the post of the same stream. */
function replies(item: ItemCase): readonly Violation[] {
  if (item.rule.shape !== 'reply') return [];
  return item.steps.flatMap((step) => {
    if (step.what !== 'closed') return [];
    const post = item.steps.find(({ what, stream }) => what === 'opened' && stream === step.stream);
    if (post && post.arrival.id === step.arrival.replyTo) return [];
    return [violation(item, 'unexpected', 'it replies to another post', [step, ...(post ? [post] : [])])];
  });
}
