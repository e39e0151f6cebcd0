/** What Fanfare costs. Measured on a machine with two cores that other programs used, so times are upper bounds. */
export const COSTS = {
  /** CPU of a slot of a rule that polls and decides nothing, without its channels. */
  cpuMsPerSlot: 1.5,
  /** CPU to request and compare one channel. */
  cpuMsPerChannel: 0.2,
  cpuMsPerDelivery: 9.6,
  /** The types of subscriptions of a channel on Twitch. */
  subscriptionTypes: 3,
  /** Requests after a stream begins or ends, with notifications: `npm run bench -- hints`. */
  requestsPerStreamEvent: 1.1,
  /** While a platform notifies, a rule is polled after so many intervals, and after so many seconds at the latest. */
  restIntervals: 10,
  longestRestS: 600,
  /** Including reads. */
  transactionsPerSlot: 4.1,
  transactionsPerDelivery: 10.7,
  /** Ticks, fetches of jobs, leases and signs of life of one process. */
  transactionsPerSecondAndWorker: 8.6,
  /** With its indexes and half of a firing, in PostgreSQL: `node bench/capacity.ts --measure`. */
  bytesPerDelivery: 6_200,
  /** How long deliveries stay in the database. */
  retentionDays: 90,
} as const;

/** How much a machine may do. Above this share, queues grow after each burst. */
export const LOAD = {
  /** The part of a core that a worker may use. */
  cpuShare: 0.7,
  /**
   * What the statements of deliveries reach with synchronous commits: `node bench/capacity.ts --measure`. PostgreSQL 18.4 and four workers
   * share two cores (AMD EPYC, 24 GB, ext4), so it is a lower bound. With one worker, it is 4,100.
   */
  transactionsPerSecond: 3_000,
  /** The CPU of the database of one of these transactions. */
  databaseCpuMsPerTransaction: 0.37,
  /** The streams of a channel in a day: an assumption. */
  streamsPerDay: 1,
  /** The part of the Discord messages that one channel gets: an assumption. */
  busiestChannelShare: 0.01,
} as const;
