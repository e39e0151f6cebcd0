import { COSTS, LIMITS, LOAD } from './constants.ts';
import { needsOf, type Scenario } from './model.ts';
import { firstLimits, simulate } from './simulate.ts';

/** The sizes that the page shows. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'one community',
    channels: 200,
    rules: 20,
    intervalS: 60,
    servers: 1,
    postsPerDay: { discord: 200, bluesky: 50, mastodon: 50, x: 20 },
  },
  {
    name: 'many communities',
    channels: 100_000,
    rules: 1_000,
    intervalS: 120,
    servers: 500,
    postsPerDay: { discord: 40_000, bluesky: 2_000, mastodon: 2_000, x: 200 },
  },
  {
    name: 'a million channels',
    channels: 1_000_000,
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
export function formatLimits(scenario: Scenario, count = 3): string {
  const rows = firstLimits(scenario)
    .slice(0, count)
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
    ['transactions of a slot', String(COSTS.transactionsPerSlot)],
    ['transactions of a delivery', String(COSTS.transactionsPerDelivery)],
    ['transactions of a process without work', `${COSTS.transactionsPerSecondAndWorker} /s`],
    ['bytes of a delivery, with its firing and indexes', formatNumber(COSTS.bytesPerDelivery)],
    ['part of a core that a worker uses', `${LOAD.cpuShare * 100} %`],
    ['transactions of the database, assumed', `${formatNumber(LOAD.transactionsPerSecond)} /s`],
    ['requests of a Twitch application', `${LIMITS.twitchRequestsPerMinute} /min, ${LIMITS.twitchChannelsPerRequest} channels each`],
  ];
  return formatTable([['constant', 'value'], ...rows]);
}

function formatTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
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
