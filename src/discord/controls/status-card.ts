import type { AccountView } from '#src/web/views.ts';
import type { Reader } from '../cards/card.ts';
import type { Reply } from '../reply.ts';
import { escaped } from '../text/foreign-text.ts';
import type { Status } from './controls.ts';
import { fitted, moment, numeral, timeSpan } from './text.ts';

const LONGEST_FIELD = 1_000;
const MEGABYTE = 1024 * 1024;
const MARKS: Readonly<Record<AccountView['state'], string>> = { connected: '🟢', connecting: '🟡', failed: '🔴' };

/** How the bot is. `pingMs`: how long the gateway takes to answer; absent: nobody knows yet. */
export function statusCard(
  { accounts, rules, deliveries, lagsMs, memoryBytes, hasGateway, startedAt, version }: Status,
  pingMs: number | undefined,
  reader: Reader,
): Reply {
  const { health } = reader.words.controls;
  const count = (value: number): string => numeral(value, reader);
  const process = [`Fanfare ${version}`, health.since(moment(startedAt)), health.memory(count(Math.round(memoryBytes / MEGABYTE)))];
  return {
    content: '',
    embeds: [
      {
        title: health.title,
        fields: [
          {
            name: health.accounts,
            value: fitted(
              accounts.map((account) => accountLine(account, reader)),
              LONGEST_FIELD,
              reader,
            ),
          },
          { name: health.rules, value: health.ruleCounts(count(rules.on), count(rules.paused), count(rules.broken)) },
          {
            name: health.deliveries,
            value: health.deliveryCounts(count(deliveries.open), count(deliveries.failed), count(deliveries.unknown)),
          },
          { name: health.lag, value: lagLine(lagsMs, reader) },
          { name: health.gateway, value: hasGateway ? gatewayLine(pingMs, reader) : health.noGateway },
          { name: health.process, value: process.join(' · ') },
        ],
      },
    ],
  };
}

function gatewayLine(pingMs: number | undefined, reader: Reader): string {
  const { health } = reader.words.controls;
  return pingMs === undefined ? health.connected : `${health.connected}, ${health.gatewayLag(timeSpan(pingMs, reader))}`;
}

function accountLine({ name, platform, state, problem, fault }: AccountView, { words: { controls, reasons } }: Reader): string {
  const on = name === platform ? '' : ` (${platform})`;
  return `${MARKS[state]} **${escaped(name, 60)}**${on}: ${controls.health[state]}${problem === undefined ? '' : `\n-# ${escaped(reasons.trouble({ problem, fault }), 300)}`}`;
}

function lagLine(lagsMs: readonly number[], reader: Reader): string {
  const { health } = reader.words.controls;
  const sorted = lagsMs.toSorted((a, b) => a - b);
  const [usual, longest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (usual === undefined || longest === undefined) return health.noLag;
  return health.lags(timeSpan(usual, reader), timeSpan(longest, reader), numeral(sorted.length, reader));
}
