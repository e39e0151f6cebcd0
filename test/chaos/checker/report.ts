import type { HistoryLine } from '../history.ts';
import type { Verdict } from './check.ts';
import { quantile, type Takeovers } from './takeovers.ts';
import { formatHeading, formatInstant, type Violation } from './violations.ts';

const SHOWN_VIOLATIONS = 25;
const SHOWN_FAULTS = 12;
const NEAR_MS = 30_000;

/** The report of the checker, line by line. */
export function reportOf(
  history: readonly HistoryLine[],
  { violations, compared, arrived, delaysMs }: Verdict,
  takeovers: Takeovers,
): readonly string[] {
  const counts = Object.entries(Object.groupBy(violations, ({ kind }) => kind)).map(([kind, found]) => `${found.length} ${kind}`);
  return [
    ...violations.slice(0, SHOWN_VIOLATIONS).flatMap((one) => formatViolation(one, history)),
    ...(violations.length > SHOWN_VIOLATIONS ? [`… and ${violations.length - SHOWN_VIOLATIONS} more violations`] : []),
    formatFaults(history),
    `time from an event to its announcement, without outages: ${distribution(delaysMs)}`,
    'time to take over the work of a killed or frozen worker, without outages:',
    `  lease of an account: ${distribution(takeovers.leasesMs)}`,
    `  first delivery through the account: ${distribution(takeovers.deliveriesMs)}`,
    `  slots of rules: ${distribution(takeovers.slotsMs)}`,
    `time until a worker that was asked to stop gave the lease of an account back: ${distribution(takeovers.handoversMs)}`,
    formatAccounts(arrived),
    `${compared} messages, posts and edits compared with the events: ${counts.length === 0 ? 'no violation' : counts.join(', ')}`,
  ];
}

function formatViolation(violation: Violation, history: readonly HistoryLine[]): readonly string[] {
  const { fromMs, toMs, evidence } = violation;
  const near = history.flatMap((line) =>
    line.kind === 'fault' && line.fault !== 'platform' && line.atMs > fromMs - NEAR_MS && line.atMs < toMs + NEAR_MS
      ? [`${formatInstant(line.atMs)} ${[line.fault, line.worker, line.detail].filter((part) => part !== undefined).join(' ')}`]
      : [],
  );
  return [
    `VIOLATION ${formatHeading(violation)}`,
    ...evidence.map((line) => `    ${line}`),
    ...(near.length > 0 ? [`    faults: ${near.slice(0, SHOWN_FAULTS).join('; ')}${near.length > SHOWN_FAULTS ? '; …' : ''}`] : []),
  ];
}

function formatFaults(history: readonly HistoryLine[]): string {
  const faults = history.flatMap((line) => (line.kind === 'fault' ? [line.fault] : []));
  const crashes = history.filter(({ kind }) => kind === 'crashed').length;
  const counts = Object.entries(Object.groupBy(faults, (name) => name)).map(([name, found]) => `${found.length} ${name}`);
  const next = history.filter((line) => line.kind === 'started' && line.isNext).length;
  return `faults: ${counts.join(', ') || 'none'}${crashes > 0 ? `; workers ended by themselves: ${crashes}` : ''}${next > 0 ? `; starts of the next version: ${next}` : ''}`;
}

function formatAccounts(arrived: Verdict['arrived']): string {
  return `arrived: ${Object.entries(arrived)
    .map(([account, number]) => `${account} ${number}`)
    .join(', ')}`;
}

function distribution(ascending: readonly number[]): string {
  if (ascending.length === 0) return 'nothing measured';
  const parts = (
    [
      ['p50', 0.5],
      ['p90', 0.9],
      ['p99', 0.99],
    ] as const
  ).map(([name, part]) => `${name} ${seconds(quantile(ascending, part))}`);
  return `${parts.join(', ')}, max ${seconds(ascending.at(-1))} (${ascending.length} values)`;
}

function seconds(ms = 0): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
