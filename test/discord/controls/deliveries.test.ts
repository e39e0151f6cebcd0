import { describe, expect, test } from 'vitest';
import type { Store } from '#src/store/store.ts';
import { find, settle } from '../../contract/delivery-steps.ts';
import { eventually } from '../../support/fanfare-process.ts';
import { committing, creating, firing, keysOf, setting } from '../../support/firings.ts';
import { idOf, openControls, textOf } from './fixture.ts';

/** A minute ago, in whole seconds. After an older slot, the rule would run in the first hour of a year, because it missed its time. */
const AT_MS = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
/** A wait that ends long after each run of these tests. */
const LATER_MS = 100 * 365 * 86_400_000;

const GREET = `id: greet
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { id: hello, do: discord.send, with: { channel: live, content: hello there } }
`;
const FILES = { 'greet.yaml': GREET };
/** Three sent deliveries, one failed, and two unknown. */
async function past(store: Store): Promise<void> {
  const send = creating(['discord'], { id: 'hello', do: 'discord.send', with: { channel: 'live', content: 'hello there' } });
  const ends = ['unknown', 'sent', 'failed', 'sent', 'unknown', 'sent'] as const;
  for (const [index, state] of ends.entries()) {
    const fired = firing([send], { rule: 'greet', episode: `${index}`, occasion: `${index}`, atMs: AT_MS });
    await store.ruleStates.commit(committing([fired], { rule: 'greet', slotMs: fired.atMs + index }));
    const params = { channel: 'live', content: `hello ${index} @everyone` };
    const why = state === 'failed' ? { error: { fault: 'forbidden', message: 'no *way* in' } as const } : {};
    const at = { result: { id: `1/${index}`, url: 'https://discord.com/channels/1/1/1' }, sentAt: new Date(fired.atMs + 2_000) };
    await settle(store, keysOf(fired)[0], { state, ...why, ...(state === 'sent' ? at : {}) }, { params });
  }
}

/** One of each state that stays, before the many edits of two live cards. */
async function edits(store: Store): Promise<void> {
  const send = creating(['discord'], { id: 'hello', do: 'discord.send' });
  const later = creating(['discord'], { id: 'hello', do: 'discord.send', afterMs: LATER_MS });
  const states = ['pending', 'failed', 'unknown', 'sent'] as const;
  for (const [index, state] of states.entries()) {
    const fired = firing([state === 'pending' ? later : send], { rule: 'greet', episode: state, occasion: state, atMs: AT_MS });
    await store.ruleStates.commit(committing([fired], { rule: 'greet', slotMs: fired.atMs + index }));
    const why = state === 'failed' ? { error: { fault: 'missing', message: 'gone' } as const } : {};
    if (state !== 'pending') await settle(store, keysOf(fired)[0], { state, sentAt: new Date(fired.atMs), ...why });
  }
  for (let index = 0; index < 17; index++) {
    const episode = index % 2 === 0 ? 'ada@1' : 'grace@1';
    const about = { rule: 'greet', episode, section: 'while', occasion: `${index}`, atMs: AT_MS } as const;
    const fired = firing([setting(['discord']), setting(['discord'])], about);
    await store.ruleStates.commit(committing([fired], { rule: 'greet', slotMs: fired.atMs + 10 + index }));
    const [first, second] = keysOf(fired);
    await settle(store, first, { state: 'sent', sentAt: new Date(fired.atMs + index * 1_000) });
    // Of the other step only one was ever done, and one failed.
    const isLast = index === 16;
    if (index === 15 || isLast)
      await settle(store, second, isLast ? { state: 'sent', sentAt: new Date(fired.atMs + 20_000) } : { state: 'failed' });
    else await store.deliveries.change(await find(store, second), { state: 'skipped', message: 'nothing changed' });
  }
}

