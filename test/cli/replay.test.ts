import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import { openReplayer } from '#src/app/open-replayer.ts';
import { replay } from '#src/cli/replay.ts';
import { mergeKey } from '#src/engine/planner/merge-queries.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { renderStep } from '#src/rules/render.ts';
import type { Item } from '#src/rules/poll.ts';
import { openStore } from '#src/store/store.ts';
import { accountsOf } from '#src/app/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines, exitCodeOf } from './collect-lines.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');
const RULE = ({
  text = 'is live',
  least = 0,
  every = '1m',
}: { readonly text?: string; readonly least?: number; readonly every?: string } = {}): string => `id: live
when: { every: ${every}, watch: streaming.getStreams, with: { users: [ada, grace] }, where: "item.viewerCount >= ${least}" }
then:
  - id: card
    do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} ${text}" }
finally:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: over } }
`;

/** Announces the number of items at each poll. */
const WHOLE = (more = ''): string => `id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada, grace] }, per: slot }
${more === '' ? '' : 'if: "items.size() > 0"\n'}then:
  - { do: discord.send, with: { channel: live, content: "\${{ string(items.size()) }} at \${{ date(now, 'UTC', 'time') }}" } }
`;

function stream(handle: string, viewerCount: number): Item {
  return {
    id: `${handle}-1`,
    owner: { id: handle, handle, displayName: handle },
    title: 'Ranked',
    viewerCount,
    startedAt: '2026-11-20T18:00:30Z',
  };
}

/** The recorded polls, one per minute. */
const POLLS: readonly (readonly Item[])[] = [
  [],
  [stream('ada', 900)],
  [stream('ada', 900), stream('grace', 40)],
  [stream('grace', 40)],
  [stream('grace', 40)],
  [stream('grace', 40)],
];

/** Runs a rule on the polls and stores its polls and deliveries, as Fanfare does. */
async function recordRun(
  folder: string,
  source: string,
  {
    from = 0,
    recordedTo = Infinity,
    state = 'sent',
    pausedAt,
  }: {
    readonly from?: number;
    readonly recordedTo?: number;
    readonly state?: 'sent' | 'asked';
    /** The minute of a pause that begins before or after the slot of this minute. */
    readonly pausedAt?: `${'before' | 'after'} ${number}`;
  } = {},
): Promise<Readonly<Record<string, string>>> {
  const environment = { FANFARE_RULES: join(folder, 'rules'), FANFARE_DATA: join(folder, 'data') };
  await mkdir(environment.FANFARE_RULES);
  await mkdir(environment.FANFARE_DATA);
  const [rule] = checkRule({ file: 'live.yaml', source, catalogue, accounts: accountsOf(configOfEnvironment(environment)) }).rules;
  if (!rule?.watched) throw new Error('the rule cannot run');
  const clock = new ManualClock(START_MS);
  await using store = await openStore({ file: join(environment.FANFARE_DATA, 'fanfare.sqlite'), clock });
  const query = mergeKey({ verb: rule.watched.verb, account: 'twitch', params: rule.watched.with });
  for (const [minute, items] of POLLS.entries()) {
    const slotMs = START_MS + minute * 60_000;
    clock.set(slotMs);
    if (minute <= recordedTo)
      await store.recordedPolls.record(query, {
        slotMs,
        params: rule.watched.with,
        answer: { items, approximate: false, partialErrors: [] },
      });
    if (minute < from) continue;
    const pauseIf = async (time: typeof pausedAt): Promise<void> => {
      if (time === pausedAt) await store.ruleStates.changePauses([rule.id], { pause: { by: 'grace' } });
    };
    await pauseIf(`before ${minute}`);
    const next = advance({ rule, state: await store.ruleStates.load(rule.id), poll: { items, complete: true }, slotMs });
    await store.ruleStates.commit({ rule: rule.id, slotMs, ...next });
    await pauseIf(`after ${minute}`);
    for (const delivery of await store.deliveries.due('discord', { nowMs: slotMs, limit: 10 })) {
      const { due, results } = await store.deliveries.prepare(delivery);
      const rendered = renderStep({ ...due, section: delivery.section, account: 'discord', results, catalogue });
      const at = new Date(slotMs);
      const params = 'params' in rendered ? rendered.params : {};
      const sending = await store.deliveries.change(delivery, { state: 'sending', attempts: 1, since: at, attemptedAt: at, params });
      if (sending) await store.deliveries.change(sending, { state, sentAt: at, result: { id: 'live/1', url: 'https://discord.com/1' } });
    }
  }
  return environment;
}

async function replayed(
  folder: string,
  environment: Readonly<Record<string, string>>,
  { source, rule = 'live' }: { readonly source: string; readonly rule?: string },
) {
  await writeFile(join(folder, 'rules', 'live.yaml'), source);
  const { out, text } = collectLines();
  const code = await exitCodeOf(replay({ replayer: openReplayer(environment), rule, since: '1h', nowMs: START_MS + 600_000, out }), out);
  return {
    code,
    text: text(),
    events: text()
      .split('\n')
      .filter((line) => /^[=~+·-] [A-Z]/.test(line)),
  };
}

