import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decideDrafts } from '#src/app/assistant/decide-drafts.ts';
import { draftPostTool } from '#src/app/assistant/draft-post-tool.ts';
import { draftRuleTool } from '#src/app/assistant/draft-rule-tool.ts';
import { summarizeRule } from '#src/app/assistant/summarize-rule.ts';
import { en } from '#src/discord/language/en/index.ts';
import type { NewPost, Posting, SendOptions, SentPost } from '#src/discord/posting/posting.ts';
import type { MessageView } from '#src/sandbox/discord/control/message-view.ts';
import { createLog } from '#src/log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openTalk, quick, type Script, type StageOptions, type TalkStage } from './stage.ts';

const RULE = `id: hello-ada
about: Greets Ada.
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }
then:
  - do: discord.send
    with: { channel: live, content: "\${{ item.title }}" }
`;

/** Drafts what it is asked for. */
const drafting: Script = async function* (messages) {
  const last = messages.at(-1);
  if (last?.role === 'tool') {
    yield 'Here it is.';
    return;
  }
  const post = { text: 'Big [news](https://evil.example) @everyone\nsecond line', accounts: ['bluesky', 'mastodon'] };
  const [name, input] = last?.text.includes('rule') ? ['draft_rule', { rule: RULE }] : ['draft_post', post];
  yield { calls: [{ id: 'c1', name, input: JSON.stringify(input) }] };
};

const log = createLog({ level: 'error', secrets: [], write: () => undefined, color: false });

/** Where posts would go; it keeps what was sent. */
function outgoing(): { readonly posting: Posting; readonly sent: NewPost[] } {
  const sent: NewPost[] = [];
  let now: SentPost | undefined;
  const result = (post: NewPost, { id, by }: SendOptions) =>
    ({
      id,
      by,
      text: post.text,
      targets: [
        { account: 'bluesky', state: 'sent', url: 'https://bsky.example/1' },
        { account: 'mastodon', state: 'failed', trouble: { reason: 'it is down' } },
      ],
    }) as unknown as SentPost; // the card looks at nothing else
  const posting: Pick<Posting, 'preview' | 'send' | 'find' | 'settled'> = {
    preview: ({ text, accounts }) =>
      accounts.map(
        (account) =>
          ({ account, posts: [{ text, length: text.length, image: false, pictures: 0 }], most: 300, length: text.length }) as never,
      ), // likewise
    async send(post, options) {
      sent.push(post);
      now = result(post, options);
      return now;
    },
    find: async () => now,
    settled: async () => now,
  };
  return { posting: posting as Posting, sent };
}

function ground(folder: string, sending = outgoing()): StageOptions & { readonly sent: NewPost[] } {
  const all = ['bluesky', 'mastodon'];
  const one = { all: ['twitch'], defaults: ['twitch'] };
  const desk = {
    accounts: { streaming: one, discord: { all: ['discord'], defaults: ['discord'] } },
    isOn: () => true,
    nowMs: () => quick.nowMs(),
    isTaken: async () => false,
    sourceToWrite: (source: string) => source,
  };
  return {
    script: drafting,
    sent: sending.sent,
    posting: sending.posting,
    summarizeRule: summarizeRule(desk),
    tools: (drafts) => [
      draftPostTool({ accounts: { all, defaults: all }, drafts, clock: quick }),
      draftRuleTool({ desk, drafts, clock: quick }),
    ],
    drafts: (drafts) => decideDrafts({ drafts, desk, folder, posting: sending.posting, log }),
  };
}

async function cardOf(stage: TalkStage, text: string, user = stage.people[2]): Promise<MessageView> {
  await stage.ask(text, { user });
  await expect.poll(async () => (await stage.messages('general')).at(-1)?.embeds.length, { timeout: 5_000 }).toBe(1);
  return (await stage.messages('general')).at(-1) as MessageView; // polled for above
}

/** What the person who pressed was told alone, once they were. */
async function toldAfter(stage: TalkStage, { id }: { readonly id: string }): Promise<string> {
  let told = '';
  await expect
    .poll(async () => (told = (await stage.look(id)).followUps.map(({ content }) => content).join('')), { timeout: 5_000 })
    .not.toBe('');
  return told;
}

const now = async (stage: TalkStage, { id }: MessageView): Promise<{ readonly text: string; readonly buttons: string }> => {
  const card = (await stage.messages()).find((message) => message.id === id);
  return { text: JSON.stringify(card?.embeds), buttons: JSON.stringify(card?.components) };
};

