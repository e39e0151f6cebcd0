import { COSTS, LOAD } from './constants.ts';
import { LIMITS, X_PLANS } from './limits.ts';
import { busiestChannelShare, PEAK, twitchRequestsPerMinute, type Scenario } from './model.ts';

/** A queue with a fixed rate, which serves first what came first. */
interface Queue {
  readonly what: string;
  /** Units per second. */
  readonly rate: number;
  /** The limit counts in windows of this length, so the units of a window may leave at once. Default: 1. */
  readonly windowS?: number | undefined;
  /** A longer wait of one in a hundred counts as the limit. */
  readonly longestWaitS: number;
  /** The units that arrive in a second. */
  readonly arrive: (second: number) => number;
}

/** How a queue did. */
export interface Waits {
  readonly what: string;
  /** The part of the time in which the queue served. */
  readonly use: number;
  readonly p50S: number;
  readonly p99S: number;
  readonly isReached: boolean;
}

/** The busiest hour. */
const SECONDS = 3_600;
/** Of the streams of the hour, this part begins together, as in an event. */
const EVENT_SHARE = 0.05;

/** Simulates the busiest hour of a scenario with one application and account of each platform, one worker and one database. */
export function simulate(scenario: Scenario, seed = 1): readonly Waits[] {
  return queuesOf(scenario, seed).map((queue) => serve(queue, SECONDS));
}

/** Serves a queue for some seconds, and measures how long the units of each second wait. */
export function serve({ what, rate, windowS = 1, longestWaitS, arrive }: Queue, seconds: number): Waits {
  const perWindow = rate * windowS;
  let backlog = 0;
  let served = 0;
  let left = 0;
  const waits: { readonly waitS: number; readonly units: number }[] = [];
  for (let second = 0; second < seconds; second++) {
    const units = arrive(second);
    backlog += units;
    if (second % windowS === 0) left = perWindow;
    // The last unit of the second waits for all units before it.
    if (units > 0) waits.push({ waitS: windowS === 1 ? backlog / rate : untilWindow(backlog - left, second), units });
    const done = Math.min(backlog, left);
    served += done;
    backlog -= done;
    left -= done;
  }
  function untilWindow(missing: number, second: number): number {
    return missing <= 0 ? 0 : Math.ceil(missing / perWindow) * windowS - (second % windowS);
  }

  const p99S = quantile(waits, 0.99);
  return { what, use: served / (rate * seconds), p50S: quantile(waits, 0.5), p99S, isReached: p99S > longestWaitS };
}

/** The size of an installation at which each limit is reached, the first one first, as a part of the scenario. */
export function firstLimits(scenario: Scenario, seed = 1): readonly { readonly what: string; readonly part: number }[] {
  const limits = new Map<string, number>();
  for (let step = 0; step <= STEPS; step++) {
    const part = SMALLEST_PART * (1 / SMALLEST_PART) ** (step / STEPS);
    for (const { what, isReached } of simulate(scaled(scenario, part), seed)) {
      if (isReached && !limits.has(what)) limits.set(what, part);
    }
  }
  return [...limits].map(([what, part]) => ({ what, part })).toSorted((a, b) => a.part - b.part);
}

const STEPS = 120;
const SMALLEST_PART = 0.001;

function scaled(scenario: Scenario, part: number): Scenario {
  const { discord, bluesky, mastodon, x } = scenario.postsPerDay;
  return {
    ...scenario,
    channels: Math.round(scenario.channels * part),
    kickChannels: Math.round(scenario.kickChannels * part),
    rules: Math.max(1, Math.round(scenario.rules * part)),
    servers: Math.max(1, Math.round(scenario.servers * part)),
    postsPerDay: { discord: discord * part, bluesky: bluesky * part, mastodon: mastodon * part, x: x * part },
  };
}

