import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { fetch, type InteractionView } from '../../support/discord-sandbox.ts';
import { openApp, type AppFixture } from '../app-fixture.ts';

const ECHO = `
id: echo
about: Shows what you typed
when:
  command: echo
  options:
    count: { type: integer, about: A number }
    text: { type: string, about: A text, required: true }
    isLoud: { type: boolean, about: Whether }
    who: { type: user, about: A member }
    where: { type: channel, about: A channel }
    size: { type: choice, about: A size, choices: [small, large] }
`.replace('isLoud', 'loud');

const rules = {
  'echo.yaml': `${ECHO}
then:
  - do: discord.answer
    with:
      content: "\${{ [command.user.handle, command.options.text, string(command.options.count), string(command.options.loud), command.options.who.handle, command.options.where.name, command.options.size].join(' | ') }}"
`,
  'latest.yaml': `
id: latest
about: Shows a channel
when:
  command: latest
  public: true
  options: { streamer: { type: string, about: The streamer, required: true } }
if: command.options.streamer != 'nobody'
then:
  - { id: found, do: streaming.getUser, with: { user: "\${{ command.options.streamer }}" } }
  - do: discord.answer
    if: steps.found.displayName != 'Grace'
    with: { embed: { title: "\${{ steps.found.displayName }}" } }
`,
  'staff.yaml': `
id: staff
about: For moderators
when: { command: staff, roles: [Moderator] }
then: [{ do: discord.answer, with: { content: For you } }]
`,
};

/** A look-up in a channel that the member chooses, and an option with the name of an option of `/ask`. */
const CHOSEN = {
  'peek.yaml': `
id: peek
about: Shows the last message of a channel
when: { command: peek, options: { where: { type: channel, about: A channel, required: true } } }
then:
  - { id: last, do: discord.getMessages, with: { channel: "\${{ command.options.where.id }}" } }
  - do: discord.answer
    with: { content: "Last: \${{ steps.last.items[?0].content }}" }
`,
  'note.yaml': `
id: note
about: Takes a note
when: { command: note, options: { private: { type: string, about: A note, required: true } } }
then: [{ do: discord.answer, with: { content: Thank you } }]
`,
};

interface Offered {
  readonly name: string;
  readonly description: string;
  readonly options?: readonly { readonly name: string; readonly type: number; readonly required?: boolean }[];
}

