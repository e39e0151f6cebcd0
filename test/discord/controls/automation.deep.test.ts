import { describe, expect, test } from 'vitest';
import { fetch } from '../../support/discord-sandbox.ts';
import { eventually } from '../../support/fanfare-process.ts';
import { type ControlsFixture, idOf, openControls, textOf } from './fixture.ts';

/** Its time never comes by itself. */
const GREET = `id: greet
about: Says hello.
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { id: hello, do: discord.send, with: { channel: live, content: hello there } }
`;
const GREET_TEST = `rule: greet
start: 2027-01-01T00:00:00Z
cases:
  - it: says hello
    polls: [{ at: 0m }]
    expect: [{ at: 0m, do: discord.send, with: { content: hello there } }]
  - it: says good bye
    polls: [{ at: 0m }]
    expect: [{ at: 0m, do: discord.send, with: { content: good bye } }]
`;
const CARD = `id: card
when: { every: 5s, watch: streaming.getStreams, with: { users: [ada] }, settle: 0s, grace: 0s }
fuse: { firings: 200, per: 1h }
then:
  - { id: card, do: discord.send, with: { channel: live, content: "\${{ item.owner.displayName }} is live: \${{ item.title }}" } }
finally:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: over } }
  - { do: discord.send, with: { channel: general, content: it is over } }
`;
const GAMES = `id: games
each: { game: [Chess, Go] }
when: { every: 7d, watch: streaming.getGameStreams, with: { game: "\${{ each.game }}" }, take: 3 }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
`;
const BROKEN = `id: broken
when: { every: 1m, wach: streaming.getStreams }
then:
  - { do: discord.send, with: { channel: live, content: hi } }
`;
const FILES = { 'greet.yaml': GREET, 'greet.test.yaml': GREET_TEST, 'card.yaml': CARD, 'games.yaml': GAMES, 'broken.yaml': BROKEN };

const OFFLINE = [{ do: 'end', user: 'ada' }] as const;
async function answered(fixture: ControlsFixture, channel: string, text: string): Promise<number> {
  return (await fixture.messages(channel)).filter(({ content }) => content.includes(text)).length;
}

/** Goes live once the rule has looked at an empty list. */
async function live(fixture: ControlsFixture): Promise<void> {
  await eventually('a look', () => fixture.keep(async ({ ruleStates }) => (await ruleStates.load('card')).memory.lastPollMs !== undefined));
  fixture.order({ do: 'goLive', user: 'ada', title: 'Endgames' });
}

