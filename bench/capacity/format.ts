import { COSTS, LOAD } from './constants.ts';
import { LIMITS, X_PLANS, X_USD_PER_POST } from './limits.ts';
import { needsOf, type Scenario } from './model.ts';
import { firstLimits, simulate } from './simulate.ts';
import { formatTable } from './table.ts';

/** The sizes that the page shows. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'one community',
    channels: 200,
    kickChannels: 20,
    rules: 20,
    intervalS: 60,
    servers: 1,
    postsPerDay: { discord: 200, bluesky: 50, mastodon: 50, x: 20 },
  },
  {
    name: 'many communities',
    channels: 100_000,
    kickChannels: 10_000,
    rules: 1_000,
    intervalS: 120,
    servers: 500,
    postsPerDay: { discord: 40_000, bluesky: 2_000, mastodon: 2_000, x: 200 },
  },
  {
    name: 'a million channels',
    channels: 1_000_000,
    kickChannels: 100_000,
    rules: 10_000,
    intervalS: 60,
    servers: 10_000,
    postsPerDay: { discord: 400_000, bluesky: 2_000, mastodon: 2_000, x: 200 },
  },
];

/** The needs of a scenario as a Markdown table. */
export function formatNeeds(scenario: Scenario): string {
  const rows = needsOf(scenario).map(({ what, need, limit, unit }) => [
    what,
    `${formatNumber(need)} ${unit}`.trim(),
    limit === undefined ? '' : `${formatNumber(limit)} ${unit}`.trim(),
    limit === undefined ? '' : `${formatNumber((need / limit) * 100)} %`,
  ]);
  return formatTable([['', 'need', 'limit', 'in use'], ...rows]);
}

/** The queues of the busiest hour as a Markdown table. */
export function formatSimulation(scenario: Scenario): string {
  const rows = simulate(scenario).map(({ what, use, p50S, p99S, isReached }) => [
    what,
    `${formatNumber(use * 100)} %`,
    formatSeconds(p50S),
    formatSeconds(p99S),
    isReached ? 'too slow' : 'fast enough',
  ]);
  return formatTable([['queue', 'in use', 'median wait', '99 % wait at most', ''], ...rows]);
}

/** The limits that a growing installation reaches first. */
export function formatLimits(scenario: Scenario): string {
  const rows = firstLimits(scenario)
    .slice(0, 3)
    .map(({ what, part }, index) => [
      String(index + 1),
      what,
      formatNumber(scenario.channels * part),
      formatNumber(scenario.servers * part),
      formatNumber(scenario.postsPerDay.discord * part),
    ]);
  return formatTable([['', 'limit', 'channels', 'servers', 'Discord messages per day'], ...rows]);
}

/** The constants of the model as a Markdown table. */
export function formatConstants(): string {
  const rows = [
    ['CPU of a slot', `${COSTS.cpuMsPerSlot} ms`],
    ['CPU to poll one channel', `${COSTS.cpuMsPerChannel} ms`],
    ['CPU of a delivery', `${COSTS.cpuMsPerDelivery} ms`],
    ['types of subscriptions of a channel on Twitch', String(COSTS.subscriptionTypes)],
    ['requests after a stream begins or ends, with notifications', String(COSTS.requestsPerStreamEvent)],
    ['streams of a channel in a day, assumed', String(LOAD.streamsPerDay)],
    ['transactions of a slot', String(COSTS.transactionsPerSlot)],
    ['transactions of a delivery', String(COSTS.transactionsPerDelivery)],
    ['transactions of a process without work', `${COSTS.transactionsPerSecondAndWorker} /s`],
    ['bytes of a delivery, with its firing and indexes', formatNumber(COSTS.bytesPerDelivery)],
    ['part of a core that a worker uses', `${LOAD.cpuShare * 100} %`],
    ['transactions of the database, measured', `${formatNumber(LOAD.transactionsPerSecond)} /s`],
    ['CPU of the database of a transaction', `${LOAD.databaseCpuMsPerTransaction} ms`],
    ['part of the Discord messages in the busiest channel, assumed', `${LOAD.busiestChannelShare * 100} %`],
  ];
  return formatTable([['constant', 'value'], ...rows]);
}