describe('replay', () => {
  test('of an unchanged rule equals the sent deliveries', async () => {
    using folder = temporaryFolder();
    const environment = await recordRun(folder.path, RULE());

    const { code, text, events } = await replayed(folder.path, environment, { source: RULE() });

    expect(code).toBe(0);
    expect(text).toContain(
      'The current file was run on 6 recorded polls from Fri, 20 Nov 2026, 18:00:00 to Fri, 20 Nov 2026, 18:05:00 (UTC).',
    );
    expect(events).toEqual([
      '= Fri, 20 Nov 2026, 18:01:00  ada  card: discord.send through discord',
      '= Fri, 20 Nov 2026, 18:02:00  grace  card: discord.send through discord',
      '= Fri, 20 Nov 2026, 18:04:00  ada  finally step 1: discord.edit through discord',
    ]);
    expect(text).toContain('Messages now: 3. Messages sent then: 3.\n= 3 same   ~ 0 changed   + 0 only now   - 0 only then');
  });

  test('of an edited rule shows different texts, new announcements and missing announcements', async () => {
    using folder = temporaryFolder();
    const environment = await recordRun(folder.path, RULE({ least: 100 }));

    const fewer = await replayed(folder.path, environment, { source: RULE({ text: 'plays', least: 1000 }) });
    const more = await replayed(folder.path, environment, { source: RULE({ text: 'plays' }) });

    expect(fewer.events.map((line) => line.slice(0, 1))).toEqual(['-', '-']);
    expect(more.events.map((line) => `${line.slice(0, 1)} ${line.slice(30)}`)).toEqual([
      '~ ada  card: discord.send through discord',
      '+ grace  card: discord.send through discord',
      '= ada  finally step 1: discord.edit through discord',
    ]);
    expect(more.text).toContain('    was\n    │ ada is live\n    now\n    │ ada plays');
    expect(more.text).toContain('Messages now: 3. Messages sent then: 2.');
  });

  test.for([
    ['before 1', 'prevented or delayed 2 announcements of this period'],
    ['after 1', 'prevented or delayed 2 announcements of this period'],
    ['before 2', 'prevented or delayed 1 announcement of this period'],
  ] as const)('names the announcements that a pause %s prevented', async ([pausedAt, expected]) => {
    using folder = temporaryFolder();
    const environment = await recordRun(folder.path, RULE(), { pausedAt });

    const { text } = await replayed(folder.path, environment, { source: RULE() });

    expect(text).toContain(`A pause or a mute ${expected}.`);
  });

  test('uses the interval of the current file', async () => {
    using folder = temporaryFolder();
    const environment = await recordRun(folder.path, RULE());

    const { text } = await replayed(folder.path, environment, { source: RULE({ every: '2m' }) });

    expect(text).toContain('on 3 recorded polls');
    const { text: once } = await replayed(folder.path, environment, { source: RULE({ every: '10m' }) });
    expect(once).toContain('on 1 recorded poll from');
  });

  test('pairs announcements of a whole list by poll', async () => {
    using folder = temporaryFolder();
    const environment = await recordRun(folder.path, WHOLE());

    const { events } = await replayed(folder.path, environment, { source: WHOLE() });
    const edited = await replayed(folder.path, environment, { source: WHOLE('if') });

    expect(events).toHaveLength(POLLS.length);
    expect(events.every((line) => line.startsWith('= '))).toBe(true);
    expect(edited.events.map((line) => line.slice(0, 30))).toEqual(
      events.map((line) => line.slice(0, 30)).with(0, '- Fri, 20 Nov 2026, 18:00:00  '),
    );
  });

  test('shows announcements before the history of the rule separately', async () => {
    using folder = temporaryFolder();
    const environment = await recordRun(folder.path, RULE(), { from: 3 });

    const { text, events } = await replayed(folder.path, environment, { source: RULE() });

    expect(events.map((line) => `${line.slice(0, 1)} ${line.slice(30)}`)).toEqual([
      '· ada  card: discord.send through discord',
      '· grace  card: discord.send through discord',
      '· ada  finally step 1: discord.edit through discord',
    ]);
    expect(text).toContain('The rule has no history before Fri, 20 Nov 2026, 18:03:00');
    expect(text).toContain('+ 0 only now   - 0 only then   · 3 before the history');
  });

  test('ignores deliveries of polls that are not recorded', async () => {
    using folder = temporaryFolder();
    const environment = await recordRun(folder.path, RULE(), { recordedTo: 3 });

    const { text, events } = await replayed(folder.path, environment, { source: RULE() });

    expect(events.map((line) => `${line.slice(0, 1)} ${line.slice(30)}`)).toEqual([
      '= ada  card: discord.send through discord',
      '= grace  card: discord.send through discord',
    ]);
    expect(text).toContain('Messages now: 2. Messages sent then: 2.');
  });

  test('shows when the rule would have been paused automatically', async () => {
    using folder = temporaryFolder();
    const environment = await recordRun(folder.path, RULE());

    const { text } = await replayed(folder.path, environment, { source: `${RULE()}fuse: { firings: 1, per: 1h }\n` });

    expect(text).toContain('The rule would have been paused automatically at Fri, 20 Nov 2026, 18:02:00, with a limit of 1 in 1h.');
  });

  test('counts a question without an answer as sent', async () => {
    using folder = temporaryFolder();
    const environment = await recordRun(folder.path, RULE(), { state: 'asked' });

    const { text } = await replayed(folder.path, environment, { source: RULE() });

    expect(text).toContain('Messages sent then: 2.\n= 2 same   ~ 0 changed   + 0 only now   - 0 only then');
  });

  test('names the users without recorded polls, and rules without any', async () => {
    using folder = temporaryFolder();
    const environment = await recordRun(folder.path, RULE());

    const otherUser = await replayed(folder.path, environment, { source: RULE().replace('[ada, grace]', '[ada, linus]') });
    const other = await replayed(folder.path, environment, {
      source: RULE().replace('getStreams, with: { users: [ada, grace] }', 'getGameStreams, with: { game: Chess }'),
    });
    const none = await replayed(folder.path, environment, { source: RULE(), rule: 'none' });

    expect(otherUser.text).toContain('Nothing is recorded about linus.');
    expect(other.text).toContain('No polls of this rule were recorded since');
    expect(none).toMatchObject({ code: 1, text: 'error: there is no rule none\n  Rules: live' });
  });
});
