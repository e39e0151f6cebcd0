import { COSTS, LOAD } from './constants.ts';
import { LIMITS, X_USD_PER_POST, xPostsPerDay, type XPlanName } from './limits.ts';

/** The size of an installation. */
export interface Scenario {
  readonly name: string;
  readonly channels: number;
  /** The part of the channels that is on Kick; the others are on Twitch. */
  readonly kickChannels: number;
  /** Each rule polls an equal part of the channels. */
  readonly rules: number;
  readonly intervalS: number;
  /** The servers of the Discord bot. */
  readonly servers: number;
  readonly postsPerDay: Readonly<Record<Platform, number>>;
  /** Default: paid by usage. */
  readonly xPlan?: XPlanName | undefined;
}

type Platform = 'discord' | 'bluesky' | 'mastodon' | 'x';

/** A need and its limit. */
interface Need {
  readonly what: string;
  readonly need: number;
  /** Absent: more of it costs, and nothing refuses it. */
  readonly limit?: number | undefined;
  readonly unit: string;
}

/** The busiest hour has three times the average. */
export const PEAK = 3;
const DAY_S = 86_400;
const MINUTES_A_DAY = DAY_S / 60;
/** The rules of a batch, whose polls are merged. */
const RULES_PER_BATCH = 50;

/** What a scenario needs, with the limits for one application or account of each platform. */
export function needsOf(scenario: Scenario): readonly Need[] {
  const { postsPerDay, servers, xPlan = 'usage' } = scenario;
  const deliveries = Object.values(postsPerDay).reduce((sum, posts) => sum + posts, 0);
  const { cpu, workers, transactions } = loadOf(scenario);
  const bytes = deliveries * COSTS.bytesPerDelivery;
  const shards = Math.ceil(servers / LIMITS.discordServersPerShard);
  return [
    { what: 'Twitch, requests', need: twitchRequestsPerMinute(scenario), limit: LIMITS.twitchRequestsPerMinute, unit: '/min' },
    {
      what: 'Twitch, requests with notifications',
      need: notifiedRequestsPerMinute(scenario),
      limit: LIMITS.twitchRequestsPerMinute,
      unit: '/min',
    },
    {
      what: 'Twitch, cost of subscriptions',
      need: twitchChannels(scenario) * COSTS.subscriptionTypes,
      limit: LIMITS.twitchSubscriptionCost,
      unit: '',
    },
    { what: 'Kick, requests', need: kickRequestsPerMinute(scenario), unit: '/min' },
    {
      what: 'Discord, messages in the busiest hour',
      need: (postsPerDay.discord / DAY_S) * PEAK,
      limit: LIMITS.discordRequestsPerSecond,
      unit: '/s',
    },
    {
      what: 'Discord, messages to the busiest channel',
      need: (postsPerDay.discord / DAY_S) * PEAK * busiestChannelShare(servers),
      limit: LIMITS.discordMessagesPerChannel.count / LIMITS.discordMessagesPerChannel.windowS,
      unit: '/s',
    },
    { what: 'Discord, connections of shards at a restart', need: shards, limit: LIMITS.discordIdentifiesPerDay, unit: '/day' },
    { what: 'Discord, time to connect all shards', need: shards * LIMITS.discordSecondsPerIdentify, unit: 's' },
    { what: 'Bluesky, posts in the busiest hour', need: (postsPerDay.bluesky / 24) * PEAK, limit: LIMITS.blueskyPosts.count, unit: '/h' },
    { what: 'Bluesky, posts', need: postsPerDay.bluesky, limit: LIMITS.blueskyPostsPerDay, unit: '/day' },
    { what: 'Mastodon, posts', need: postsPerDay.mastodon, limit: LIMITS.mastodonPostsPerDay, unit: '/day' },
    { what: 'X, posts', need: postsPerDay.x, limit: xPostsPerDay(xPlan), unit: '/day' },
    { what: 'X, costs of posts with links', need: xPlan === 'usage' ? postsPerDay.x * X_USD_PER_POST.withLink : 0, unit: 'USD/day' },
    { what: 'workers, CPU in the busiest hour', need: cpu, unit: 'cores' },
    { what: 'workers, processes', need: workers, unit: '' },
    { what: 'database, transactions in the busiest hour', need: transactions, limit: LOAD.transactionsPerSecond, unit: '/s' },
    { what: 'database, growth', need: bytes / 1e6, unit: 'MB/day' },
    { what: `database, size after ${COSTS.retentionDays} days`, need: (bytes * COSTS.retentionDays) / 1e9, unit: 'GB' },
  ];
}

/** The requests of a minute. The polls of a batch are merged, so that full requests are the rule. */
export function twitchRequestsPerMinute(scenario: Scenario): number {
  return requestsPerMinute(scenario, scenario.channels - scenario.kickChannels, LIMITS.twitchChannelsPerRequest);
}

const twitchChannels = ({ channels, kickChannels }: Scenario): number => channels - kickChannels;

/** The channels with a subscription to each type. The first channels get all types, and the others none. */
export function coveredChannels(channels: number): number {
  return Math.min(channels, Math.floor(LIMITS.twitchSubscriptionCost / COSTS.subscriptionTypes));
}

/** The requests of a minute if rules with covered channels rest, and the streams of channels with subscriptions bring polls. */
export function notifiedRequestsPerMinute(scenario: Scenario): number {
  const channels = twitchChannels(scenario);
  const polls = twitchRequestsPerMinute(scenario);
  const restS = Math.max(scenario.intervalS, Math.min(scenario.intervalS * COSTS.restIntervals, COSTS.longestRestS));
  const covered = channels === 0 ? 0 : coveredChannels(channels) / channels;
  // Each stream begins and ends.
  const events = (coveredChannels(channels) * 2 * LOAD.streamsPerDay) / MINUTES_A_DAY;
  return polls * (1 - covered + (covered * scenario.intervalS) / restS) + events * COSTS.requestsPerStreamEvent;
}

/** The requests of a minute for channels by id. Each name needs one more request a day. */
export function kickRequestsPerMinute(scenario: Scenario): number {
  return requestsPerMinute(scenario, scenario.kickChannels, LIMITS.kickChannelsPerRequest);
}

function requestsPerMinute({ rules, intervalS }: Scenario, channels: number, channelsPerRequest: number): number {
  const batches = Math.ceil(rules / RULES_PER_BATCH);
  const perBatch = Math.ceil(channels / batches / channelsPerRequest);
  return (batches * perBatch * 60) / intervalS;
}

/** The part of the Discord messages that the busiest channel gets. */
export function busiestChannelShare(servers: number): number {
  return Math.max(1 / servers, LOAD.busiestChannelShare);
}

/** CPU, processes and transactions per second in the busiest hour. */
function loadOf({ channels, rules, intervalS, postsPerDay }: Scenario): {
  readonly cpu: number;
  readonly workers: number;
  readonly transactions: number;
} {
  const slots = rules / intervalS;
  const deliveries = (Object.values(postsPerDay).reduce((sum, posts) => sum + posts, 0) / DAY_S) * PEAK;
  const cpuMs = slots * COSTS.cpuMsPerSlot + (channels / intervalS) * COSTS.cpuMsPerChannel + deliveries * COSTS.cpuMsPerDelivery;
  const cpu = cpuMs / 1000;
  const workers = Math.max(2, Math.ceil(cpu / LOAD.cpuShare));
  const transactions =
    slots * COSTS.transactionsPerSlot + deliveries * COSTS.transactionsPerDelivery + workers * COSTS.transactionsPerSecondAndWorker;
  return { cpu, workers, transactions };
}
