// From the event at Twitch to the message in Discord: the real process with 1,000 channels, with notifications.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { end, startFanfare } from './child-process.ts';
import { startTwitch } from './hints/twitch.ts';
import type { Row } from './row.ts';

const CHANNELS = 1_000;
/** Streams that begin and end at these rates, one after the other. */
const RATES = [
  { perMinute: 1, minutes: 6 },
  { perMinute: 5, minutes: 4 },
  { perMinute: 20, minutes: 3 },
];
/** After the first polls and the connection. */
const WARM_MS = 20_000;
const MINUTE_MS = 60_000;
/** Polls without notifications: 100 channels a request, each minute. */
const POLLED = CHANNELS / 100;
/** At rest, the whole list is polled once in this time. */
const WHOLE_LIST_MINUTES = 10;
/** With a longer `within`, for the rate up to which a tenth of the requests is enough. */
const LONG_WITHIN_MINUTES = 30;
/** The first millisecond of Discord. */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

const ruleOf = (handles: readonly string[]): string => `
id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [${handles.join(', ')}] } }
fuse: { firings: 100000, per: 1h }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.owner.handle }} is live" } }
`;

/** The delay of announcements, and the requests for streams a minute. */
export async function hints(): Promise<readonly Row[]> {
  using folder = temporaryFolder({ inMemory: true });
  await using twitch = await startTwitch(CHANNELS);
  await using sandbox = await startSandbox({});
  const { DISCORD_TOKEN = '', DISCORD_GUILD_ID = '', DISCORD_API_URL = '' } = sandbox.environment;
  const rules = join(folder.path, 'rules');
  mkdirSync(rules);
  writeFileSync(join(rules, 'live.yaml'), ruleOf(twitch.handles));
  const program = startFanfare({
    FANFARE_DATA: join(folder.path, 'data'),
    FANFARE_RULES: rules,
    PORT: '0',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
    DISCORD_TOKEN,
    DISCORD_GUILD_ID,
    DISCORD_API_URL,
    ...twitch.environment,
  });
  try {
    while (twitch.reads() < POLLED || twitch.shards() === 0) await sleep(100);
    await sleep(WARM_MS);
    const begun = new Map<string, number>();
    const live: string[] = [];
    const waiting = [...twitch.handles];
    const rows: Row[] = [];
    let [allReads, allEvents] = [0, 0];
    for (const { perMinute, minutes } of RATES) {
      const before = twitch.hintedReads();
      const events = perMinute * minutes;
      for (let event = 0; event < events; event++) {
        // Every second event is the end of an earlier stream.
        const ending = event % 2 === 1 ? live.shift() : undefined;
        const handle = ending ?? waiting.shift() ?? '';
        if (ending === undefined) {
          begun.set(handle, Date.now());
          live.push(handle);
        }
        twitch.set(handle, ending === undefined);
        await sleep((MINUTE_MS / perMinute) * (0.5 + Math.random()));
      }
      // The next slot confirms the last end.
      await sleep(MINUTE_MS);
      const reads = twitch.hintedReads() - before;
      [allReads, allEvents] = [allReads + reads, allEvents + events];
      rows.push({
        measure: `  requests for streams a minute, with ${perMinute} streams a minute that begin or end`,
        unit: '',
        figure: reads / minutes + POLLED / WHOLE_LIST_MINUTES,
        peer: { name: 'polls', figure: POLLED },
      });
    }
    const perEvent = allReads / allEvents;
    const delaysMs = await delaysOf(sandbox, begun);
    const at = (part: number): number => delaysMs[Math.min(delaysMs.length - 1, Math.floor(delaysMs.length * part))] ?? Number.NaN;
    return [
      {
        measure: `from an event at Twitch to the message, ${CHANNELS.toLocaleString('en')} channels: median`,
        unit: 'ms',
        figure: at(0.5),
        aim: { atMost: 1_500 },
      },
      { measure: '  99th percentile', unit: 'ms', figure: at(0.99), aim: { atMost: 5_000 } },
      { measure: '  streams without a message', unit: '', figure: begun.size - delaysMs.length, aim: { atMost: 0 } },
      ...rows,
      { measure: '  requests of a stream that begins or ends', unit: '', figure: perEvent },
      {
        measure: `  events a minute up to which a tenth of the requests is enough, with within: ${LONG_WITHIN_MINUTES}m`,
        unit: '',
        figure: (POLLED / 10 - POLLED / LONG_WITHIN_MINUTES) / perEvent,
      },
    ];
  } finally {
    await end(program);
  }
}

/** The delays of the messages, shortest first, when all have arrived, or after two minutes. */
async function delaysOf(sandbox: Sandbox, begun: ReadonlyMap<string, number>): Promise<readonly number[]> {
  const untilMs = Date.now() + 2 * MINUTE_MS;
  for (;;) {
    const delays = messagesOf(await (await request(`${sandbox.url}/control/messages?limit=500`)).body.json()).flatMap(({ id, content }) => {
      const beganMs = begun.get(content.split(' ')[0] ?? '');
      return beganMs === undefined ? [] : [Number((BigInt(id) >> 22n) + DISCORD_EPOCH_MS) - beganMs];
    });
    if (delays.length >= begun.size || Date.now() > untilMs) return delays.toSorted((a, b) => a - b);
    await sleep(500);
  }
}

function messagesOf(answer: unknown): readonly { readonly id: string; readonly content: string }[] {
  return (answer as { items: { id: string; content: string }[] }).items; // the control API of this version
}

if (import.meta.main) console.log(await hints());