describe('/automation', () => {
  test('list, show, why, preview and test answer only the operator, in the language of the operator', async () => {
    await using fixture = await openControls({ files: FILES, orders: OFFLINE });
    await live(fixture);
    await eventually('a card', async () => (await answered(fixture, 'live', 'is live: Endgames')) > 0);

    const list = await fixture.owner.command('automation list');
    const show = await fixture.owner.command('automation show', { rule: 'card' });
    const german = await fixture.german.command('automation zeigen', { regel: 'card' });
    const why = await fixture.owner.command('automation why', { rule: 'card' });
    const ofItem = await fixture.owner.command('automation why', { rule: 'card', item: 'nobody' });
    const ofName = await fixture.owner.command('automation why', { rule: 'card', item: 'Ada' });
    const before = (await fixture.messages('live')).length;
    const preview = await fixture.owner.command('automation preview', { rule: 'greet' });
    const testing = await fixture.owner.command('automation test', { rule: 'greet' });
    const open = await fixture.owner.shared('automation list');

    for (const answer of [list, show, german, why, ofItem, ofName, preview, testing])
      expect(answer).toMatchObject({ outcome: 'message', ephemeral: true });
    expect(open.ephemeral).toBe(false);
    expect(textOf(list)).toMatch(/card.*games\/Chess.*greet.*broken.*🔴 broken.*broken\.yaml:2:\d+/su);
    expect(textOf(list)).toContain('🔴');
    expect(textOf(show)).toMatch(/every 5 sec.*streaming\.getStreams.*twitch.*discord\.send.*more than 200 announcements/su);
    expect(textOf(show)).toMatch(/<t:\d+:R>/u);
    expect(textOf(german)).toMatch(/alle 5 Sek.*über twitch.*am Ende.*mehr als 200 Meldungen/su);
    expect(textOf(why)).toMatch(/\*\*announced\*\*: .*ada/iu);
    expect(textOf(ofItem)).toContain('There is no stored decision about nobody');
    expect(textOf(ofName)).toMatch(/\*\*announced\*\*: ada/iu);
    expect(textOf(preview)).toContain('hello there');
    expect(await answered(fixture, 'live', 'hello there')).toBe(0);
    expect((await fixture.messages('live')).length).toBe(before);
    expect(textOf(testing)).toMatch(/1 passed, 1 failed.*says good bye.*good bye/su);
  });

  test('names of rules, instances and items are completed, and an unknown rule is an error', async () => {
    await using fixture = await openControls({ files: FILES, orders: OFFLINE });
    await live(fixture);
    await eventually('a card', async () => (await answered(fixture, 'live', 'is live')) > 0);
    const values = async (command: string, options: Record<string, string>): Promise<readonly string[]> =>
      (await fixture.owner.type(command, options)).map(({ value }) => value);

    expect(await values('automation show', { rule: 'ga' })).toEqual(['games', 'games/Chess', 'games/Go']);
    expect(await values('automation why', { rule: 'card', item: '' })).toEqual([expect.stringMatching(/\w/u)]);
    expect(await values('automation resume', { rule: '' })).toEqual([]);
    await fixture.owner.command('automation pause', { rule: 'games/Go' });
    expect(await values('automation resume', { rule: '' })).toEqual(['games', 'games/Go']);
    expect(await fixture.member.type('automation show', { rule: 'ga' }).catch(String)).toContain('is not for');
    const none = await fixture.owner.command('automation show', { rule: 'nope' });
    const many = await fixture.owner.command('automation show', { rule: 'games' });
    expect([none.ephemeral, textOf(none)]).toEqual([true, expect.stringContaining('There is no rule “nope”')]);
    expect(textOf(many)).toContain('games/Chess, games/Go');
  });

  test('a paused rule announces nothing, even after a restart, and closes open cards; a resumed rule announces only new changes', async () => {
    await using fixture = await openControls({ files: FILES, orders: OFFLINE });
    await live(fixture);
    await eventually('a card', async () => (await answered(fixture, 'live', 'is live')) > 0);

    const paused = await fixture.owner.command('automation pause', { rule: 'card' });
    const again = await fixture.owner.command('automation pause', { rule: 'card' });
    fixture.order({ do: 'end', user: 'ada' });
    await eventually('a closed card', async () => (await answered(fixture, 'live', 'over')) > 0);
    await fixture.restart();
    fixture.order({ do: 'goLive', user: 'ada', title: 'Openings' });
    const refused = await eventually('a refusal', async () => {
      const text = textOf(await fixture.owner.command('automation why', { rule: 'card' }));
      return text.includes('paused the rule') && text;
    });
    const shown = await fixture.owner.command('automation show', { rule: 'card' });
    const page = await (await fetch(`${fixture.url}/rules/card`)).text();
    const resumed = await fixture.owner.click(idOf(shown), 'Resume');
    const once = await fixture.owner.command('automation resume', { rule: 'card' });

    expect(textOf(paused)).toContain('paused. Open cards are still updated');
    expect(textOf(again)).toContain('is already paused');
    expect(refused).toContain(`${fixture.ownerName} \\\\(Discord\\\\) paused the rule`);
    expect(textOf(shown)).toMatch(new RegExp(`⏸️ paused by ${fixture.ownerName}.*<t:\\d+:R>`, 'u'));
    expect(page).toMatch(new RegExp(`<bdi>${fixture.ownerName} \\(Discord\\)</bdi> paused it`, 'u'));
    expect(resumed.outcome).toBe('update');
    expect(textOf(resumed)).toContain('🟢 on');
    expect(textOf(once)).toContain('is not paused');
    expect(await answered(fixture, 'live', 'Openings')).toBe(0);
    expect(await answered(fixture, 'general', 'it is over')).toBe(0);
    fixture.order({ do: 'end', user: 'ada' });
    await eventually('an end', async () =>
      textOf(await fixture.owner.command('automation show', { rule: 'card' })).includes('"value":"none"'),
    );
    fixture.order({ do: 'goLive', user: 'ada', title: 'Middlegames' });
    await eventually('another card', async () => (await answered(fixture, 'live', 'Middlegames')) > 0);
  });

  test('all instances of a rule are paused by its name', async () => {
    await using fixture = await openControls({ files: FILES });

    const paused = await fixture.owner.command('automation pause', { rule: 'games' });

    expect(textOf(paused)).toContain('games/Chess, games/Go');
    expect(await fixture.keep(async ({ ruleStates }) => [...(await ruleStates.paused()).keys()])).toEqual(['games/Chess', 'games/Go']);
  });

  test('run asks first, and several clicks run the rule once', async () => {
    await using fixture = await openControls({ files: FILES });
    const asked = await fixture.owner.command('automation run', { rule: 'greet' });
    const question = idOf(asked);
    expect(await answered(fixture, 'live', 'hello there')).toBe(0);
    const [button] = JSON.stringify(asked.message?.components).match(/automation:run:[\w-]+/u) ?? [];

    const clicked = await Promise.all([fixture.owner.click(question, 'Run it now'), fixture.owner.forge(question, button ?? '')]);
    const late = await fixture.owner.forge(question, button ?? '');

    await eventually('what it says', async () => (await answered(fixture, 'live', 'hello there')) > 0);
    const texts = [...clicked, late].map((one) => JSON.stringify([one.message, one.followUps]));
    await eventually('what came of it', async () =>
      (await fixture.reload(question)).content.includes('**greet was run.** Steps sent now: 1.'),
    );
    expect(texts.filter((text) => text.includes('This question is closed')).length).toBeGreaterThanOrEqual(1);
    expect(textOf(await fixture.owner.command('automation why', { rule: 'greet' }))).toContain('scheduled run');
    expect(await answered(fixture, 'live', 'hello there')).toBe(1);
    const declined = await fixture.owner.command('automation run', { rule: 'greet' });
    expect(textOf(await fixture.owner.click(idOf(declined), 'Do not run it'))).toContain('The rule was not run');
    expect(await answered(fixture, 'live', 'hello there')).toBe(1);
  });

  test('a run of a paused rule announces nothing', async () => {
    await using fixture = await openControls({ files: FILES });
    await fixture.owner.command('automation pause', { rule: 'greet' });

    const asked = await fixture.owner.command('automation run', { rule: 'greet' });
    const ran = await fixture.owner.click(idOf(asked), 'Run it now');

    expect(textOf(asked)).toContain('It is paused');
    await eventually('a refusal', async () =>
      textOf(await fixture.owner.command('automation why', { rule: 'greet' })).includes('paused the rule'),
    );
    expect(JSON.stringify(ran)).not.toContain('failed');
    expect(await answered(fixture, 'live', 'hello there')).toBe(0);
  });

  test('users without permission cannot use commands, buttons or forged buttons, and are logged', async () => {
    await using fixture = await openControls({ files: FILES });
    const shown = await fixture.owner.shared('automation list');

    const tries = await Promise.all(
      [
        'automation:pause:card:card',
        'automation:run:x',
        'automation:resume:card',
        'automation:list:0:first',
        'resolve:sent:x',
        'deliveries:page:0',
      ].map((id) => fixture.member.forge(idOf(shown), id)),
    );

    for (const one of tries) expect(textOf(one)).toContain('You do not have permission to do this here');
    await expect(fixture.member.command('automation list')).rejects.toThrow('is not for');
    expect(await fixture.keep(({ ruleStates }) => ruleStates.paused())).toEqual(new Map());
    expect(fixture.lines.join('')).toMatch(/button automation:pause:card:card .*outcome=refused/u);
    expect(fixture.lines.join('')).toMatch(new RegExp(`/automation list by="${fixture.ownerName} \\(\\d+\\)".* outcome=done`, 'u'));
  });
});
