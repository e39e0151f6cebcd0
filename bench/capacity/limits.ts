/** The limits of one application, bot or account. Each comment names the source. */
export const LIMITS = {
  /** 800 points of a client per minute, one point for each request: https://dev.twitch.tv/docs/api/guide/#twitch-rate-limits */
  twitchRequestsPerMinute: 800,
  /** https://dev.twitch.tv/docs/api/reference/#get-streams */
  twitchChannelsPerRequest: 100,
  /** `max_total_cost` of a client id; a subscription without the sign-in of its broadcaster costs 1: https://dev.twitch.tv/docs/eventsub/manage-subscriptions/#subscription-limits */
  twitchSubscriptionCost: 10_000,
  /**
   * The limit of requests is not public: https://github.com/KickEngineering/KickDevDocs/issues/311. The parameter `broadcaster_user_id` of
   * https://docs.kick.com/apis/channels takes 50 ids.
   */
  kickChannelsPerRequest: 50,
  /** 50 requests of a bot per second: https://docs.discord.com/developers/topics/rate-limits. Fanfare uses 40 and keeps a burst of 10. */
  discordRequestsPerSecond: 40,
  /** Not documented: responses to new messages have the header `X-RateLimit-Limit: 5` for 5 seconds. */
  discordMessagesPerChannel: { count: 5, windowS: 5 },
  /** https://docs.discord.com/developers/events/gateway#sharding */
  discordServersPerShard: 2_500,
  /** `max_concurrency` is 1 for most bots: one shard connects every 5 seconds. Fanfare waits 5.5 seconds. */
  discordSecondsPerIdentify: 5.5,
  /** `session_start_limit` up to 150,000 servers: https://docs.discord.com/developers/events/gateway#session-start-limit-object */
  discordIdentifiesPerDay: 1_000,
  /** 5,000 points of an account per hour, 35,000 per day, 3 for each new record: https://docs.bsky.app/docs/advanced-guides/rate-limits */
  blueskyPosts: { count: Math.floor(5_000 / 3), windowS: 3_600 },
  blueskyPostsPerDay: Math.floor(35_000 / 3),
  /**
   * The documentation has 300 requests of an account in 5 minutes (https://docs.joinmastodon.org/api/rate-limits/). The program also counts
   * posts: 300 in 3 hours (https://github.com/mastodon/mastodon/blob/main/app/lib/rate_limiter.rb). Servers can change both.
   */
  mastodonPosts: { count: 300, windowS: 3 * 3_600 },
  mastodonPostsPerDay: (300 / 3) * 24,
} as const;

/** The posts of one X account by plan. */
interface XPlan {
  readonly count: number;
  readonly windowS: number;
  /** The limit of the application for all its accounts. */
  readonly perDay: number;
}

const QUARTER_S = 900;
const DAY_S = 86_400;

/**
 * X sells usage (https://docs.x.com/x-api/fundamentals/rate-limits). The plans with a monthly price exist for earlier customers; their limits
 * are those of the earlier page https://developer.x.com/en/docs/twitter-api/rate-limits.
 */
export const X_PLANS = {
  usage: { count: 100, windowS: QUARTER_S, perDay: 10_000 },
  pro: { count: 100, windowS: QUARTER_S, perDay: 10_000 },
  basic: { count: 100, windowS: DAY_S, perDay: 1_667 },
  free: { count: 17, windowS: DAY_S, perDay: 17 },
} as const satisfies Readonly<Record<string, XPlan>>;

/** The plan whose prices and limits the scenarios use. */
export type XPlanName = keyof typeof X_PLANS;

/** The prices of a post with and without a link, with the plan `usage`: https://docs.x.com/x-api/getting-started/pricing */
export const X_USD_PER_POST = { withLink: 0.2, withoutLink: 0.015 } as const;

/** The posts that one X account may send in a day. */
export function xPostsPerDay(name: XPlanName): number {
  const { count, windowS, perDay } = X_PLANS[name];
  return Math.min((count * DAY_S) / windowS, perDay);
}