/** The limits of the platforms with their sources as a Markdown table. */
export function formatPlatformLimits(): string {
  const { discordMessagesPerChannel: perChannel, blueskyPosts, mastodonPosts } = LIMITS;
  const { usage, pro, basic, free } = X_PLANS;
  const rows = [
    [
      'Twitch',
      'an application',
      `${LIMITS.twitchRequestsPerMinute} requests a minute, ${LIMITS.twitchChannelsPerRequest} channels each`,
      '[Twitch API guide](https://dev.twitch.tv/docs/api/guide/#twitch-rate-limits)',
    ],
    [
      'Twitch',
      'an application',
      `subscriptions with a cost of ${LIMITS.twitchSubscriptionCost.toLocaleString('en')}, ${COSTS.subscriptionTypes} for a channel`,
      '[EventSub](https://dev.twitch.tv/docs/eventsub/manage-subscriptions/#subscription-limits)',
    ],
    [
      'Kick',
      'an application',
      `not public; ${LIMITS.kickChannelsPerRequest} channels in a request`,
      '[Kick developers](https://github.com/KickEngineering/KickDevDocs/issues/311)',
    ],
    [
      'Discord',
      'a bot',
      `50 requests a second; Fanfare uses ${LIMITS.discordRequestsPerSecond}`,
      '[rate limits](https://docs.discord.com/developers/topics/rate-limits)',
    ],
    ['Discord', 'a channel', `${perChannel.count} messages in ${perChannel.windowS} seconds`, 'headers of responses; not documented'],
    [
      'Discord',
      'a bot',
      `${formatNumber(LIMITS.discordServersPerShard)} servers per shard; one shard connects every 5 seconds, ${formatNumber(LIMITS.discordIdentifiesPerDay)} times a day`,
      '[gateway](https://docs.discord.com/developers/events/gateway#sharding)',
    ],
    [
      'Bluesky',
      'an account',
      `5,000 points an hour and 35,000 a day, 3 for a post: ${blueskyPosts.count.toLocaleString('en')} posts an hour, ${LIMITS.blueskyPostsPerDay.toLocaleString('en')} a day`,
      '[rate limits](https://docs.bsky.app/docs/advanced-guides/rate-limits)',
    ],
    [
      'Mastodon',
      'an account',
      `300 requests in 5 minutes; ${mastodonPosts.count} posts in ${mastodonPosts.windowS / 3_600} hours`,
      '[documentation](https://docs.joinmastodon.org/api/rate-limits/), [source](https://github.com/mastodon/mastodon/blob/main/app/lib/rate_limiter.rb)',
    ],
    [
      'X, paid by usage',
      'an account',
      `${usage.count} posts in ${usage.windowS / 60} minutes, ${formatNumber(usage.perDay)} a day for the application; ${X_USD_PER_POST.withoutLink} USD for a post, ${X_USD_PER_POST.withLink} USD with a link`,
      '[rate limits](https://docs.x.com/x-api/fundamentals/rate-limits), [prices](https://docs.x.com/x-api/getting-started/pricing)',
    ],
    [
      'X, earlier plans',
      'an account',
      `Pro: ${pro.count} posts in ${pro.windowS / 60} minutes; Basic: ${basic.count} a day, ${basic.perDay.toLocaleString('en')} for the application; Free: ${free.count} a day`,
      '[earlier rate limits](https://developer.x.com/en/docs/twitter-api/rate-limits)',
    ],
  ];
  return formatTable([['platform', 'of', 'limit', 'source'], ...rows]);
}

function formatSeconds(seconds: number): string {
  return seconds < 120 ? `${formatNumber(seconds)} s` : `${formatNumber(seconds / 60)} min`;
}

/** Two digits or more. */
function formatNumber(value: number): string {
  const digits = Math.max(1, Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
  if (value >= 1_000) {
    const unit = 10 ** (digits - 3);
    return (Math.round(value / unit) * unit).toLocaleString('en');
  }
  return String(Number(value.toPrecision(2)));
}
