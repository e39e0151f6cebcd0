import { describe, expect, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import { nameOfActor } from '#src/admin/actions/actor.ts';
import type { Button } from '#src/clients/chat/buttons.ts';
import { systemClock } from '#src/clock.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { openRuleButtons } from '#src/discord/open-rule-buttons.ts';
import type { PressedMessage } from '#src/discord/rule-buttons.ts';
import type { MuteOutcome } from '#src/engine/scheduler/rule-states.ts';
import type { InteractionView } from '../support/discord-sandbox.ts';
import { openBot } from './bot-fixture.ts';

const BUTTONS: readonly Button[] = [
  { label: 'Ping me', role: 'Live' },
  { label: 'Staff', role: 'Moderator' },
  { label: 'Mute', mute: 'item', allow: ['Moderator'] },
];

interface Fixture extends AsyncDisposable {
  /** Sets the permissions of a role. */
  allow(role: string, permissions: readonly string[]): Promise<unknown>;
  /** Presses a button of the message as the owner, a moderator or a member. */
  press(label: string, as?: 'owner' | 'moderator' | 'member', order?: object): Promise<InteractionView>;
  rolesOf(as: 'owner' | 'moderator' | 'member'): Promise<readonly string[]>;
  /** The id of a role. */
  roleId(name: string): Promise<string>;
  readonly muted: readonly string[];
  readonly messageId: string;
}

/** A message of a rule with buttons in #live. */
async function openMessage({
  change = (found) => found,
  outcome = 'muted',
  buttons = BUTTONS,
}: {
  readonly change?: (found: PressedMessage) => PressedMessage | undefined;
  readonly outcome?: MuteOutcome;
  readonly buttons?: readonly Button[];
} = {}): Promise<Fixture> {
  const muted: string[] = [];
  const sent: PressedMessage[] = [];
  const fixture = await openBot({
    ruleButtons: { find: async (key) => (key === 'k' ? sent.flatMap((one) => change(one) ?? [])[0] : undefined) },
  });
  const { token, guildId, sandbox, people } = fixture.discord;
  const chat = new Chat({ platform: discord({ token, guildId, apiUrl: sandbox.environment['DISCORD_API_URL'], clock: systemClock }) });
  const { id } = await chat.send('live', { content: 'Ada is live', buttons: [...buttons], key: 'k' });
  sent.push({
    message: id,
    buttons,
    item: 'Ada *',
    mute: async (by) => {
      muted.push(nameOfActor(by));
      return outcome;
    },
  });
  const [channelId, message = ''] = id.split('/');
  expect(channelId).toBe(fixture.discord.channelIds.get('live'));
  const nameOf = (as: 'owner' | 'moderator' | 'member'): string => people[['owner', 'moderator', 'member'].indexOf(as)] ?? '';
  return {
    messageId: message,
    muted,
    async roleId(name) {
      const { roles } = await fixture.discord.order<{ roles: readonly { id: string; name: string }[] }>('/discord', undefined);
      return roles.find((role) => role.name === name)?.id ?? '';
    },
    allow: (role, permissions) => fixture.discord.order('/discord/roles', { role, permissions }),
    press: (click, as = 'member', order = { click }) => fixture.discord.interact({ user: nameOf(as), message, ...order }),
    async rolesOf(as) {
      const path = `/guilds/${guildId}/members/search?query=${nameOf(as)}&limit=1` as const;
      const [found] = (await fixture.discord.rest().get(path)) as { roles: string[] }[]; // as Discord documents it
      return found?.roles ?? [];
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

describe('a button that adds a role', () => {
  test('adds it to the member who presses it, and removes it with the next press', async () => {
    await using fixture = await openMessage();

    const added = await fixture.press('Ping me');
    const had = await fixture.rolesOf('member');
    const taken = await fixture.press('Ping me', 'member', { click: 'Ping me', locale: 'de' });

    expect(added).toMatchObject({ ephemeral: true, message: { content: en.ruleButtons.given('Live') } });
    expect(taken).toMatchObject({ ephemeral: true, message: { content: de.ruleButtons.taken('Live') } });
    expect([had.length, (await fixture.rolesOf('member')).length]).toEqual([1, 0]);
  });

  test.for(['@Live', 'its id', 'its mention'])('finds the role that is written as %s', async (written) => {
    let role: string = written;
    await using fixture = await openMessage({ change: (found) => ({ ...found, buttons: [{ label: 'Ping me', role }] }) });
    const id = await fixture.roleId('Live');
    if (written === 'its id') role = id;
    if (written === 'its mention') role = `<@&${id}>`;

    const added = await fixture.press('Ping me');

    expect(added.message?.content).toBe(en.ruleButtons.given('Live'));
  });

  test.for([
    ['Fanfare bot', en.ruleButtons.cannotGive('Fanfare bot')], // without the permission ManageRoles
    ['gone', en.ruleButtons.noRole('gone')],
    ['@everyone', en.ruleButtons.noRole('\\@everyone')],
  ] as const)('has no effect for the role %s, with a private answer', async ([role, content]) => {
    await using fixture = await openMessage({ change: (found) => ({ ...found, buttons: [{ label: 'Ping me', role }] }) });
    await fixture.allow('Fanfare bot', ['ViewChannel', 'SendMessages']);

    const answer = await fixture.press('Ping me');

    expect([answer.followUps, answer.message].flat()).toContainEqual(expect.objectContaining({ content, ephemeral: true }));
    expect(await fixture.rolesOf('member')).toEqual([]);
  });
});

describe('a button for a role of moderators', () => {
  test('has no effect, with a private answer in both languages', async () => {
    await using fixture = await openMessage();
    await fixture.allow('Live', ['ManageMessages']); // the role is below the role of the bot

    const answer = await fixture.press('Ping me');
    const german = await fixture.press('Ping me', 'member', { click: 'Ping me', locale: 'de' });

    for (const [shown, { moderatorRole }] of [
      [answer, en.ruleButtons],
      [german, de.ruleButtons],
    ] as const) {
      expect([shown.followUps, shown.message].flat()).toContainEqual(
        expect.objectContaining({ content: moderatorRole('Live'), ephemeral: true }),
      );
    }
    expect(await fixture.rolesOf('member')).toEqual([]);
  });
});

describe('a button that mutes', () => {
  test('mutes for members of its roles only', async () => {
    await using fixture = await openMessage();

    const refused = await fixture.press('Mute');
    const done = await fixture.press('Mute', 'moderator');

    expect(refused).toMatchObject({ ephemeral: true, message: { content: en.ruleButtons.needsRole('Moderator') } });
    expect(done).toMatchObject({ ephemeral: true, message: { content: en.ruleButtons.muted('Ada \\*') } });
    expect(fixture.muted).toEqual([expect.stringMatching(/ \(Discord\)$/u)]);
  });

  test.for([
    ['already', en.ruleButtons.alreadyMuted('Ada \\*')],
    ['over', en.ruleButtons.over('Ada \\*')],
  ] as const)('answers with the outcome "%s"', async ([outcome, content]) => {
    await using fixture = await openMessage({ outcome });

    expect((await fixture.press('Mute', 'owner')).message?.content).toBe(content);
  });
});

const stale: Readonly<Record<string, (found: PressedMessage) => PressedMessage | undefined>> = {
  'a deleted delivery': () => undefined,
  'another message': (found) => ({ ...found, message: '1/2' }),
  'a message without the button': (found) => ({ ...found, buttons: [] }),
};

test.for(Object.entries(stale))('a button of %s has no effect, and its answer is private', async ([, change]) => {
  await using fixture = await openMessage({ change });

  const answers = [await fixture.press('Ping me'), await fixture.press('Mute', 'owner')];

  expect(answers).toEqual(answers.map(() => expect.objectContaining({ ephemeral: true })));
  expect(answers.map(({ message }) => message?.content)).toEqual([en.ruleButtons.gone, en.ruleButtons.gone]);
  expect([fixture.muted, await fixture.rolesOf('member')]).toEqual([[], []]);
});

test.each([9, 3])('a forged position %i, of no button or of a link, has no effect', async (place) => {
  await using fixture = await openMessage({ buttons: [...BUTTONS, { label: 'Watch', url: 'https://example.org' }] });

  const answer = await fixture.press('', 'owner', { customId: `press:k:${place}`, forged: true });

  expect(answer.message?.content).toBe(en.ruleButtons.gone);
});

test('a button that mutes has no effect below a message about no item', async () => {
  await using fixture = await openMessage({ change: (found) => ({ ...found, item: undefined }) });

  const answer = await fixture.press('Mute', 'owner');

  expect([answer.message?.content, fixture.muted]).toEqual([en.ruleButtons.gone, []]);
});

test('a button gives no member the role of all members, which has the id of the server', async () => {
  let role = '';
  await using fixture = await openMessage({ change: (found) => ({ ...found, buttons: [{ label: 'Ping me', role }] }) });
  role = await fixture.roleId('@everyone');

  const answer = await fixture.press('Ping me');

  expect(role).not.toBe('');
  expect([answer.followUps, answer.message].flat()).toContainEqual(
    expect.objectContaining({ content: en.ruleButtons.noRole('\\@everyone') }),
  );
});

describe('the stored message of a press', () => {
  const delivery = { rule: 'cards', episode: 'e', account: 'discord', result: { id: '1/2' }, params: { buttons: BUTTONS } };
  const find = (changed: object, rules = ['cards']) =>
    openRuleButtons({
      deliveries: { find: async () => ({ ...delivery, ...changed }) as never }, // the fields that a press reads
      actions: { muteItem: async () => undefined },
      rules: () => rules.map((id) => ({ id })),
    }).find('k');

  test('has the sent buttons', async () => {
    expect(await find({})).toMatchObject({ message: '1/2', buttons: BUTTONS });
  });

  test('of an item that is no longer known is over', async () => {
    expect(await (await find({}))?.mute({ name: 'ada', via: 'discord', role: 'editor' })).toBe('over');
  });

  test.for([
    [{ result: undefined }, ['cards']],
    [{}, []],
    [{ params: { buttons: 'x' } }, ['cards']],
    [{ episode: undefined }, ['cards']],
  ] as const)('is missing without a result, a running rule, valid buttons or an episode: %o', async ([changed, rules]) => {
    expect(await find(changed, [...rules])).toBeUndefined();
  });
});
