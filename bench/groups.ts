import type { Row } from './row.ts';

/** Measures a group of rows. Some groups print more lines of their choice. */
type Group = () => Promise<readonly Row[]>;

/** The groups of `npm run bench`, by name. Each loads on demand, because an earlier version may lack what it imports. */
export const groups: Readonly<Record<string, Group>> = {
  job: async () => (await import('./job.ts')).job(),
  changes: async () => (await import('./rules-changes.ts')).changes(),
  deliveries: async () => (await import('./figures.ts')).deliveries(),
  processDeliveries: async () => (await import('./figures.ts')).deliveriesOfProcess(),
  latency: async () => (await import('./figures.ts')).latency(),
  reading: async () => (await import('./figures.ts')).reading(),
  requests: async () => (await import('./figures.ts')).requests(),
  polls: async () => (await import('./figures.ts')).polls(),
  program: async () => (await import('./figures.ts')).program(),
  cluster: async () => (await import('./cluster.ts')).cluster(),
  clusterPolls: async () => (await import('./cluster-polls.ts')).clusterPolls(),
  clusterFollows: async () => (await import('./cluster-follows.ts')).clusterFollows(),
  pollRequests: async () => (await import('./poll-requests.ts')).pollRequests(),
  hints: async () => (await import('./hints.ts')).hints(),
  follows: async () => (await import('./follows.ts')).follows(),
  growth: async () => (await import('./growth.ts')).growth(),
  volume: async () => (await import('./volume.ts')).volume(),
  ruleTests: async () => printed((await import('./rule-tests.ts')).ruleTests),
  rules: async () => printed((await import('./rules.ts')).manyRules),
  reload: async () => printed((await import('./reload.ts')).reloadOfThousand),
  startup: async () => printed((await import('./startup.ts')).startup),
  interactions: async () => printed((await import('./interactions.ts')).interactions),
  bot: async () => (await import('./bot.ts')).botBesideTwurple(),
};

/** A group that prints its lines, and sets the exit code. */
async function printed(measure: () => Promise<void>): Promise<readonly Row[]> {
  await measure();
  return [];
}
