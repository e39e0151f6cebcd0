import type { Request } from './acts.ts';

const DAY_MS = 86_400_000;
/** The times at which queued posts are sent. */
export const QUEUE = { times: ['09:00', '12:00', '21:00'], zone: 'UTC' };

interface ExpectedPost {
  readonly text: string;
  readonly edits: number;
  readonly atMs: number;
  readonly isQueued: boolean;
  readonly isCancelled: boolean;
}

/** A change of the list, by the lines of its entries; null: there was no entry. */
export interface ExpectedChange {
  readonly id: string;
  readonly before: Readonly<Record<string, string | null>>;
  readonly after: Readonly<Record<string, string | null>>;
}

/** The state that people changed and that each worker has to show. */
export interface ExpectedState {
  /** The end of the pause of the rule, Infinity without one; 0: the rule is not paused. */
  readonly pausedUntilMs: number;
  /** The planned pauses of the rule, from their begins to their ends. */
  readonly plans: Readonly<Record<number, number>>;
  readonly value: number;
  readonly version: number;
  /** The lines of the entries by id; undefined: there is no list. */
  readonly entries: Readonly<Record<string, string>> | undefined;
  readonly channel: string;
  readonly pings: readonly string[];
  readonly posts: Readonly<Record<string, ExpectedPost>>;
}

type After = readonly [state: ExpectedState, answer: string];

/** The state after a request that nothing interrupts, and the answer to its person. */
export function afterRequest(state: ExpectedState, request: Request, nowMs: number): After {
  switch (request.kind) {
    case 'pause':
      return state.pausedUntilMs === request.untilMs ? [state, 'unchanged'] : [{ ...state, pausedUntilMs: request.untilMs }, 'done'];
    case 'plan': {
      const isSame = state.plans[request.fromMs] === request.untilMs;
      return isSame ? [state, 'unchanged'] : [{ ...state, plans: { ...state.plans, [request.fromMs]: request.untilMs } }, 'done'];
    }
    case 'resume':
      return state.pausedUntilMs === 0 ? [state, 'unchanged'] : [{ ...state, pausedUntilMs: 0 }, 'done'];
    case 'cancelPlans':
      return Object.keys(state.plans).length === 0 ? [state, 'unchanged'] : [{ ...state, plans: {} }, 'done'];
    case 'setValue':
      return [{ ...state, value: request.value }, `before ${state.value}`];
    case 'run':
      return [{ ...state, value: state.value + 1 }, `ran ${state.value + 1}`];
    case 'publish':
      return state.version === request.after ? [{ ...state, version: state.version + 1 }, 'done'] : [state, 'overtaken'];
    case 'setChannel':
      return [{ ...state, channel: request.channel }, 'done'];
    case 'setPings': {
      const isAsRead = String(state.pings) === String(request.expected);
      return isAsRead ? [{ ...state, pings: request.pings }, 'done'] : [state, 'settingsChanged'];
    }
    case 'add':
    case 'remove':
    case 'change':
    case 'deleteList':
    case 'undo':
      return afterListRequest(state, request);
    case 'queue':
    case 'edit':
    case 'move':
    case 'cancel':
      return afterPostRequest(state, request, nowMs);
  }
}

function afterListRequest(
  state: ExpectedState,
  request: Extract<Request, { kind: 'add' | 'remove' | 'change' | 'deleteList' | 'undo' }>,
): After {
  const { entries = {} } = state;
  switch (request.kind) {
    case 'add':
      if (request.entry in entries) return [state, 'entryExists'];
      return [{ ...state, entries: { ...entries, [request.entry]: request.line } }, 'done'];
    case 'remove': {
      const { [request.entry]: removed, ...others } = entries;
      return removed === undefined ? [state, 'entryNotFound'] : [{ ...state, entries: others }, 'done'];
    }
    case 'change': {
      const line = entries[request.entry];
      if (line === undefined) return [state, 'entryNotFound'];
      if (line !== request.expected) return [state, 'entryChanged'];
      return [{ ...state, entries: { ...entries, [request.entry]: request.line } }, 'done'];
    }
    case 'deleteList':
      return state.entries ? [{ ...state, entries: undefined }, 'done'] : [state, 'listNotFound'];
    case 'undo': {
      const { before, after } = request.change;
      const isAs = (states: ExpectedChange['before']): boolean =>
        Object.entries(states).every(([id, line]) => (entries[id] ?? null) === line);
      if (state.entries && isAs(before)) return [state, 'unchanged'];
      if (!isAs(after)) return [state, 'entryChanged'];
      const undone = Object.entries({ ...entries, ...before }).flatMap(([id, line]) => (line === null ? [] : [[id, line] as const]));
      return [{ ...state, entries: Object.fromEntries(undone) }, 'done'];
    }
  }
}

function afterPostRequest(
  state: ExpectedState,
  request: Extract<Request, { kind: 'queue' | 'edit' | 'move' | 'cancel' }>,
  nowMs: number,
): After {
  const { posts } = state;
  const put = (post: ExpectedPost): ExpectedState => ({ ...state, posts: { ...posts, [request.post]: post } });
  if (request.kind === 'queue') {
    const taken = Object.values(posts).flatMap(({ isQueued, isCancelled, atMs }) => (isQueued && !isCancelled ? [atMs] : []));
    const atMs = queueTimes(nowMs).find((ms) => !taken.includes(ms)) ?? 0;
    return [put({ text: request.text, edits: 0, atMs, isQueued: true, isCancelled: false }), `at ${atMs}`];
  }
  const post = posts[request.post];
  if (!post) return [state, 'postNotFound'];
  if (request.kind === 'cancel') return [put({ ...post, isCancelled: true }), 'done'];
  if (post.isCancelled) return [state, 'postCancelled'];
  if (request.kind === 'move') return [put({ ...post, atMs: request.atMs, isQueued: false }), 'done'];
  if (request.edits !== post.edits) return [state, 'postEdited'];
  return [put({ ...post, text: request.text, edits: post.edits + 1 }), 'done'];
}

/** The times of the queue in the next weeks. */
function queueTimes(nowMs: number): readonly number[] {
  const midnightMs = nowMs - (nowMs % DAY_MS);
  const days = Array.from({ length: 30 }, (_, day) => new Date(midnightMs + day * DAY_MS).toISOString().slice(0, 10));
  return days.flatMap((day) => QUEUE.times.map((time) => Date.parse(`${day}T${time}Z`))).filter((ms) => ms > nowMs);
}

/** The state when time has passed. */
export function afterTime(state: ExpectedState, nowMs: number): ExpectedState {
  const begun = Object.entries(state.plans).filter(([fromMs]) => Number(fromMs) <= nowMs);
  const ends = [state.pausedUntilMs, ...begun.map(([, untilMs]) => untilMs)].filter((untilMs) => untilMs > nowMs);
  const plans = Object.fromEntries(Object.entries(state.plans).filter(([fromMs]) => Number(fromMs) > nowMs));
  return { ...state, plans, pausedUntilMs: Math.max(0, ...ends) };
}
