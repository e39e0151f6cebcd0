import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandOption, OPTION_TYPES } from '#sandbox/discord/commands/form.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import type { InteractionView } from '../support/discord-sandbox.ts';
import { type AppFixture, openApp } from './app-fixture.ts';
import { type BotFixture, openBot } from './bot-fixture.ts';

const REFUSED = en.errors.notAllowed;

/** A registered command or subcommand. */
interface Use {
  /** For example `game streams`. */
  readonly command: string;
  readonly options: readonly CommandOption[];
}

/** All registered commands and subcommands. */
async function usesOf(fixture: AppFixture): Promise<readonly Use[]> {
  const { commands } = await fixture.control<{ commands: { name: string; type: number; options: CommandOption[] }[] }>('/discord');
  return commands.filter(({ type }) => type === 1).flatMap(({ name, options }) => subcommandsOf({ command: name, options }));
}

function subcommandsOf({ command, options }: Use): readonly Use[] {
  const inner = options.filter(({ type }) => type === OPTION_TYPES.subcommand || type === OPTION_TYPES.group);
  if (inner.length === 0) return [{ command, options }];
  return inner.flatMap((option) => subcommandsOf({ command: `${command} ${option.name}`, options: option.options ?? [] }));
}

/** A valid value for each required option. */
function requiredValues(options: readonly CommandOption[]): Readonly<Record<string, unknown>> {
  const needed = options.filter(({ required }) => required);
  return Object.fromEntries(needed.map((option) => [option.name, valueFor(option)]));
}

function valueFor({ type, choices, min_length: min = 1 }: CommandOption): unknown {
  if (choices?.[0]) return choices[0].value;
  return type === OPTION_TYPES.boolean ? true : 'x'.repeat(Math.max(1, min));
}

/** The only answer, if it is ephemeral. */
function privateReply({ message, followUps, ephemeral }: InteractionView): string | undefined {
  const answers = [...(message ? [{ ...message, ephemeral }] : []), ...followUps];
  return answers.length === 1 && answers[0]?.ephemeral ? answers[0].content : undefined;
}

describe('without permission, a member cannot use', () => {
  let fixture: AppFixture;
  let uses: readonly Use[];
  let answered: string;

  beforeAll(async () => {
    fixture = await openApp('discord: { roles: { look: Moderator, ask: Moderator, post: Moderator, operate: Moderator } }');
    uses = await usesOf(fixture);
    const [user] = fixture.people;
    answered = (await fixture.control<{ id: string }>('/discord/messages', { user, channel: 'general', content: 'hi' })).id;
  });

  afterAll(() => fixture[Symbol.asyncDispose]());

  const as = (order: object): Promise<InteractionView> => fixture.interact({ user: fixture.people[2], forged: true, ...order });

  test('any command', async () => {
    expect(uses.length).toBeGreaterThan(10);
    for (const { command, options } of uses) {
      const answer = await as({ channel: 'general', command, options: requiredValues(options) });
      expect([command, privateReply(answer)]).toEqual([command, REFUSED]);
    }
  });

  test('any entry in the menu of a message', async () => {
    const { commands } = await fixture.control<{ commands: { name: string; type: number }[] }>('/discord');

    for (const { name } of commands.filter(({ type }) => type === 3)) {
      expect([name, privateReply(await as({ message: answered, menu: name }))]).toEqual([name, REFUSED]);
    }
  });

  test('autocompletion, which suggests only the typed text', async () => {
    const completing = uses.flatMap(({ command, options }) =>
      options.filter(({ autocomplete }) => autocomplete).map(({ name }) => ({ command, name })),
    );

    expect(completing.length).toBeGreaterThan(1);
    for (const { command, name } of completing) {
      const answer = await as({ channel: 'general', command, options: { [name]: 'a' }, autocomplete: true, focused: name });
      expect([command, name, answer.choices?.filter((choice) => (choice as { value: unknown }).value !== 'a')]).toEqual([
        command,
        name,
        [],
      ]);
    }
  });

  test('any button of an old message or with a forged id', async () => {
    for (const name of new Set(uses.map(({ command }) => command.split(' ')[0] ?? ''))) {
      for (const customId of [name, `${name}:`, `${name}:confirm:1`, `${name}:next:0:1:2`]) {
        const reply = privateReply(await as({ message: answered, customId }));
        // Commands without buttons answer that the button is gone.
        expect([customId, reply]).toEqual([customId, reply === en.errors.gone ? reply : REFUSED]);
      }
    }
  });

  test('a forged form', async () => {
    for (const name of new Set(uses.map(({ command }) => command.split(' ')[0] ?? ''))) {
      const reply = privateReply(await as({ message: answered, forgedForm: `${name}:edit:1`, fields: { text: 'mine now' } }));
      expect([name, reply]).toEqual([name, reply === en.errors.gone ? reply : REFUSED]);
    }
  });

  test('a command, with an error in their language', async () => {
    const [first] = uses;
    const answer = await as({
      channel: 'general',
      command: first?.command,
      options: requiredValues(first?.options ?? []),
      locale: 'de',
    });

    expect(privateReply(answer)).toBe(de.errors.notAllowed);
  });

  test('a command without a log entry with their name', () => {
    const [, , member] = fixture.people;
    const tries = fixture.lines.filter((line) => line.includes('outcome=refused'));

    expect(tries.length).toBeGreaterThanOrEqual(uses.length);
    expect(tries.filter((line) => !line.includes(member))).toEqual([]);
  });
});

describe('a role', () => {
  const stream = { channel: 'general', command: 'game streams', options: { game: 'Chess' } };
  const ANSWER = 'Most watched in **Chess**:';

  async function setLive({ discord }: BotFixture, user: string, method: 'PUT' | 'DELETE'): Promise<void> {
    const { members, roles } = await discord.order<Record<'members' | 'roles', { id: string; username?: string; name?: string }[]>>(
      '/discord',
      undefined,
    );
    const [person, role] = [members.find(({ username }) => username === user), roles.find(({ name }) => name === 'Live')];
    await discord.request(method, `/guilds/${discord.guildId}/members/${person?.id}/roles/${role?.id}`);
  }

  test.for([
    ['its name', 'Live'],
    ['its id', '1202584131993600005'],
  ] as const)('given by %s permits commands until the role is removed', async ([, role]) => {
    await using fixture = await openBot({ settings: { roles: { look: [role] } } });
    const [, , user] = fixture.discord.people;
    const ask = async (): Promise<string | undefined> => privateReply(await fixture.discord.interact({ user, ...stream }));

    expect(await ask()).toBe(REFUSED);
    await setLive(fixture, user, 'PUT');
    expect(await ask()).toBe(ANSWER);
    await setLive(fixture, user, 'DELETE');
    expect(await ask()).toBe(REFUSED);
  });

  test('@everyone permits all members', async () => {
    await using fixture = await openBot({ settings: { roles: { look: ['@everyone'] } } });
    const [, , user] = fixture.discord.people;

    expect(privateReply(await fixture.discord.interact({ user, ...stream }))).toBe(ANSWER);
  });

  test('an empty list of roles permits only administrators', async () => {
    await using fixture = await openBot({ settings: { roles: { look: [] } } });
    const [owner, moderator] = fixture.discord.people;

    expect(privateReply(await fixture.discord.interact({ user: moderator, forged: true, ...stream }))).toBe(REFUSED);
    expect(privateReply(await fixture.discord.interact({ user: owner, ...stream }))).toBe(ANSWER);
    await expect(fixture.discord.interact({ user: moderator, ...stream })).rejects.toThrow(/is not for/);
  });
});
