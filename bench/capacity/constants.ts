/** What Fanfare costs. Measured on a machine with two cores that other programs used, so times are upper bounds. */
export const COSTS = {
  /** CPU of a slot of a rule that polls and decides nothing, without its channels. */
  cpuMsPerSlot: 1.5,
  /** CPU to request and compare one channel. */
  cpuMsPerChannel: 0.2,
  cpuMsPerDelivery: 9.6,
  /** Including reads. */
  transactionsPerSlot: 4.1,
  transactionsPerDelivery: 10.7,
  /** Ticks, fetches of jobs, leases and signs of life of one process. */
  transactionsPerSecondAndWorker: 8.6,
  bytesPerDelivery: 5_300,
  /** How long deliveries stay in the database. */
  retentionDays: 90,
} as const;

/** How much a machine may do. Above this share, queues grow after each burst. */
export const LOAD = {
  /** The part of a core that a worker may use. */
  cpuShare: 0.7,
  /** An assumption for a database on a local SSD: most transactions only read, and commits share syncs. */
  transactionsPerSecond: 5_000,
} as const;

/** The limits that the platforms document. */
export const LIMITS = {
  twitchRequestsPerMinute: 800,
  twitchChannelsPerRequest: 100,
  /** Discord allows 50 requests per second and bot; Fanfare uses 40 and keeps a burst of 10. */
  discordRequestsPerSecond: 40,
  discordServersPerShard: 2_500,
  /** One shard may connect every 5 seconds; Fanfare waits 5.5 seconds. */
  discordSecondsPerIdentify: 5.5,
  discordIdentifiesPerDay: 1_000,
  /** 35,000 points a day and 3 points for each new record. */
  blueskyPostsPerDay: Math.floor(35_000 / 3),
  /** 300 requests in 5 minutes. */
  mastodonPostsPerDay: (300 / 5) * 60 * 24,
  /** 100 posts in 15 minutes and account. */
  xPostsPerDay: (100 / 15) * 60 * 24,
  xUsdPerPost: 0.015,
} as const;
