// The requests of polls an hour: the real scheduler and planner over simulated minutes, beside the fewest requests and a program without merging.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createShownStreams } from '#adapters/twitch/shown-streams.ts';
import { createRepeatedHints } from '#adapters/twitch/eventsub/repeated-hints.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { createCoverage } from '#src/engine/coverage.ts';
import { createHints } from '#src/engine/hints.ts';
import { createNotifiedRules } from '#src/engine/notified-rules.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { silentLog } from '#src/log.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { loadRules } from '#src/rules/load.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../test/support/manual-clock.ts';
import { memoryStates } from '../test/support/memory-states.ts';
import { accounts } from '../test/support/rule-language.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { BATCH, fewestRequests, MIXES, requestsWithoutMerging, textOf, type PollingRule } from './poll-requests/mixes.ts';
import { asStreams, channelOf, createWorld, idOf } from './poll-requests/world.ts';
import type { Row } from './row.ts';

const COUNTS = [1_000, 10_000, 100_000];
const MINUTE_MS = 60_000;
/** The first minutes have the first polls, and rules come to rest. The others are a multiple of all intervals and of the longest rest. */
const WARM_MINUTES = 10;
const MINUTES = 20;
const AN_HOUR = 60 / MINUTES;
/** Twitch: each type of a subscription costs 1, and its cost has this limit by default. */
const MOST_COST = 10_000;
const LASTING_FIELDS = ['platform', 'id', 'url', 'owner', 'startedAt'];
const NOTIFIED = [
  { operation: 'getStreams', parameter: 'users', fields: [...LASTING_FIELDS, 'title', 'game', 'language'], lastingFields: LASTING_FIELDS },
];
/** The rules read lasting fields only, so a channel needs the types of the beginning and of the end. */
const TYPES = 2;
const START_MS = Date.parse('2026-11-20T18:00:00Z');
const ACCOUNTS = { ...accounts, streaming: { all: ['twitch', 'kick'], defaults: [], namesPerRequest: BATCH } };

/** The requests of each mix of rules for each number of channels. */
export async function pollRequests(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const count of COUNTS) {
    const channels = Array.from({ length: count }, (_, index) => `streamer${index}`);
    for (const { name, rulesOf } of MIXES) {
      const polling = rulesOf(channels);
      const rules = await load(polling);
      const fewest = fewestRequests(polling, MINUTES) * AN_HOUR;
      const polled = await requestsAnHour(rules, polling, channels, false);
      const notified = await requestsAnHour(rules, polling, channels, true);
      rows.push(
        {
          measure: `requests an hour, ${count.toLocaleString('en')} channels: ${name}`,
          unit: '',
          figure: polled.requests,
          peer: { name: 'minimum', figure: fewest },
          aim: { ratioAtMost: 1.01 },
        },
        {
          measure: '  of a program that does not merge polls',
          unit: '',
          figure: requestsWithoutMerging(polling, MINUTES) * AN_HOUR,
          peer: { name: 'Fanfare', figure: polled.requests },
        },
        {
          measure: `  with notifications about ${notified.covered.toLocaleString('en')} channels and ${Math.round(notified.events).toLocaleString('en')} streams that begin or end`,
          unit: '',
          figure: notified.requests,
          peer: { name: 'polls', figure: polled.requests },
        },
      );
    }
  }
  return rows;
}

async function load(polling: readonly PollingRule[]): Promise<readonly Rule[]> {
  using folder = temporaryFolder({ inMemory: true });
  const paths = [join(folder.path, 'rules')];
  mkdirSync(join(folder.path, 'rules'));
  for (const rule of polling) writeFileSync(join(folder.path, 'rules', `${rule.id}.yaml`), textOf(rule));
  const { rules, diagnostics } = await loadRules({ paths, catalogue, accounts: ACCOUNTS, nowMs: START_MS });
  if (rules.length !== polling.length) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return rules;
}

interface Requests {
  readonly requests: number;
  /** The notified channels that need no polls. */
  readonly covered: number;
  /** The notifications an hour. */
  readonly events: number;
}

/** Runs rules over the simulated minutes. */
async function requestsAnHour(
  rules: readonly Rule[],
  polling: readonly PollingRule[],
  channels: readonly string[],
  isNotified: boolean,
): Promise<Requests> {
  const clock = new ManualClock(START_MS);
  const world = createWorld(channels, START_MS);
  const stopping = new AbortController();
  const { signal } = stopping;
  const shown = createShownStreams();
  const coverage = createCoverage();
  const planner = createPlanner({
    poll: async (query) => {
      const result = world.poll(query, clock.nowMs());
      if (Array.isArray(query.params['users']))
        shown.show(
          query.params['users'].map((user) => String(user)),
          asStreams(result.items),
        );
      return result;
    },
    clock,
    log: silentLog,
  });
  const scheduler = await createScheduler({
    rules,
    states: memoryStates(),
    read: planner.read,
    advance,
    notified: isNotified ? createNotifiedRules({ coverage, clock }) : undefined,
    onCommit: () => undefined,
    clock,
    log: silentLog,
  });
  const onHint = createHints({ rules: () => rules, scheduler, clock, log: silentLog, signal });
  const hint = (channel: string): void =>
    onHint({ account: 'twitch', verb: 'streaming.getStreams', named: { parameter: 'users', values: [channel], isRequired: true } });
  const repeatedly = createRepeatedHints({ hint: (id) => hint(channelOf(id)), namesOf: (id) => [channelOf(id)], shown, clock, signal });

  const watched = new Set(polling.flatMap(({ account, users = [] }) => (account === 'twitch' ? users : [])));
  // The first channels get all types that they need.
  const covered = [...watched].slice(0, MOST_COST / TYPES);
  const presenceOnly = new Map([['getStreams', covered]]);
  if (isNotified) coverage.set({ account: 'twitch', client: 'streaming', operations: NOTIFIED, names: new Map(), presenceOnly });
  const notified = new Set(covered);
  const events = world
    .eventsBetween(START_MS, START_MS + (WARM_MINUTES + MINUTES) * MINUTE_MS)
    .filter(({ channel }) => notified.has(channel));

  let next = 0;
  let before = 0;
  for (let second = 0; second < (WARM_MINUTES + MINUTES) * 60; second++) {
    if (second === WARM_MINUTES * 60) before = world.requests();
    for (let event = events[next]; isNotified && event && event.atMs <= clock.nowMs(); event = events[++next]) {
      const { channel, isLive, streamId } = event;
      repeatedly(idOf(channel), { type: isLive ? 'stream.online' : 'stream.offline', streamId, update: undefined });
    }
    await scheduler.tick();
    await clock.advance(1_000);
  }
  stopping.abort(new Error('the benchmark ended'));
  const counted = events.filter(({ atMs }) => atMs >= START_MS + WARM_MINUTES * MINUTE_MS);
  return { requests: (world.requests() - before) * AN_HOUR, covered: covered.length, events: counted.length * AN_HOUR };
}

if (import.meta.main) console.log(await pollRequests());
