import { afterAll, beforeAll, expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import { BERLIN, FIRST, idsBelow, openServers, contentsIn, type ServersFixture } from './fixture.ts';

const HOME_ONLY = en.errors.homeOnly;
const REFUSED =
  'You do not have permission to do this here. An administrator can change most permissions in `/setup`, and the operator of the bot all of them.';

/** This rule runs in a thousand years. */
const RULE = `
id: anniversary
when: { at: "2999-01-01T00:00:00Z" }
then: [{ do: discord.send, as: [discord, berlin], with: { channel: live, content: Hello } }]
`;
const QUESTION = `
id: question
when: { every: 5s }
cooldown: 1h
then:
  - id: verdict
    do: discord.ask
    as: discord
    with: { channel: moderators, content: Shall it go out?, choices: [send, drop] }
  - { do: discord.send, as: discord, with: { channel: general, content: "They said \${{ steps.verdict.choice }}" } }
`;

/** A day in the near future, which posts can be scheduled for. */
const DAY = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

let fixture: ServersFixture;
beforeAll(async () => {
  fixture = await openServers({
    rules: { 'anniversary.yaml': RULE, 'question.yaml': QUESTION },
    more: 'discord: { questions: { server: 1 per 1h } }',
  });
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** The content of the ephemeral answer. */
function ephemeralContent(answer: InteractionView): string | undefined {
  const message = [answer.message, ...answer.followUps].findLast((each) => each?.ephemeral);
  return message?.content;
}

/** The id of a message of the bot in `#general`, for forged custom ids. */
async function beside(guild: string, user: string): Promise<string> {
  const { message } = await fixture.command(guild, user, 'top games');
  if (!message) throw new Error('/top games is answered');
  return message.id;
}

test('posts are written in the home server only, in its zone', async () => {
  const { firstOwner, berlinOwner } = fixture.who;
  const options = { time: `${DAY} 18:00`, text: 'Season two' };
  const here = contentsIn(await fixture.command(FIRST, firstOwner, 'post schedule', options));
  const there = ephemeralContent(await fixture.command(BERLIN, berlinOwner, 'post schedule', options));

  expect(new Date(Number(/<t:(\d+):F>/.exec(here)?.[1]) * 1000).toISOString()).toBe(`${DAY}T18:00:00.000Z`);
  expect(there).toBe(HOME_ONLY);
});

test('both servers have the commands, and the log contains the server of every use', async () => {
  const { firstOwner, berlinOwner } = fixture.who;

  await fixture.command(FIRST, firstOwner, 'automation list');
  await fixture.command(BERLIN, berlinOwner, 'deliveries');

  // A use is logged after its answer.
  await expect
    .poll(() => fixture.lines.filter((line) => /\/automation list|\/deliveries/u.test(line)).join(''))
    .toMatch(/in=discord .*in=berlin /su);
});

test('only operators of the home server see and pause rules', async () => {
  const { firstOwner, berlinOwner } = fixture.who;

  const listed = ephemeralContent(await fixture.command(BERLIN, berlinOwner, 'automation list'));
  const paused = ephemeralContent(await fixture.command(BERLIN, berlinOwner, 'automation pause', { rule: 'anniversary' }));
  const seen = contentsIn(await fixture.command(FIRST, firstOwner, 'automation show', { rule: 'anniversary' }));

  expect([listed, paused]).toEqual([HOME_ONLY, HOME_ONLY]);
  expect(seen).toContain('anniversary');
  expect(seen).not.toMatch(/paused/i);
});

test('permissions apply to one server only', async () => {
  const { firstOwner, firstModerator, berlinOwner, berlinModerator } = fixture.who;
  const tries = [
    ['automation list', {}],
    ['deliveries', {}],
    ['status', {}],
    ['post now', { text: 'mine' }],
  ] as const;

  for (const [guild, people] of [
    [FIRST, [berlinOwner, berlinModerator]],
    [BERLIN, [firstOwner, firstModerator]],
  ] as const) {
    for (const user of people) {
      for (const [command, options] of tries) expect(ephemeralContent(await fixture.command(guild, user, command, options))).toBe(REFUSED);
    }
  }
  expect(contentsIn(await fixture.command(FIRST, firstModerator, 'automation list'))).toContain('anniversary');
  expect(ephemeralContent(await fixture.command(BERLIN, berlinModerator, 'automation list'))).toBe(HOME_ONLY);
});

test('each server has a separate limit for the assistant', async () => {
  const { firstOwner, berlinOwner, berlinModerator } = fixture.who;
  const plainInFirst = berlinOwner;
  const ask = async (guild: string, user: string): Promise<string> =>
    contentsIn(await fixture.command(guild, user, 'ask', { text: 'Hello?' }));

  const here = [await ask(FIRST, plainInFirst), await ask(FIRST, berlinModerator)];
  const there = await ask(BERLIN, firstOwner);

  expect(here[1]).toMatch(/server/);
  expect(here[0]).not.toBe(here[1]);
  expect(there).not.toMatch(/asked|gefragt/);
});

test('a draft of one server cannot be sent, changed or listed in the other server', async () => {
  const { firstOwner, berlinOwner } = fixture.who;
  const shown = await fixture.command(FIRST, firstOwner, 'post schedule', { time: `${DAY} 18:00`, text: 'Only here' });
  const ids = idsBelow(shown.message ?? { components: [] }).filter((id) => id.startsWith('post:'));
  expect(ids.length).toBeGreaterThan(1);
  const elsewhere = await beside(BERLIN, berlinOwner);

  for (const customId of ids) {
    for (const user of [firstOwner, berlinOwner]) {
      const interaction = await fixture.interact({ user, message: elsewhere, customId, values: ['sandbox'], forged: true });
      expect([REFUSED, HOME_ONLY, 'This draft belongs to another member.']).toContain(ephemeralContent(interaction));
    }
  }
  const send = ids.find((id) => id.startsWith('post:send:'));
  await fixture.interact({ user: firstOwner, message: shown.message?.id, customId: send });

  // The click is acknowledged before the post is stored.
  await fixture.until(async () => contentsIn(await fixture.command(FIRST, firstOwner, 'post queue')).includes('Only here'));
  expect(contentsIn(await fixture.command(BERLIN, berlinOwner, 'post queue'))).not.toContain('Only here');
});

test('a question in one server cannot be answered from the other server', async () => {
  const { firstOwner, berlinOwner } = fixture.who;
  const asked = await fixture.until(async () =>
    (await fixture.messagesIn(FIRST, 'moderators')).find(({ components }) => components.length > 0),
  );
  const [answer = ''] = idsBelow(asked);
  const elsewhere = await beside(BERLIN, berlinOwner);

  const presses = [
    await fixture.interact({ user: berlinOwner, message: elsewhere, customId: answer, forged: true }),
    await fixture.interact({
      user: berlinOwner,
      message: elsewhere,
      forgedForm: answer.replace(/:\d$/, ':own'),
      fields: { text: 'send' },
      forged: true,
    }),
  ];
  for (const { id } of presses) {
    const content = await fixture.until(async () => ephemeralContent(await fixture.control(`/discord/interactions/${id}`)));
    expect(content).toBe(en.answers.closed);
  }
  expect(await fixture.messagesIn(FIRST, 'general')).not.toContainEqual(
    expect.objectContaining({ content: expect.stringContaining('They said') }),
  );

  await fixture.interact({ user: firstOwner, message: asked.id, click: 'drop' });
  await fixture.until(async () => (await fixture.messagesIn(FIRST, 'general')).some(({ content }) => content === 'They said drop'));
});

test('buttons of one server do nothing in the other server', async () => {
  const { firstOwner, berlinOwner } = fixture.who;
  const shown = await fixture.command(FIRST, firstOwner, 'automation show', { rule: 'anniversary' });
  const ids = idsBelow(shown.message ?? { components: [] }).filter((id) => id.startsWith('automation:'));
  expect(ids.length).toBeGreaterThan(0);
  const elsewhere = await beside(BERLIN, berlinOwner);

  for (const customId of ids) {
    const answer = await fixture.interact({ user: firstOwner, message: elsewhere, customId, forged: true });
    expect(ephemeralContent(answer)).toBe(REFUSED);
  }
});