describe('/deliveries, /resolve and /status', () => {
  test('unknown deliveries come first, then failed ones, and filters apply', async () => {
    await using fixture = await openControls({ files: FILES, before: past });

    const all = await fixture.owner.command('deliveries');
    const failed = await fixture.owner.command('deliveries', { rule: 'greet', state: 'failed' });
    const german = await fixture.german.command('zustellungen', { zustand: 'fehlgeschlagen' });

    expect(all).toMatchObject({ outcome: 'message', ephemeral: true });
    expect([...textOf(all).matchAll(/\*\*(unknown|failed|sent)\*\*/gu)].map(([, state]) => state)).toEqual([
      'unknown',
      'unknown',
      'failed',
      'sent',
      'sent',
      'sent',
    ]);
    expect(textOf(failed)).toContain('no \\\\*way\\\\* in');
    expect(textOf(failed)).not.toContain('unknown');
    expect(textOf(german)).toContain('**fehlgeschlagen** · **greet** · hello → #live: `discord.send` über discord');
    expect((await fixture.owner.command('deliveries', { rule: 'nope' })).ephemeral).toBe(true);
  });

  test('open deliveries come before sent ones, and the edits of one card are one line', async () => {
    await using fixture = await openControls({ files: FILES, before: edits });
    const lastOf = (second: number): string => `<t:${AT_MS / 1_000 + second}:R>`;

    const all = textOf(await fixture.owner.command('deliveries'));
    const sent = textOf(await fixture.owner.command('deliveries', { state: 'sent' }));
    const german = textOf(await fixture.german.command('zustellungen'));

    expect([...all.matchAll(/\d\. \S+ \*\*([^*]+)\*\*/gu)].map(([, state]) => state)).toEqual([
      'unknown',
      'failed',
      'failed',
      'waiting',
      'sent',
      'sent',
      'sent',
      'sent',
    ]);
    expect(all).not.toContain('Next');
    for (const text of [all, sent]) {
      expect(text.match(/edited/gu)).toHaveLength(2);
      expect(text).toContain(`while step 1: \`discord.edit\` through discord · edited 9 times, last ${lastOf(16)}`);
      expect(text).toContain(`while step 1: \`discord.edit\` through discord · edited 8 times, last ${lastOf(15)}`);
      expect(text).toContain(`while step 2: \`discord.edit\` through discord · ${lastOf(20)}`);
    }
    expect(german).toContain(`9-mal geändert, zuletzt ${lastOf(16)}`);
  });

  test('buttons turn pages, even after a restart', async () => {
    await using fixture = await openControls({
      files: FILES,
      before: async (store) => {
        const send = creating(['discord'], { id: 'hello', do: 'discord.send' });
        for (let index = 0; index < 20; index++) {
          const fired = firing([send], { rule: 'greet', episode: `${index}`, occasion: `${index}`, atMs: AT_MS });
          await store.ruleStates.commit(committing([fired], { rule: 'greet', slotMs: fired.atMs + index }));
          await settle(store, keysOf(fired)[0], { state: 'failed', error: { fault: 'missing', message: `number-${index}-` } });
        }
      },
    });
    const numbers = (text: string): readonly number[] => [...text.matchAll(/number\\+-(\d+)/gu)].map(([, number]) => Number(number));
    const first = await fixture.owner.command('deliveries');
    await fixture.restart();

    const second = await fixture.owner.click(idOf(first), 'Next');
    const third = await fixture.owner.click(idOf(first), 'Next');

    expect(numbers(textOf(first)).length).toBe(8);
    expect(second.outcome).toBe('update');
    expect([...numbers(textOf(first)), ...numbers(textOf(second)), ...numbers(textOf(third))]).toEqual(
      Array.from({ length: 20 }, (_, n) => 19 - n),
    );
  });

  test('an unknown delivery is suggested, and resolved exactly once', async () => {
    await using fixture = await openControls({ files: FILES, before: past });
    const offered = await fixture.owner.type('resolve', { delivery: '' });
    expect(offered.map(({ name }) => name)).toEqual([expect.stringContaining('hello 4'), expect.stringContaining('hello 0')]);
    const [last, first] = offered.map(({ value }) => value);

    const again = await fixture.owner.command('resolve', { delivery: first ?? '', outcome: 'again' });
    await eventually('the message', async () => (await fixture.messages('live')).some(({ content }) => content.startsWith('hello 0')));
    const twice = await fixture.owner.command('resolve', { delivery: first ?? '', outcome: 'again' });
    const list = await fixture.owner.command('deliveries');
    const card = await fixture.owner.click(idOf(list), '❓ 1');
    const sent = await fixture.owner.click(idOf(card), 'It was sent');

    expect(textOf(again)).toContain('Fanfare sends it again');
    expect(textOf(twice)).toMatch(/This delivery needs no resolution: its state is “(?:sent|waiting|being sent)”/u);
    expect(textOf(card)).toContain('hello 4 @everyone');
    expect([sent.outcome, textOf(sent)]).toEqual(['update', expect.stringContaining('marked as sent')]);
    const messages = (await fixture.messages('live')).filter(({ content }) => content.startsWith('hello'));
    expect(messages.map(({ content }) => content)).toEqual(['hello 0 @everyone']);
    expect(messages[0]?.pinged.everyone).toBe(false);
    expect((await fixture.keep(({ deliveries }) => deliveries.find(last ?? '')))?.state).toBe('sent');
    expect(fixture.lines.join('')).toMatch(new RegExp(`button resolve:sent:.*by="${fixture.ownerName}`, 'u'));
  });

  test('a failed delivery is sent again once, with the current text of its step', async () => {
    const at = Date.now();
    await using fixture = await openControls({
      files: FILES,
      before: async (store) => {
        const send = creating(['discord'], { id: 'hello', do: 'discord.send', with: { channel: 'live', content: 'wrong' } });
        const fired = firing([send], { rule: 'greet', atMs: at });
        await store.ruleStates.commit(committing([fired], { rule: 'greet', slotMs: at }));
        await settle(store, keysOf(fired)[0], { state: 'failed', error: { fault: 'forbidden', message: 'no' } });
      },
    });
    const list = await fixture.owner.command('deliveries');
    const [card, other] = [await fixture.owner.click(idOf(list), '❌ 1'), await fixture.german.click(idOf(list), '❌ 1')];

    const resent = await fixture.owner.click(idOf(card), 'Resend');
    const twice = await fixture.german.click(idOf(other), 'Noch einmal senden');

    expect(card.ephemeral).toBe(true);
    expect(textOf(resent)).toContain('Fanfare sends it again');
    expect(textOf(twice)).toContain('Nur eine fehlgeschlagene Zustellung lässt sich noch einmal senden');
    await eventually('the message', async () => (await fixture.messages('live')).length > 0);
    expect((await fixture.messages('live')).map(({ content }) => content)).toEqual(['hello there']);
    await eventually('the receipt', async () =>
      textOf(await fixture.owner.command('deliveries', { state: 'sent' })).includes('sent again by'),
    );
    expect(textOf(await fixture.owner.command('deliveries'))).toContain(`sent again by ${fixture.ownerName}`);
    const forged = await fixture.member.forge(idOf(list), `deliveries:resend:${'x'.repeat(24)}`);
    expect(textOf(forged)).not.toContain('sends it again');
  });

  test('status shows accounts, rules, deliveries, lag and the process', async () => {
    await using fixture = await openControls({
      files: { ...FILES, 'broken.yaml': 'id: broken\n' },
      before: async (store) => {
        await past(store);
        const open = firing([creating(['discord'], { afterMs: LATER_MS })], { rule: 'other', episode: 'open', atMs: AT_MS });
        await store.ruleStates.commit(committing([open], { rule: 'other', slotMs: open.atMs + 100 }));
      },
    });
    await fixture.owner.command('automation pause', { rule: 'greet' });

    const status = await fixture.owner.command('status');
    const german = await fixture.german.command('status');

    expect(status).toMatchObject({ outcome: 'message', ephemeral: true });
    expect(textOf(status)).toMatch(/🟢 \*\*twitch\*\*.*1 on, 1 of them paused; 1 file with errors.*1 open, 1 failed, 2 unknown/su);
    expect(textOf(status)).toMatch(
      /usually 2 sec, at most 2 sec \(the last 3 deliveries\).*connected.*Fanfare \d+\.\d+\.\d+ · up since <t:\d+:f> · [\d,]+ MB/su,
    );
    expect(textOf(german)).toContain('1 an, davon 1 angehalten; 1 Datei mit Fehlern');
  });
});