function queuesOf(scenario: Scenario, seed: number): readonly Queue[] {
  const { intervalS, channels, rules, servers, postsPerDay, xPlan = 'usage' } = scenario;
  const random = randomFrom(seed);
  const isSlot = (second: number): boolean => second % intervalS === 0;
  const requests = (twitchRequestsPerMinute(scenario) * intervalS) / 60;
  const posts = Object.values(postsPerDay).reduce((sum, count) => sum + count, 0);
  /** The decisions of each slot: all streams that went live since the slot before, and those of an event. */
  const decided = new Map<number, number>();
  const eventSecond = Math.floor(random() * (SECONDS / intervalS)) * intervalS;
  const perSlot = ((posts * PEAK) / 86_400) * intervalS;
  for (let second = 0; second < SECONDS; second += intervalS) {
    const event = second === eventSecond ? ((posts * PEAK) / 24) * EVENT_SHARE : 0;
    decided.set(second, poisson(perSlot * (1 - EVENT_SHARE) + event, random));
  }
  const deliveries = (second: number): number => decided.get(second) ?? 0;
  const share = (count: number): number => (posts === 0 ? 0 : count / posts);
  const shards = Math.ceil(servers / LIMITS.discordServersPerShard);
  const slotCpuS = (rules * COSTS.cpuMsPerSlot + channels * COSTS.cpuMsPerChannel) / 1000;
  return [
    {
      what: 'requests of one Twitch application',
      rate: LIMITS.twitchRequestsPerMinute / 60,
      longestWaitS: intervalS,
      arrive: (second) => (isSlot(second) ? requests : 0),
    },
    {
      what: 'messages of one Discord bot',
      rate: LIMITS.discordRequestsPerSecond,
      longestWaitS: intervalS,
      arrive: (second) => deliveries(second) * share(postsPerDay.discord),
    },
    {
      what: 'messages to the busiest Discord channel',
      ...hourPartOf(LIMITS.discordMessagesPerChannel),
      longestWaitS: intervalS,
      arrive: (second) => deliveries(second) * share(postsPerDay.discord) * busiestChannelShare(servers),
    },
    {
      what: 'posts of one Bluesky account',
      ...hourPartOf(LIMITS.blueskyPosts),
      longestWaitS: intervalS * 5,
      arrive: (second) => deliveries(second) * share(postsPerDay.bluesky),
    },
    {
      what: 'posts of one Mastodon account',
      ...hourPartOf(LIMITS.mastodonPosts),
      longestWaitS: intervalS * 5,
      arrive: (second) => deliveries(second) * share(postsPerDay.mastodon),
    },
    {
      what: 'posts of one X account',
      ...hourPartOf(X_PLANS[xPlan]),
      longestWaitS: intervalS * 5,
      arrive: (second) => deliveries(second) * share(postsPerDay.x),
    },
    {
      what: 'CPU of one worker',
      rate: LOAD.cpuShare,
      longestWaitS: intervalS,
      arrive: (second) => (isSlot(second) ? slotCpuS : 0) + (deliveries(second) * COSTS.cpuMsPerDelivery) / 1000,
    },
    {
      what: 'transactions of one database',
      rate: LOAD.transactionsPerSecond,
      longestWaitS: intervalS,
      arrive: (second) => (isSlot(second) ? rules * COSTS.transactionsPerSlot : 0) + deliveries(second) * COSTS.transactionsPerDelivery,
    },
    {
      what: 'connections of Discord shards after a restart',
      rate: 1 / LIMITS.discordSecondsPerIdentify,
      longestWaitS: 300,
      arrive: (second) => (second === 0 ? shards : 0),
    },
  ];
}

/** A limit in the busiest hour: of a longer window, the hour may use its part. */
function hourPartOf({ count, windowS }: { readonly count: number; readonly windowS: number }): {
  readonly rate: number;
  readonly windowS: number;
} {
  return { rate: count / windowS, windowS: Math.min(windowS, SECONDS) };
}

/** The wait that a part of all units does not exceed. */
function quantile(waits: readonly { readonly waitS: number; readonly units: number }[], part: number): number {
  const total = waits.reduce((sum, { units }) => sum + units, 0);
  let before = 0;
  for (const { waitS, units } of waits.toSorted((a, b) => a.waitS - b.waitS)) {
    before += units;
    if (before >= total * part) return waitS;
  }
  return 0;
}

/** A number with a Poisson distribution; for large means, its normal approximation. */
function poisson(mean: number, random: () => number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  const end = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > end; product *= random()) count++;
  return count;
}

/** Random numbers from 0 to 1, the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
