import { describe, expect, test } from 'vitest';
import type { Decision } from '#src/rules/decision.ts';
import type { Store } from '#src/store/store.ts';
import { eventually } from '../../support/fanfare-process.ts';
import { committing } from '../../support/firings.ts';
import { idOf, openControls, textOf } from './fixture.ts';

/** A name that is too long for a custom id and contains its separator. */
const LONG = 'The Legend of Zelda: Tears of the Kingdom';
const GAMES = ['Chess', 'Go', LONG, ...Array.from({ length: 14 }, (_, n) => `Game ${n + 1}`)];
/** Their time never comes by itself. */
const FILES = {
  'games.yaml': `id: games
each: { game: [${GAMES.map((game) => JSON.stringify(game)).join(', ')}] }
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { do: discord.send, with: { channel: live, content: "about \${{ each.game }}" } }
`,
};
const RULE = `games/${LONG}`;
const ITEM = 'twitch:ada:with a key that is longer than a custom id has room for';
/** Of 25 decisions, each other one is about the same item. */
async function decided(store: Store): Promise<void> {
  // After an older slot, the rule would run in the first hour of a year, because it missed its time.
  const sinceMs = Date.now() - 60_000;
  for (let index = 0; index < 25; index++) {
    const item = index % 2 === 0 ? ITEM : `other ${index}`;
    const decision: Decision = { rule: RULE, atMs: sinceMs + index, outcome: 'suppressed', item, message: `decision-${index}- @everyone` };
    await store.ruleStates.commit(committing([], { rule: RULE, slotMs: sinceMs + index, decisions: [decision] }));
  }
}

function numbersIn(text: string): readonly number[] {
  return [...text.matchAll(/decision\\+-(\d+)/gu)].map(([, number]) => Number(number));
}

function down(from: number, to: number, step = 1): readonly number[] {
  return Array.from({ length: (from - to) / step + 1 }, (_, n) => from - n * step);
}

