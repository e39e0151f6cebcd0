import { describe, expect, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import { systemClock } from '#src/clock.ts';
import { withDeliveryMessage } from '#src/engine/delivery/reason.ts';
import type { Questions, SubmittedAnswer } from '#src/discord/questions.ts';
import type { InteractionView } from '../support/discord-sandbox.ts';
import { type BotFixture, openBot } from './bot-fixture.ts';

/** The end of a question without an answer. */
const OVER = { answers: [], isAnswered: false, isRuleDeleted: false, isWithdrawn: false };

const PAUSED = withDeliveryMessage({ kind: 'nextStepsWithdrawn', because: { kind: 'rulePaused', by: 'Ada' } });

const HOSTILE = '@everyone **bold** <@&1202584131993600003>';

interface Asked extends AsyncDisposable {
  readonly fixture: BotFixture;
  readonly answers: readonly (readonly [key: string, answer: SubmittedAnswer])[];
  readonly people: BotFixture['discord']['people'];
  /** Clicks the button of the question with this label. */
  readonly click: (label: string, user?: string, locale?: string) => Promise<InteractionView>;
  /** Submits the form that a click opened. */
  readonly write: (opened: InteractionView, text: string, user?: string) => Promise<InteractionView>;
  readonly question: () => Promise<Awaited<ReturnType<BotFixture['discord']['messages']>>[number]>;
}

interface AskedOptions {
  readonly content?: string;
  readonly choices?: readonly string[];
  readonly onAnswer?: Questions['onAnswer'];
  readonly find?: Questions['find'];
}

/** A question in #live that was asked with the key `k`; the first answer to it is taken. */
async function askLive({ content = 'Shall this go out?', choices = ['send', 'drop'], onAnswer, find }: AskedOptions = {}): Promise<Asked> {
  const answers: [string, SubmittedAnswer][] = [];
  const fixture = await openBot({
    findQuestion: find,
    onAnswer:
      onAnswer ??
      (async (key, answer) => {
        if (key !== 'k' || answers.length > 0) return undefined;
        answers.push([key, answer]);
        return { needed: 1, answers: [{ choice: answer.choice, person: answer.by.id ?? '' }] };
      }),
  });
  const { token, guildId, sandbox, people } = fixture.discord;
  const apiUrl = sandbox.environment['DISCORD_API_URL'];
  const chat = new Chat({ platform: discord({ token, guildId, apiUrl, clock: systemClock }) });
  const sent = await chat.ask('live', content, choices, { key: 'k' });
  const message = sent.id.split('/')[1];
  const [, , member] = people;

  return {
    fixture,
    answers,
    people,
    click: (click, user = member, locale?) => fixture.discord.interact({ user, message, click, locale }),
    write: (opened, text, user = member) => fixture.discord.interact({ user, modal: opened.id, fields: { text } }),
    async question() {
      const found = (await fixture.discord.messages('live')).find(({ id }) => id === message);
      return found ?? expect.fail('the question is gone');
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

describe('a question', () => {
  test('for two members stays open after the first answer, and then shows both members', async () => {
    const answered: { choice: string; person: string }[] = [];
    const onAnswer: Questions['onAnswer'] = async (_key, { choice, by: { id: person = '' } }) => {
      answered.push({ choice, person });
      return { needed: 2, answers: [...answered] };
    };
    await using asked = await askLive({ onAnswer });
    const [owner, , member] = asked.people;

    const first = await asked.click('send', owner);
    await expect
      .poll(async () => (await asked.fixture.reload(first.id)).followUps)
      .toMatchObject([{ ephemeral: true, content: /1 of 2/u }]);
    expect((await asked.question()).components).not.toEqual([]);
    await asked.click('send', member);

    const shown = answered.map(({ person }) => `**send**, answered <@${person}>`).join('; ');
    await expect.poll(asked.question).toMatchObject({ components: [], content: `Shall this go out?\n-# ${shown}` });
  });

  test('for two people shows the name of the one who answered on the page', async () => {
    const onAnswer: Questions['onAnswer'] = async (_key, { choice, by: { id: person = '' } }) => ({
      needed: 2,
      answers: [
        { choice, person: 'ada-1', name: '_Ada_' },
        { choice, person },
      ],
    });
    await using asked = await askLive({ onAnswer });

    await asked.click('send');

    const content = expect.stringMatching(/\n-# \*\*send\*\*, answered \\_Ada\\_; \*\*send\*\*, answered <@\d+>$/u);
    await expect.poll(asked.question).toMatchObject({ components: [], content });
  });

  test.for([
    [
      'en-US',
      'Ada paused the rule, and new messages after this question were withdrawn before the answer; they are not sent after the pause either.',
    ],
    [
      'de',
      'Ada hat die Regel angehalten, und neue Nachrichten nach dieser Frage wurden vor der Antwort zurückgezogen; sie werden auch nach der Pause nicht gesendet.',
    ],
  ] as const)('says privately in %s that messages after it were withdrawn', async ([locale, content]) => {
    const onAnswer: Questions['onAnswer'] = async (_key, { choice, by: { id: person = '' } }) => ({
      needed: 1,
      answers: [{ choice, person }],
      remark: PAUSED,
    });
    await using asked = await askLive({ onAnswer });

    const { id } = await asked.click('send', undefined, locale);

    await expect
      .poll(async () => (await asked.fixture.reload(id)).followUps)
      .toMatchObject([{ ephemeral: true, content: expect.stringContaining(content) }]);
    expect(await asked.question()).toMatchObject({ components: [] });
  });

  test('for two members informs both if messages after it were withdrawn before the first answer', async () => {
    const answered: { choice: string; person: string }[] = [];
    const onAnswer: Questions['onAnswer'] = async (_key, { choice, by: { id: person = '' } }) => {
      answered.push({ choice, person });
      return { needed: 2, answers: [...answered], remark: PAUSED };
    };
    await using asked = await askLive({ onAnswer });
    const [owner, , member] = asked.people;
    const followUpsOf = async ({ id }: InteractionView) => (await asked.fixture.reload(id)).followUps;

    const first = await asked.click('send', owner);
    await expect
      .poll(() => followUpsOf(first))
      .toMatchObject([{ ephemeral: true, content: expect.stringMatching(/1 of 2\..* Note: Ada /u) }]);
    const last = await asked.click('send', member, 'de');

    await expect.poll(() => followUpsOf(last)).toMatchObject([{ ephemeral: true, content: expect.stringContaining(' Hinweis: Ada ') }]);
  });

  test('for two members shows both that messages after it were withdrawn between their answers', async () => {
    const onAnswer: Questions['onAnswer'] = async (_key, { choice, by: { id: person = '' } }) => ({
      needed: 2,
      answers: ['1', person].map((one) => ({ choice, person: one })),
      remark: PAUSED,
    });
    await using asked = await askLive({ onAnswer });

    await asked.click('send');

    const content = expect.stringMatching(
      /\n-# \*\*send\*\*, answered <@1>; .*\n-# New messages after this question were withdrawn before the answer\.$/u,
    );
    await expect.poll(asked.question).toMatchObject({ components: [], content });
  });

  test('takes the first answer, shows it, and loses its buttons', async () => {
    await using asked = await askLive();
    const [, , member] = asked.people;

    const { outcome } = await asked.click('drop');

    await expect
      .poll(asked.question)
      .toMatchObject({ components: [], content: expect.stringMatching(/^Shall this go out\?\n-# \*\*drop\*\*, answered <@\d+>$/) });
    expect(outcome).toBe('update');
    expect(asked.answers).toEqual([
      ['k', { choice: 'drop', by: expect.objectContaining({ via: 'discord', name: member, displayName: 'Linus' }) }],
    ]);
  });

  test('accepts a free text, which counts as the first choice', async () => {
    await using asked = await askLive();

    const opened = await asked.click('✏️ send …');
    await asked.write(opened, `  ${HOSTILE}\n`);

    expect(opened).toMatchObject({ outcome: 'modal', modal: { title: 'send' } });
    expect(asked.answers).toMatchObject([['k', { choice: 'send', text: HOSTILE }]]);
    await expect.poll(asked.question).toMatchObject({
      components: [],
      content: expect.stringContaining('\\@everyone \\*\\*bold'),
      pinged: { everyone: false, roles: [] },
    });
  });

  test('stays open after a free text of blanks', async () => {
    await using asked = await askLive();

    const { id } = await asked.write(await asked.click('✏️ send …'), ' \n ');

    await expect
      .poll(() => asked.fixture.reload(id))
      .toMatchObject({ followUps: [{ ephemeral: true, content: expect.stringContaining('was empty') }] });
    expect(asked.answers).toEqual([]);
    expect((await asked.question()).components).not.toEqual([]);
  });

  test('shows a choice without its Markdown, and names the roles that may answer without theirs', async () => {
    await using asked = await askLive({ choices: ['*send*', 'drop'] });
    await using refused = await askLive({ find: async () => ({ roles: ['**Mods**'] }) });

    await asked.click('*send*');
    const { message } = await refused.click('send');

    await expect.poll(asked.question).toMatchObject({ content: expect.stringContaining('**\\*send\\***, answered') });
    expect(message?.content).toContain('\\*\\*Mods\\*\\*');
  });

  test('answers later users privately that it is closed', async () => {
    await using asked = await askLive();
    const [owner, , member] = asked.people;
    // Both saw the buttons.
    const [first, second] = await Promise.all([asked.click('send', owner), asked.click('drop', member)]);

    const late = [first, second].map(({ id }) => asked.fixture.reload(id));
    const followUps = (await Promise.all(late)).flatMap((view) => view.followUps);

    await expect
      .poll(async () =>
        (await Promise.all([asked.fixture.reload(first.id), asked.fixture.reload(second.id)])).flatMap((view) => view.followUps),
      )
      .toMatchObject([{ ephemeral: true, content: expect.stringContaining('is closed') }]);
    expect(followUps.length).toBeLessThan(2);
    expect(asked.answers).toHaveLength(1);
  });

  test('that is closed shows it, keeps its text, and loses the buttons that it still has', async () => {
    await using asked = await askLive({ onAnswer: async () => undefined });

    const { id } = await asked.click('send');

    await expect
      .poll(() => asked.fixture.reload(id))
      .toMatchObject({ followUps: [{ ephemeral: true, content: expect.stringContaining('is closed') }] });
    expect(await asked.question()).toMatchObject({ content: 'Shall this go out?', components: [] });
  });

  test.each(['send', '✏️ send …'])('that is not stored loses its buttons at the click on %j', async (label) => {
    await using asked = await askLive({ find: async () => undefined });

    const { id } = await asked.click(label);

    await expect
      .poll(() => asked.fixture.reload(id))
      .toMatchObject({ followUps: [{ ephemeral: true, content: expect.stringContaining('is closed') }] });
    expect(await asked.question()).toMatchObject({ content: 'Shall this go out?', components: [] });
    expect(asked.answers).toEqual([]);
  });

  test('that is closed gives a typed answer back', async () => {
    await using asked = await askLive({ onAnswer: async () => undefined });
    const text = 'Please wait until the tournament is over, and name both winners.';

    const { id } = await asked.write(await asked.click('✏️ send …'), text);

    await expect
      .poll(() => asked.fixture.reload(id))
      .toMatchObject({ followUps: [{ ephemeral: true, embeds: [{ description: expect.stringContaining(text) }] }] });
  });

  test('can be answered again if the answer could not be stored', async () => {
    await using asked = await askLive({ onAnswer: () => Promise.reject(new Error('the disk is full')) });

    const { id } = await asked.click('send');

    await expect
      .poll(() => asked.fixture.reload(id))
      .toMatchObject({ followUps: [{ ephemeral: true, content: expect.stringContaining('went wrong') }] });
    expect(JSON.stringify((await asked.question()).components)).toContain('answer:k:0');
    expect(asked.fixture.lines.join('')).toContain('the disk is full');
  });

  test('that was deleted accepts the answer, and confirms it', async () => {
    await using asked = await askLive();
    const opened = await asked.click('✏️ send …');
    await asked.fixture.discord.order('/discord/removals', { message: (await asked.question()).id });

    const { id } = await asked.write(opened, 'later');

    await expect
      .poll(() => asked.fixture.reload(id))
      .toMatchObject({ followUps: [{ ephemeral: true, content: expect.stringMatching(/^Your answer was stored/) }] });
    expect(asked.answers).toMatchObject([['k', { choice: 'send', text: 'later' }]]);
    expect(asked.fixture.lines.join('')).not.toMatch(/failed|could not be taken/);
  });

  test('of the maximum length is cut for the answer', async () => {
    await using asked = await askLive({ content: `${'long '.repeat(399)}end.` });

    await asked.click('send');

    await expect.poll(asked.question).toMatchObject({ components: [], content: expect.stringMatching(/^long .*…\n-# \*\*send\*\*/s) });
  });

  test('that was answered elsewhere shows the answer and loses its buttons', async () => {
    await using asked = await askLive();
    const { id } = await asked.question();

    const message = `${asked.fixture.discord.channelIds.get('live')}/${id}`;
    await asked.fixture.endQuestion(message, { ...OVER, answers: [{ choice: '_drop_', person: '@everyone' }], isAnswered: true });

    expect(await asked.question()).toMatchObject({
      components: [],
      content: expect.stringMatching(/\n-# \*\*\\_drop\\_\*\*, answered \\@everyone$/),
    });
  });

  test('that was answered elsewhere shows that messages after it were withdrawn', async () => {
    await using asked = await askLive();
    const message = `${asked.fixture.discord.channelIds.get('live')}/${(await asked.question()).id}`;

    await asked.fixture.endQuestion(message, {
      ...OVER,
      answers: [{ choice: 'send', person: 'Ada' }],
      isAnswered: true,
      isWithdrawn: true,
    });

    const { content } = await asked.question();
    expect(content).toBe(
      'Shall this go out?\n-# **send**, answered Ada\n-# New messages after this question were withdrawn before the answer.',
    );
  });

  test.for([
    ['without an answer', OVER, 'No one answered in time.'],
    [
      'with too few answers',
      { ...OVER, answers: [{ choice: '_drop_', person: 'Ada' }] },
      'Too few members answered in time: **\\_drop\\_**, answered Ada.',
    ],
    ['whose rule was deleted', { ...OVER, isRuleDeleted: true }, 'The rule was deleted, so this question is closed.'],
  ] as const)('%s shows it and loses its buttons', async ([, end, line]) => {
    await using asked = await askLive();
    const channelId = asked.fixture.discord.channelIds.get('live');
    const { id } = await asked.question();

    await asked.fixture.endQuestion(`${channelId}/${id}`, end);

    expect(await asked.question()).toMatchObject({ components: [], content: `Shall this go out?\n-# ${line}` });
  });

  test.for(['message', 'channel'] as const)('whose %s was deleted is closed without a line in the log', async (what) => {
    await using asked = await askLive();
    const message = `${asked.fixture.discord.channelIds.get('live')}/${(await asked.question()).id}`;
    const removal = what === 'message' ? { message: (await asked.question()).id } : { channel: 'live' };
    await asked.fixture.discord.order('/discord/removals', removal);

    await asked.fixture.endQuestion(message, OVER);

    expect(asked.fixture.lines.filter((line) => line.includes('could not be closed'))).toEqual([]);
  });

  test('that the bot may no longer see is in the log with the reason, without a stack trace', async () => {
    await using asked = await askLive();
    const message = `${asked.fixture.discord.channelIds.get('live')}/${(await asked.question()).id}`;
    await asked.fixture.discord.order('/discord/permissions', { channel: 'live', deny: ['ViewChannel'] });

    await asked.fixture.endQuestion(message, OVER);

    expect(asked.fixture.lines.filter((line) => line.includes('could not be closed'))).toEqual([
      expect.stringMatching(/ warn .* reason="Missing Access"\n$/u),
    ]);
  });
});

describe('in a German server', () => {
  test('shows the answer in German, and errors in the language of the user', async () => {
    await using asked = await askLive();
    const { discord: sandbox } = asked.fixture;
    await sandbox.order('/discord/guild', { preferredLocale: 'de' });
    const { id: message } = await asked.question();
    const click = (locale: string): Promise<InteractionView> =>
      sandbox.interact({ user: asked.people[2], message, customId: 'answer:k:1', locale, forged: true });

    await click('en-US');
    await expect.poll(asked.question).toMatchObject({ content: expect.stringMatching(/\n-# \*\*drop\*\*, Antwort von <@\d+>$/u) });
    const late = await click('en-US');

    await expect
      .poll(() => asked.fixture.reload(late.id))
      .toMatchObject({ followUps: [{ ephemeral: true, content: expect.stringContaining('is closed') }] });
  });

  test.for([
    ['Discord', { preferredLocale: 'de' }, undefined],
    ['Fanfare', { preferredLocale: 'en-US' }, 'de'],
  ] as const)('by its setting in %s, a question without an answer shows it in German, even in a thread', async ([, guild, language]) => {
    await using asked = await askLive();
    const { discord: sandbox, endQuestion, store } = asked.fixture;
    await sandbox.order('/discord/guild', guild);
    await store.servers.join({ id: sandbox.guildId, name: 'Home', joinedAt: new Date() });
    await store.servers.change(sandbox.guildId, { language });
    const inChannel = await asked.question();
    const live = sandbox.channelIds.get('live') ?? '';
    const thread = (await sandbox.rest().post(`/channels/${live}/messages/${inChannel.id}/threads`, { body: { name: 'talk' } })) as {
      id: string;
    };
    const inThread = (await sandbox.rest().post(`/channels/${thread.id}/messages`, { body: { content: 'Really?' } })) as { id: string };

    await endQuestion(`${live}/${inChannel.id}`, OVER);
    await endQuestion(`${thread.id}/${inThread.id}`, OVER);

    expect((await asked.question()).content).toBe('Shall this go out?\n-# Niemand hat rechtzeitig geantwortet.');
    const [, answered] = (await sandbox.messages()).filter(({ content }) => content.includes('rechtzeitig'));
    expect(answered?.content).toBe('Really?\n-# Niemand hat rechtzeitig geantwortet.');
  });
});

test('a button of another kind is not an answer', async () => {
  await using asked = await askLive();
  const { discord: sandbox } = asked.fixture;
  const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'Other', custom_id: 'other:k:0' }] }];
  const sent = (await sandbox.rest().post(`/channels/${sandbox.channelIds.get('live')}/messages`, { body: { components } })) as {
    id: string;
  }; // a message

  const view = await sandbox.interact({ user: asked.people[2], message: sent.id, click: 'Other' });

  expect([view.ephemeral, view.message?.content]).toEqual([true, expect.stringContaining('from an earlier version')]);
  expect(asked.answers).toEqual([]);
});

test('the id of a question is refused below another message', async () => {
  await using asked = await askLive();
  const { discord: sandbox } = asked.fixture;
  const [user] = asked.people;
  const before = await asked.question();
  const beside = await sandbox.order<{ id: string }>('/discord/messages', { user, channel: 'general', content: 'hi' });

  const clicks = [
    await sandbox.interact({ user, message: beside.id, customId: 'answer:k:1', forged: true }),
    await sandbox.interact({ user, message: beside.id, forgedForm: 'answer:k:own', fields: { text: 'send it' } }),
  ];

  for (const { id } of clicks) {
    await expect
      .poll(() => asked.fixture.reload(id))
      .toMatchObject({ followUps: [{ ephemeral: true, content: expect.stringContaining('is closed') }] });
  }
  expect(asked.answers).toEqual([]);
  expect(await asked.question()).toEqual(before);
});

test('a forged id is refused privately', async () => {
  await using asked = await askLive();
  const { discord: sandbox } = asked.fixture;
  const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'Forged', custom_id: `answer:${'x'.repeat(60)}:0` }] }];
  const sent = (await sandbox.rest().post(`/channels/${sandbox.channelIds.get('live')}/messages`, { body: { components } })) as {
    id: string;
  }; // a message

  const { id } = await sandbox.interact({ user: asked.people[2], message: sent.id, click: 'Forged' });

  await expect
    .poll(() => asked.fixture.reload(id))
    .toMatchObject({ followUps: [{ ephemeral: true, content: expect.stringContaining('is closed') }] });
  expect(asked.answers).toEqual([]);
});

test.each([
  [10, 10],
  [20, 0],
])('of %i long answers, %i persons are shown, and of more only how often each answer was given', async (needed, persons) => {
  const choices = ['Yes, publish this announcement today on all of our accounts (X, Bluesky)', 'No, keep it back until the next week'];
  const onAnswer: Questions['onAnswer'] = async () => ({
    needed,
    answers: Array.from({ length: needed }, (_, index) => ({
      choice: choices[index % 2] ?? '',
      person: `7943542014192000${String(index).padStart(2, '0')}`,
    })),
  });
  await using asked = await askLive({ choices, onAnswer, content: 'Shall this go out? '.repeat(50) });

  await asked.click(choices[0] ?? '');

  await expect.poll(async () => (await asked.question()).components).toEqual([]);
  const { content } = await asked.question();
  expect(content).toContain('Shall this go out?');
  expect(content.match(/<@\d+>/gu) ?? []).toHaveLength(persons);
  expect(content.includes('× 10')).toBe(persons === 0);
});