describe('the command of a rule', () => {
  let app: AppFixture;
  let guildId: string;

  beforeAll(async () => {
    app = await openApp('', { rules: { ...rules, ...CHOSEN } });
    ({
      guild: { id: guildId },
    } = await app.control<{ guild: { id: string } }>('/discord'));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  async function offered(): Promise<readonly Offered[]> {
    const { id } = await app.rest<{ id: string }>('/applications/@me');
    return app.rest(`/applications/${id}/guilds/${guildId}/commands`);
  }

  /** The answer once it is no longer "is thinking". */
  async function answerTo(order: { readonly command: string } & Record<string, unknown>): Promise<InteractionView> {
    const begun = await app.interact({ user: app.people[2], channel: 'general', options: {}, ...order });
    return vi.waitFor(async () => {
      const now = await app.control<InteractionView>(`/discord/interactions/${begun.id}`);
      if (!isAnswered(now)) throw new Error('the bot is thinking');
      return now;
    }, 50_000);
  }

  test('is offered beside the others, with its options', async () => {
    const [echo] = (await offered()).filter(({ name }) => name === 'echo');

    expect((await offered()).map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'latest', 'staff', 'live', 'help']));
    expect(echo).toMatchObject({
      description: 'Shows what you typed',
      options: [
        { name: 'text', type: 3, required: true },
        { name: 'count', type: 4 },
        { name: 'loud', type: 5 },
        { name: 'who', type: 6 },
        { name: 'where', type: 7 },
        { name: 'size', type: 3 },
      ],
    });
  });

  test('has the values of its options as data: a private answer without markup, which pings no one', async () => {
    const [, moderator, member] = app.people;
    const text = '**bold** @everyone <@&1> [x](https://evil.test) ${{ 1 + 1 }}';
    const options = { text, count: 7, loud: true, who: moderator, where: 'live', size: 'large' };

    const { message, ephemeral } = await answerTo({ command: 'echo', options });

    expect(ephemeral).toBe(true);
    expect(message?.content).toBe(
      `${member} | \\*\\*bold\\*\\* @\u2060everyone \\<@&1\\> \\[x\\]\\(https://evil.test) ${'$'}{{ 1 + 1 }} | 7 | true | ${moderator} | live | large`,
    );
    expect(message?.pinged).toEqual({ everyone: false, roles: [], users: [] });
  });

  test('with public, everyone in the channel sees the answer', async () => {
    const { message, ephemeral } = await answerTo({ command: 'latest', options: { streamer: 'ada' } });

    expect(ephemeral).toBe(false);
    expect(message?.embeds).toMatchObject([{ title: 'Ada' }]);
  });

  test.for([
    ['en-US', 'de', en],
    ['de', 'en-US', de],
  ] as const)(
    'says to everyone in the language of the server, %s, why there is no answer',
    async ([preferredLocale, locale, { ruleCommands }]) => {
      await app.control('/discord/guild', { preferredLocale });
      const unknown = await answerTo({ command: 'latest', locale, options: { streamer: 'no_such_user' } });
      const nothing = await answerTo({ command: 'latest', locale, options: { streamer: 'grace' } });
      const suppressed = await answerTo({ command: 'latest', locale, options: { streamer: 'nobody' }, waitMs: 1_000 });

      expect([unknown, nothing].map(({ message }) => message?.content)).toEqual([ruleCommands.failed, ruleCommands.nothing]);
      expect(suppressed.followUps).toMatchObject([{ ephemeral: true, content: expect.stringContaining('nobody') }]);
    },
  );

  test('is for members with its roles, and for administrators', async () => {
    const [owner, moderator] = app.people;
    const refused = await answerTo({ command: 'staff' });
    const answered = await Promise.all([owner, moderator].map((user) => answerTo({ command: 'staff', user })));

    expect(refused).toMatchObject({ ephemeral: true, message: { content: en.ruleCommands.needsRole('Moderator') } });
    expect(answered.map(({ message }) => message?.content)).toEqual(['For you', 'For you']);
  });

  test('reads no channel that the member cannot see', async () => {
    const [owner] = app.people;
    await app.control('/discord/messages', { user: owner, channel: 'moderators', content: 'The ban list' });
    const order = { command: 'peek', user: 'dennis', options: { where: 'moderators' } };

    const refused = await answerTo(order);
    const answered = await answerTo({ ...order, user: owner });

    expect(JSON.stringify(refused)).not.toContain('The ban list');
    expect(refused.followUps).toMatchObject([{ ephemeral: true, content: en.ruleCommands.hiddenChannel }]);
    expect(answered.message?.content).toBe('Last: The ban list');
  });

  test('can have an option with the name of an option of another command, and its private text is not logged', async () => {
    const answered = await answerTo({ command: 'note', user: 'dennis', options: { private: 'my sorrows' } });

    expect(answered).toMatchObject({ message: { content: 'Thank you' }, followUps: [] });
    expect(app.lines.join('')).not.toContain('sorrows');
  });

  test('is explained: the decision and the delivery name the member', async () => {
    await answerTo({ command: 'staff', user: app.people[1] });

    const { items } = (await (await fetch(`${app.url}/api/decisions?rule=staff`)).json()) as { items: { reason: object }[] };
    expect(items[0]?.reason).toMatchObject({ kind: 'commandUsed', command: 'staff' });
    const deliveries = (await (await fetch(`${app.url}/api/deliveries?rule=staff`)).json()) as { items: object[] };
    expect(deliveries.items[0]).toMatchObject({
      do: 'discord.answer',
      state: 'sent',
      item: { name: expect.stringMatching(/^\/staff \(/) },
    });
    expect(JSON.stringify(deliveries)).not.toContain('webhooks');
  });

  test('changes with its rule while Fanfare runs', async () => {
    await app.changeRule('staff.yaml', rules['staff.yaml'].replaceAll('command: staff', 'command: crew'));

    await vi.waitFor(async () => {
      const names = (await offered()).map(({ name }) => name);
      expect([names.includes('crew'), names.includes('staff')]).toEqual([true, false]);
    }, 50_000);
    expect((await answerTo({ command: 'crew', user: app.people[0] })).message?.content).toBe('For you');
    await app.changeRule('staff.yaml', rules['staff.yaml']);
    await vi.waitFor(async () => expect((await offered()).map(({ name }) => name)).toContain('staff'), 50_000);
  });

  test('a use before a restart is answered after it, once', async () => {
    await app.control('/faults', { platform: 'twitch', kind: 'status', status: 503, times: 2 });
    const begun = await app.interact({
      user: app.people[2],
      channel: 'general',
      command: 'latest',
      options: { streamer: 'ada' },
      waitMs: 500,
    });
    expect(isAnswered(begun)).toBe(false);

    await app.restart();

    await vi.waitFor(async () => {
      const now = await app.control<InteractionView>(`/discord/interactions/${begun.id}`);
      expect(now.message?.embeds).toMatchObject([{ title: 'Ada' }]);
      expect(now.followUps).toEqual([]);
    }, 60_000);
  });

  test('has a limit for each member, and refuses further uses privately', async () => {
    const order = { command: 'latest', user: app.people[2], options: { streamer: 'ada' } };
    for (let use = 0; use < 10; use++) await app.interact({ channel: 'general', ...order, waitMs: 1 });

    const refused = await app.interact({ channel: 'general', ...order });
    const other = await answerTo({ ...order, user: app.people[0] });

    expect(refused).toMatchObject({ ephemeral: true, message: { content: expect.stringMatching(/<t:\d+:R>/u) } });
    expect(other.message?.embeds).toMatchObject([{ title: 'Ada' }]);
  });
});

function isAnswered({ message, followUps }: InteractionView): boolean {
  return followUps.length > 0 || (message !== undefined && (message.content !== '' || message.embeds.length > 0));
}