test('a drafted post is shown as it will be, with its lengths; nothing is sent before somebody who may approves it, and then once', async () => {
  using folder = temporaryFolder();
  const options = ground(folder.path);
  await using stage = await openTalk(options);
  const [owner, moderator, member] = stage.people;
  const card = await cardOf(stage, 'a post, please');

  const [embed] = card.embeds as unknown as [{ title: string; description: string; fields: { name: string; value: string }[] }];
  expect(embed.title).toBe('A post, not sent yet');
  expect(embed.description).toContain('Big \\[news\\]');
  expect(embed.fields).toEqual([
    expect.objectContaining({ name: 'bluesky', value: '54 of 300 characters' }),
    expect.objectContaining({ name: 'mastodon', value: '54 of 300 characters' }),
  ]);
  const refused = await stage.press(card.id, 'Approve', member);
  expect(await toldAfter(stage, refused)).toBe('Only people who may post can approve or drop this.');
  expect(options.sent).toEqual([]);

  await stage.restart();
  const [first, second] = await Promise.all([stage.press(card.id, 'Approve', owner), stage.press(card.id, 'Approve', moderator)]);
  const told = await Promise.any([toldAfter(stage, first), toldAfter(stage, second)]);
  expect(told).toMatch(/^That was done already: <@\d+> approved it\.$/);
  expect(options.sent).toHaveLength(1);
  await expect
    .poll(() => now(stage, card), { timeout: 5_000 })
    .toMatchObject({
      text: expect.stringMatching(/bluesky\*\*: <https:\/\/bsky\.example\/1>.*mastodon\*\*: not sent\. it is down.*Approved by <@\d+>/),
      buttons: '[]',
    });
  expect(card.pinged).toEqual({ everyone: false, roles: [], users: [] });
});

test('a draft whose card is deleted while somebody approves it is approved, and they are told so', async () => {
  using rules = temporaryFolder();
  const sending = outgoing();
  const deleting = Promise.withResolvers<void>();
  const posting: Posting = {
    ...sending.posting,
    async send(post, options) {
      await deleting.promise;
      return sending.posting.send(post, options);
    },
  };
  await using stage = await openTalk(ground(rules.path, { ...sending, posting }));
  const card = await cardOf(stage, 'a post');

  const pressed = await stage.press(card.id, 'Approve', stage.people[1]);
  await stage.discord.order('/discord/removals', { message: card.id });
  deleting.resolve();

  expect(await toldAfter(stage, pressed)).toMatch(/^Approved by <@\d+>$/);
  expect(sending.sent).toHaveLength(1);
  expect(stage.lines.join('')).not.toMatch(/failed|could not be taken/);
});

test('what became of a draft that is forgotten is asked in vain, and the answer says why', async () => {
  using rules = temporaryFolder();
  await using stage = await openTalk(ground(rules.path));
  const [owner] = stage.people;
  const card = await cardOf(stage, 'a post', owner);
  await stage.command('conversation forget', {}, { user: owner });

  const pressed = await stage.press(card.id, 'Approve', owner);

  expect(await toldAfter(stage, pressed)).toBe(en.assistant.draft.gone);
  expect((await stage.messages('general')).at(-1)?.components).toEqual([]);
});

test('why a draft cannot be let out is said in the language of who pressed', async () => {
  using rules = temporaryFolder();
  const sending = outgoing();
  const posting: Posting = {
    ...sending.posting,
    preview: ({ accounts }) => accounts.map((account) => ({ account, problem: { kind: 'tooLong' } }) as never), // as above
  };
  await using stage = await openTalk(ground(rules.path, { ...sending, posting }));
  const card = await cardOf(stage, 'a post');

  const pressed = await stage.discord.interact({ user: stage.people[0], message: card.id, press: 'Approve', locale: 'de' });

  expect(await toldAfter(stage, pressed)).toBe('So geht es nicht: bluesky: Der Post ist zu lang, auch für einen Thread.');
});

test('who asked for a draft may drop it, and then it is gone for good', async () => {
  using folder = temporaryFolder();
  const options = ground(folder.path);
  await using stage = await openTalk(options);
  const [owner, , member] = stage.people;
  const card = await cardOf(stage, 'a post, please', member);

  await stage.press(card.id, 'Drop', member);
  await expect.poll(async () => (await now(stage, card)).text, { timeout: 5_000 }).toMatch(/"A post".*Dropped by/);
  const forged = await stage.discord.interact({ user: owner, message: card.id, customId: approveId(card), forged: true });

  expect(await toldAfter(stage, forged)).toMatch(/^That was done already: <@\d+> dropped it\.$/);
  expect(options.sent).toEqual([]);
});