describe('the buttons of /automation', () => {
  test('turn the pages of the list, which has each rule once', async () => {
    await using fixture = await openControls({ files: FILES });
    const idsOn = (text: string): readonly string[] =>
      [...text.matchAll(/\*\*(games\/[^*]+)\*\*/gu)].map(([, id = '']) => id.replaceAll('\\', ''));

    const list = await fixture.owner.shared('automation list');
    const second = await fixture.owner.click(idOf(list), 'Next');
    const third = await fixture.german.click(idOf(list), 'Next');
    const back = await fixture.owner.click(idOf(list), 'Back');
    const first = await fixture.owner.click(idOf(list), 'First');
    const beyond = await fixture.owner.forge(idOf(list), 'automation:list:999999:next');

    for (const turned of [second, third, back, first, beyond]) expect(turned).toMatchObject({ outcome: 'update', ephemeral: false });
    expect([list, second, third].flatMap((page) => idsOn(textOf(page))).toSorted()).toEqual(
      GAMES.map((game) => `games/${game}`).toSorted(),
    );
    expect(textOf(third)).toContain('Page 3 of 3');
    expect(idsOn(textOf(back))).toEqual(idsOn(textOf(second)));
    expect(textOf(first)).toBe(textOf(list));
    expect(textOf(beyond)).toBe(textOf(third));
    await expect(fixture.owner.click(idOf(list), 'Next')).rejects.toThrow('disabled');
  });

  test('turn the pages of the reasons, of all items and of one', async () => {
    await using fixture = await openControls({ files: FILES, before: decided });

    const all = await fixture.owner.command('automation why', { rule: RULE });
    const one = await fixture.owner.command('automation why', { rule: RULE, item: ITEM });
    await fixture.restart();
    const allSecond = await fixture.owner.click(idOf(all), 'Next');
    const allThird = await fixture.owner.click(idOf(all), 'Next');
    const allFirst = await fixture.owner.click(idOf(all), 'First');
    const oneSecond = await fixture.owner.click(idOf(one), 'Next');
    const oneFirst = await fixture.german.click(idOf(one), 'First');

    for (const turned of [allSecond, allThird, allFirst, oneSecond, oneFirst])
      expect(turned).toMatchObject({ outcome: 'update', ephemeral: true });
    expect([all, allSecond, allThird].flatMap((page) => numbersIn(textOf(page)))).toEqual(down(24, 0));
    expect([one, oneSecond].flatMap((page) => numbersIn(textOf(page)))).toEqual(down(24, 0, 2));
    expect(numbersIn(textOf(allFirst))).toEqual(down(24, 15));
    expect(textOf(oneFirst)).toContain('**nicht gemeldet**');
    expect(numbersIn(textOf(oneFirst))).toEqual(numbersIn(textOf(one)));
    expect(allThird.message?.pinged.everyone).toBe(false);
  });

  test('on the card of a rule with a long name pause it, resume it, say why and preview it', async () => {
    await using fixture = await openControls({ files: FILES, before: decided });
    const shown = await fixture.owner.shared('automation show', { rule: RULE });
    const card = idOf(shown);

    const paused = await fixture.owner.click(card, 'Pause');
    const resumed = await fixture.owner.click(card, 'Resume');
    const why = await fixture.owner.click(card, 'Why?');
    const next = await fixture.owner.click(idOf(why), 'Next');
    const preview = await fixture.german.click(card, 'Preview');

    expect(paused).toMatchObject({ outcome: 'update', ephemeral: false });
    expect(textOf(paused)).toContain(`⏸️ paused by ${fixture.ownerName}`);
    // A second press at the same place must not resume the rule.
    for (const [answer, disabled] of [
      [shown, ['Resume']],
      [paused, ['Pause']],
      [resumed, ['Resume']],
    ] as const) {
      const buttons = [...JSON.stringify(answer.message?.components).matchAll(/"label":"([^"]+)"(?:,"disabled":(true|false))?/gu)];
      expect(buttons.map(([, label]) => label)).toEqual(['Pause', 'Resume', 'Why?', 'Preview']);
      expect(buttons.flatMap(([, label, isDisabled]) => (isDisabled === 'true' ? [label] : []))).toEqual(disabled);
    }
    expect(resumed.outcome).toBe('update');
    expect(textOf(resumed)).toContain('🟢 on');
    expect(await fixture.keep(async ({ ruleStates }) => (await ruleStates.paused()).size)).toBe(0);
    for (const answer of [why, preview]) expect(answer).toMatchObject({ outcome: 'message', ephemeral: true });
    expect([...numbersIn(textOf(why)), ...numbersIn(textOf(next))]).toEqual(down(24, 5));
    expect(textOf(preview)).toContain('about The Legend of Zelda');
    expect(textOf(await fixture.owner.click(card, 'Why?'))).toContain('decision');
    expect((await fixture.messages('live')).length).toBe(0);
  });

  test('a planned pause is shown with its times, leaves the rule running, and can be cancelled', async () => {
    await using fixture = await openControls({ files: FILES });
    const [first, last] = [90, 93].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
    const plan = { rule: RULE, from: `${first} 18:00`, until: `${last} 9:00` };
    const [planned, again] = [await fixture.owner.command('automation pause', plan), await fixture.owner.command('automation pause', plan)];
    const reversed = { ...plan, until: `${first} 17:00` };
    const wrong = await fixture.owner.command('automation pause', reversed);
    const german = await fixture.german.command('automation pause', reversed);
    const shown = textOf(await fixture.owner.command('automation show', { rule: RULE }));
    const notPaused = await fixture.german.command('automation resume', { rule: RULE });
    const cancelled = await fixture.owner.command('automation resume', { rule: RULE, planned: true });
    const none = await fixture.owner.command('automation resume', { rule: RULE, planned: true });
    const neither = await fixture.owner.command('automation resume', { rule: RULE });

    const [from, until] = [`${first}T18:00Z`, `${last}T09:00Z`].map((at) => `<t:${Date.parse(at) / 1000}:`);
    for (const text of [textOf(planned), shown]) expect(text).toEqual(expect.stringMatching(new RegExp(`${from}[^]*${until}`, 'u')));
    expect(textOf(planned)).toContain('Pause');
    expect(shown).toContain('🟢 on');
    expect(textOf(again)).toContain('has this planned pause already');
    const end = `<t:${Date.parse(`${first}T17:00Z`) / 1000}:`;
    for (const text of [wrong, german].map(textOf)) expect(text).toEqual(expect.stringMatching(new RegExp(`${from}[^]*${end}`, 'u')));
    expect(textOf(wrong)).toContain('This pause would begin');
    expect(textOf(german)).toContain('Diese Pause würde');
    expect(textOf(planned)).toContain('`/automation resume` with `planned: True`');
    expect(textOf(notPaused)).toMatch(
      /ist nicht angehalten\. Geplante Pausen streichen: `\/automation fortsetzen` mit `geplante: True`\./u,
    );
    expect(textOf(cancelled)).toContain('the planned pauses are cancelled');
    expect(textOf(none)).toContain('has no planned pause');
    expect(textOf(neither)).not.toContain('planned: True');
    expect(await fixture.keep(async ({ ruleStates }) => [...(await ruleStates.planned()), ...(await ruleStates.paused())])).toEqual([]);
  });

  test('below the answer that a rule is paused lead on, until the rule is gone', async () => {
    await using fixture = await openControls({ files: FILES });
    const paused = idOf(await fixture.owner.command('automation pause', { rule: RULE }));

    const why = await fixture.owner.click(paused, 'Why?');
    const shown = await fixture.owner.click(paused, 'Show the rule');
    const preview = await fixture.owner.click(idOf(shown), 'Preview');
    const resumed = await fixture.owner.click(paused, 'Resume');
    const again = await fixture.owner.click(paused, 'Resume');
    fixture.write('games.yaml', FILES['games.yaml'].replace(JSON.stringify(LONG), '"Shogi"'));
    const gone = await eventually('a rule that is gone', async () => {
      const view = await fixture.owner.click(paused, 'Show the rule');
      return textOf(view).includes('There is no rule') && view;
    });

    for (const answer of [why, shown, preview, resumed, again, gone]) expect(answer).toMatchObject({ outcome: 'message', ephemeral: true });
    expect(textOf(why)).toContain('There are no decisions yet.');
    expect(textOf(shown)).toContain('⏸️ paused by');
    expect(textOf(preview)).toContain('about The Legend of Zelda');
    expect(textOf(resumed)).toContain('Announcements from the pause are not sent');
    expect(textOf(resumed)).toContain('Pause');
    expect(textOf(again)).toContain('is not paused');
    expect(await fixture.keep(async ({ ruleStates }) => (await ruleStates.paused()).size)).toBe(0);
    expect(textOf(await fixture.owner.click(idOf(shown), 'Preview'))).toContain('There is no rule');
  });
});
