import { untilAborted, type Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { PRIORITIES } from '#src/rules/priority.ts';
import { AGING_MS, type PollRate } from '#src/rules/poll-budget.ts';

/** Takes points of a rate that all processes share. Resolves with the time until they are free, or 0 if they were taken. */
type TakePoints = (account: string, points: number, rate: PollRate) => Promise<number>;

/** A poll that needs points of its account. */
interface PacedPoll {
  readonly account: string;
  /** The share of the rate limit that its requests take. */
  readonly points: number;
  /** The highest priority of its rules: 0 is the highest. */
  readonly rank: number;
  /** The ids of its rules. */
  readonly rules: readonly string[];
  /** The instant from which its wait counts, in milliseconds since 1970. Absent: now. The parts of a poll share it, so that each does not wait again. */
  readonly sinceMs?: number | undefined;
}

/** A poll that waits for the rate limit of its account. */
export interface PollWait {
  readonly account: string;
  readonly sinceMs: number;
  /** The estimated time until it begins. */
  readonly moreMs: number;
  /** The rules whose polls go first because of their priority, each once. */
  readonly before: readonly string[];
}

export interface PollPaceOptions {
  /** The rate of the polls of an account; undefined: it is unknown, and only the limits in the responses count. */
  readonly rateOf: (account: string) => PollRate | undefined;
  readonly take: TakePoints;
  readonly clock: Clock;
  readonly log: Log;
}

/** Spreads polls, so that their bursts do not meet the rate limit of an account. */
export interface PollPace {
  /** Whether polls with so many points cannot all begin at once. */
  isShort(account: string, points: number): boolean;
  /** Resolves when the poll may be sent. If points are short, polls of a higher priority go first. Rejects when `signal` aborts. */
  enter(poll: PacedPoll, signal?: AbortSignal): Promise<void>;
  /** The poll of a rule that waits; undefined: none does. */
  waitOf(rule: string): PollWait | undefined;
}

interface WaitingPoll extends PacedPoll {
  readonly sinceMs: number;
  readonly begin: () => void;
}

/** Creates the pace of the polls of all accounts. */
export function createPollPace({ rateOf, take, clock, log }: PollPaceOptions): PollPace {
  const queues = new Map<string, WaitingPoll[]>();

  /** The position of the next poll: the oldest of the highest priority, unless one has waited for long. */
  function nextOf(queue: readonly WaitingPoll[]): number {
    const nowMs = clock.nowMs();
    let best = 0;
    for (const [index, one] of queue.entries()) if (rankAt(one, nowMs) < rankAt(queue[best] ?? one, nowMs)) best = index;
    return best;
  }

  async function serve(account: string, queue: WaitingPoll[], rate: PollRate): Promise<void> {
    let warned = false;
    while (queue.length > 0) {
      const next = queue[nextOf(queue)];
      if (!next) break;
      const points = Math.min(next.points, rate.burst);
      const waitMs = await take(account, points, rate).catch(() => ASK_AGAIN_MS);
      if (waitMs === 0) {
        leave(queue, next);
        next.begin();
        continue;
      }
      if (!warned && clock.nowMs() - next.sinceMs >= WARN_AFTER_MS) {
        warned = true;
        const waiting = Object.fromEntries(PRIORITIES.map((name, rank) => [name, queue.filter((one) => one.rank === rank).length]));
        log.warn({ account, waiting }, 'polls wait, because the rules need more requests than the rate limit of the account allows');
      }
      // A poll of a higher priority may come.
      await clock.sleep(Math.min(waitMs, ASK_AGAIN_MS));
    }
    queues.delete(account);
    if (warned) log.info({ account }, 'polls no longer wait for the rate limit of the account');
  }

  return {
    isShort(account, points) {
      const rate = rateOf(account);
      return rate !== undefined && (queues.has(account) || points > rate.burst);
    },

    async enter(poll, signal) {
      signal?.throwIfAborted();
      const { account } = poll;
      const rate = rateOf(account);
      if (!rate) return;
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const waiting: WaitingPoll = { ...poll, sinceMs: poll.sinceMs ?? clock.nowMs(), begin };
      const queue = queues.get(account);
      if (queue) queue.push(waiting);
      else {
        const first = [waiting];
        queues.set(account, first);
        void serve(account, first, rate);
      }
      try {
        await untilAborted(begun, signal);
      } catch (error) {
        leave(queues.get(account), waiting);
        throw error;
      }
    },

    waitOf(rule) {
      const nowMs = clock.nowMs();
      for (const [account, queue] of queues) {
        const own = queue.findLast(({ rules }) => rules.includes(rule));
        const rate = rateOf(account);
        if (!own || !rate) continue;
        const rank = rankAt(own, nowMs);
        const first = queue.filter((one) => rankAt(one, nowMs) < rank);
        const points = queue.filter((one) => one.sinceMs <= own.sinceMs && rankAt(one, nowMs) === rank).concat(first);
        return {
          account,
          sinceMs: own.sinceMs,
          moreMs: Math.ceil((points.reduce((sum, one) => sum + one.points, 0) / rate.perSecond) * 1_000),
          // An aged poll goes first because of its wait, whatever its priority.
          before: [...new Set(first.filter((one) => one.rank < own.rank).flatMap(({ rules }) => rules))],
        };
      }
      return undefined;
    },
  };
}

/** Removes a poll that begins or was interrupted. An interruption can also come during the statement that takes its points. */
function leave(queue: WaitingPoll[] = [], waiting: WaitingPoll): void {
  const index = queue.indexOf(waiting);
  if (index >= 0) queue.splice(index, 1);
}

/** How often a waiting poll asks for points. */
const ASK_AGAIN_MS = 1_000;
/** A shorter wait needs no line in the log. */
const WARN_AFTER_MS = 60_000;

function rankAt({ rank, sinceMs }: WaitingPoll, nowMs: number): number {
  return nowMs - sinceMs >= AGING_MS ? -1 : rank;
}