test('a draft of one server is neither shown nor decided in another, whatever is forged', async () => {
  using folder = temporaryFolder();
  const options = ground(folder.path);
  const there = '1202584131997794305';
  await using stage = await openTalk({
    ...options,
    servers: [
      { account: 'discord', id: '1202584131993600001', zone: 'UTC' },
      { account: 'berlin', id: there, zone: 'Europe/Berlin' },
    ],
  });
  // Owns the other server, and may nothing where it was drafted.
  const user = stage.people[2];
  const card = await cardOf(stage, 'a post, please', user);
  const beside = await stage.discord.order<{ id: string }>('/discord/messages', { guild: there, user, channel: 'general', content: 'x' });

  for (const act of ['approve', 'drop', 'refresh', 'file']) {
    const customId = approveId(card).replace('approve', act);
    const press = await stage.discord.interact({ user, message: beside.id, customId, forged: true });
    expect(press.message).toMatchObject({ ephemeral: true, content: en.assistant.draft.gone, files: [] });
  }

  expect(options.sent).toEqual([]);
  expect((await now(stage, card)).text).toContain('A post, not sent yet');
});

test('a drafted rule is shown as YAML and in words, as a file on demand, and runs only once somebody who may approves it', async () => {
  using folder = temporaryFolder();
  await using stage = await openTalk(ground(folder.path));
  const [owner, , member] = stage.people;
  const card = await cardOf(stage, 'a rule, please');

  const [embed] = card.embeds as unknown as [{ title: string; description: string }];
  expect(embed.title).toBe('A rule, not running yet: hello-ada');
  expect(embed.description).toContain('```yaml\nid: hello-ada');
  expect(embed.description).toContain('**It runs:** every 1 min\n');
  expect(embed.description).toContain('**It watches:** streaming');
  expect(embed.description).toContain('**When something is new:** discord');
  const file = await stage.press(card.id, 'As a file', member);
  expect(file.message).toMatchObject({ ephemeral: true, files: [{ filename: 'hello-ada.yaml' }] });
  expect(await toldAfter(stage, await stage.press(card.id, 'Approve', member))).toBe(
    'Only people who run the rules can approve or drop this.',
  );
  expect(readdirSync(folder.path)).toEqual([]);

  await stage.press(card.id, 'Approve', owner);

  await expect.poll(async () => (await now(stage, card)).text, { timeout: 5_000 }).toContain('The rule is on: ');
  expect(readFileSync(join(folder.path, 'hello-ada.yaml'), 'utf8')).toBe(RULE);
});

test('a reply to a card goes on from the answer that it belongs to', async () => {
  using folder = temporaryFolder();
  await using stage = await openTalk(ground(folder.path));
  const card = await cardOf(stage, 'a post, please');

  const asked = await stage.say('a shorter post, please', { replyTo: card.id });
  const [answer] = await stage.answerTo(asked.id);

  expect((await stage.conversationAt(answer.id))?.messages.map(({ text }) => text)).toEqual([
    'a post, please',
    'Here it is.',
    'a shorter post, please',
    'Here it is.',
  ]);
});

test('a draft in a private answer is seen by the asker alone', async () => {
  using folder = temporaryFolder();
  await using stage = await openTalk(ground(folder.path));

  const messages = await stage.ask('a post, please', { isPrivate: true });

  expect(messages.map(({ ephemeral, embeds }) => [ephemeral, embeds.length])).toEqual([
    [true, 0],
    [true, 1],
  ]);
});

test('a draft that one person alone sees stays in their language when it is decided', async () => {
  using folder = temporaryFolder();
  await using stage = await openTalk(ground(folder.path));
  const user = stage.people[2];
  const shown = await stage.ask('a post, please', { isPrivate: true, locale: 'de', user });
  const card = shown.at(-1)?.id ?? '';

  await stage.discord.interact({ user, message: card, press: 'Verwerfen', locale: 'de' });

  await expect.poll(async () => JSON.stringify((await stage.messages()).find(({ id }) => id === card)?.embeds)).toContain('Verworfen von');
});

function approveId({ components }: MessageView): string {
  return /ask:approve:[\w-]+/.exec(JSON.stringify(components))?.[0] ?? '';
}
