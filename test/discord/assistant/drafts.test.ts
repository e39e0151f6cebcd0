import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { rulesInFolder } from '#src/discord/assistant-tools/approved-rules.ts';
import { decideDrafts } from '#src/discord/assistant-tools/decide-drafts.ts';
import { draftPostTool } from '#src/discord/assistant-tools/draft-post-tool.ts';
import { draftRuleTool } from '#src/discord/assistant-tools/draft-rule-tool.ts';
import { summarizeRule } from '#src/admin/queries/rule-summary.ts';
import { en } from '#src/discord/language/en/index.ts';
import { createLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import type { NewPost, Posting, SendOptions, SentPost } from '#src/engine/posting/posting.ts';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openAssistant, quick, type Script, type FixtureOptions, type AssistantFixture } from './fixture.ts';

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

/** Calls the draft tools for the question. */
const draftScript: Script = async function* (messages) {
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

/** A fake of `Posting` that records the posts. */
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
        { account: 'mastodon', state: 'failed', problem: { message: 'it is down' } },
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

const one = { all: ['twitch'], defaults: ['twitch'] };
const checkContext = {
  accounts: { streaming: one, discord: { all: ['discord'], defaults: ['discord'] } },
  isOn: () => true,
  nowMs: () => quick.nowMs(),
  isTaken: async () => false,
  sourceToWrite: (source: string) => source,
};

function draftOptions(folder: string, sending = outgoing()): FixtureOptions & { readonly sent: NewPost[] } {
  const all = ['bluesky', 'mastodon'];
  const approvedRules = rulesInFolder({ folder, registry: { now: { rules: [] } }, log });
  return {
    script: draftScript,
    sent: sending.sent,
    posting: sending.posting,
    summarizeRule: summarizeRule(checkContext),
    tools: (drafts) => [
      draftPostTool({ accounts: { all, defaults: all }, drafts, clock: quick }),
      draftRuleTool({ checkContext, drafts, clock: quick }),
    ],
    drafts: (drafts) => decideDrafts({ drafts, checkContext, approvedRules, posting: sending.posting, log }),
  };
}

async function cardOf(fixture: AssistantFixture, text: string, user = fixture.people[2]): Promise<MessageView> {
  await fixture.ask(text, { user });
  await expect.poll(async () => (await fixture.messages('general')).at(-1)?.embeds.length).toBe(1);
  return (await fixture.messages('general')).at(-1) as MessageView; // polled for above
}

/** The ephemeral answer to a click. */
async function textAfter(fixture: AssistantFixture, { id }: { readonly id: string }): Promise<string> {
  let answered = '';
  await expect.poll(async () => (answered = (await fixture.reload(id)).followUps.map(({ content }) => content).join(''))).not.toBe('');
  return answered;
}

const now = async (fixture: AssistantFixture, { id }: MessageView): Promise<{ readonly text: string; readonly buttons: string }> => {
  const card = (await fixture.messages()).find((message) => message.id === id);
  return { text: JSON.stringify(card?.embeds), buttons: JSON.stringify(card?.components) };
};

test('members who may approve, but not ask, can use the buttons of a draft; others cannot', async () => {
  using folder = temporaryFolder();
  const options = draftOptions(folder.path);
  await using fixture = await openAssistant({ ...options, settings: { roles: { ask: ['Nobody'], post: ['Moderator'] } } });
  const [owner, moderator, member] = fixture.people;
  const card = await cardOf(fixture, 'a post, please', owner);

  const refused = await Promise.all(['Approve', 'Reject'].map((label) => fixture.click(card.id, label, member)));
  const asked = await fixture.command('ask', { text: 'hi' }, { user: moderator });
  await fixture.click(card.id, 'Approve', moderator);

  for (const one of refused) expect(await textAfter(fixture, one)).toBe('Only members who can post can approve or reject this.');
  expect(asked.message?.content).toMatch(/^You do not have permission/);
  await expect.poll(() => options.sent).toHaveLength(1);
});

test('a drafted post has a preview with its lengths, and is sent once after an approval', async () => {
  using folder = temporaryFolder();
  const options = draftOptions(folder.path);
  await using fixture = await openAssistant(options);
  const [owner, moderator, member] = fixture.people;
  const card = await cardOf(fixture, 'a post, please');

  const [embed] = card.embeds as unknown as [{ title: string; description: string; fields: { name: string; value: string }[] }];
  expect(embed.title).toBe('A post, not sent yet');
  expect(embed.description).toContain('Big \\[news\\]');
  expect(embed.fields).toEqual([
    expect.objectContaining({ name: 'bluesky', value: '54 of 300 characters' }),
    expect.objectContaining({ name: 'mastodon', value: '54 of 300 characters' }),
  ]);
  const refused = await fixture.click(card.id, 'Approve', member);
  expect(await textAfter(fixture, refused)).toBe('Only members who can post can approve or reject this.');
  expect(options.sent).toEqual([]);

  await fixture.restart();
  const [first, second] = await Promise.all([fixture.click(card.id, 'Approve', owner), fixture.click(card.id, 'Approve', moderator)]);
  const answered = await Promise.any([textAfter(fixture, first), textAfter(fixture, second)]);
  expect(answered).toMatch(/^<@\d+> already approved it\.$/);
  expect(options.sent).toHaveLength(1);
  await expect
    .poll(() => now(fixture, card))
    .toMatchObject({
      text: expect.stringMatching(/bluesky\*\*: <https:\/\/bsky\.example\/1>.*mastodon\*\*: not sent\. it is down.*Approved by <@\d+>/),
      buttons: '[]',
    });
  expect(card.pinged).toEqual({ everyone: false, roles: [], users: [] });
});

test('a draft is approved even if its card is deleted', async () => {
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
  await using fixture = await openAssistant(draftOptions(rules.path, { ...sending, posting }));
  const card = await cardOf(fixture, 'a post');

  const clicked = await fixture.click(card.id, 'Approve', fixture.people[1]);
  await fixture.discord.order('/discord/removals', { message: card.id });
  deleting.resolve();

  expect(await textAfter(fixture, clicked)).toMatch(/^Approved by <@\d+>$/);
  expect(sending.sent).toHaveLength(1);
  expect(fixture.lines.join('')).not.toMatch(/failed|could not be taken/);
});

test('the buttons of a deleted draft are refused', async () => {
  using rules = temporaryFolder();
  await using fixture = await openAssistant(draftOptions(rules.path));
  const [owner] = fixture.people;
  const card = await cardOf(fixture, 'a post', owner);
  await fixture.command('conversation forget', {}, { user: owner });

  const clicked = await fixture.click(card.id, 'Approve', owner);

  expect(await textAfter(fixture, clicked)).toBe(en.assistant.draft.gone);
  expect((await fixture.messages('general')).at(-1)?.components).toEqual([]);
});

test('the reason of a refused draft is in the language of the user', async () => {
  using rules = temporaryFolder();
  const sending = outgoing();
  const posting: Posting = {
    ...sending.posting,
    preview: ({ accounts }) => accounts.map((account) => ({ account, problem: { kind: 'tooLong' } }) as never), // as above
  };
  await using fixture = await openAssistant(draftOptions(rules.path, { ...sending, posting }));
  const card = await cardOf(fixture, 'a post');

  const clicked = await fixture.discord.interact({ user: fixture.people[0], message: card.id, click: 'Approve', locale: 'de' });

  expect(await textAfter(fixture, clicked)).toBe(
    'Dieser Entwurf kann nicht freigegeben werden: bluesky: Der Post ist zu lang, auch für einen Thread.',
  );
});

test('the user who asked for a draft can drop it', async () => {
  using folder = temporaryFolder();
  const options = draftOptions(folder.path);
  await using fixture = await openAssistant(options);
  const [owner, , member] = fixture.people;
  const card = await cardOf(fixture, 'a post, please', member);

  await fixture.click(card.id, 'Reject', member);
  await expect.poll(async () => (await now(fixture, card)).text).toMatch(/"A post".*Rejected by/);
  const forged = await fixture.discord.interact({ user: owner, message: card.id, customId: approveId(card), forged: true });

  expect(await textAfter(fixture, forged)).toMatch(/^<@\d+> already rejected it\.$/);
  expect(options.sent).toEqual([]);
});

test('the card of a draft reacts to its author and to people with the permission to approve, and refuses others privately', async () => {
  using folder = temporaryFolder();
  const options = draftOptions(folder.path);
  await using fixture = await openAssistant(options);
  const [owner, , member] = fixture.people;
  const { members } = await fixture.discord.order<{ members: { username: string; bot: boolean }[] }>('/discord', undefined);
  const outsider = members.filter(({ bot }) => !bot)[3]?.username ?? '';
  const { needsPost, needsOperate } = en.assistant.draft;

  for (const [question, refusal] of [
    ['a post, please', needsPost],
    ['a rule, please', needsOperate],
  ] as const) {
    const card = await cardOf(fixture, question, member);
    const before = await now(fixture, card);
    const click = (user: string, act: string): Promise<InteractionView> =>
      fixture.discord.interact({ user, message: card.id, customId: approveId(card).replace('approve', act), forged: true });

    const refused = async (view: InteractionView): Promise<string | undefined> =>
      view.outcome === 'message' ? view.message?.content : textAfter(fixture, view);

    for (const act of ['approve', 'drop', 'refresh', 'file'])
      expect([act, await refused(await click(outsider, act))]).toEqual([act, refusal]);
    expect(await refused(await click(member, 'approve'))).toBe(refusal);
    expect(await now(fixture, card)).toEqual(before);
    for (const user of [member, owner]) expect((await click(user, 'refresh')).outcome).toBe('update');
    for (const user of [member, owner]) expect((await click(user, 'file')).message).toMatchObject({ files: [expect.anything()] });
    await click(owner, 'drop');
  }
  expect(options.sent).toEqual([]);
});

test.for(['post', 'rule'] as const)(
  'of two processes, one approves and one drops a drafted %s: the draft shows what happened',
  async (kind) => {
    using folder = temporaryFolder();
    await using store = await openStore({ clock: quick });
    const sending = outgoing();
    const steps = { beforeCheck: async () => undefined as unknown, beforeRecord: async () => undefined as unknown };
    const approvedRules = rulesInFolder({ folder: folder.path, registry: { now: { rules: [] } }, log });
    const options = {
      log,
      approvedRules,
      checkContext: { ...checkContext, isTaken: async () => (await steps.beforeCheck(), false) },
      posting: {
        ...sending.posting,
        send: async (...given: Parameters<Posting['send']>) => (await steps.beforeRecord(), sending.posting.send(...given)),
      },
      drafts: store.assistantDrafts,
    };
    const [one, other] = [decideDrafts(options), decideDrafts(options)];
    const approver = { id: '1', name: 'ada', server: undefined, may: () => true };
    const content = kind === 'post' ? { kind, text: 'News', accounts: ['bluesky'] } : { kind, rule: 'hello-ada', source: RULE };
    await store.assistantDrafts.add({ id: 'd', content, by: '2', conversation: 'c', state: 'open', madeAt: new Date(quick.nowMs()) });
    const drop = () => other.drop('d', { ...approver, id: '2' });
    steps.beforeRecord = drop;
    steps.beforeCheck = drop;

    const decision = await one.approve('d', approver);

    // A post is sent at once. The check of a rule takes seconds, and ends without the rule.
    expect(decision.state).toBe(kind === 'post' ? 'approved' : 'decided');
    expect([sending.sent.length, readdirSync(folder.path).length]).toEqual([kind === 'post' ? 1 : 0, 0]);
    expect((await store.assistantDrafts.find('d'))?.state).toBe(kind === 'post' ? 'approved' : 'dropped');
    expect(await drop()).toMatchObject({ state: 'decided' });
  },
);

test('a draft of one server cannot be seen or decided in another, even with forged requests', async () => {
  using folder = temporaryFolder();
  const options = draftOptions(folder.path);
  const there = '1202584131997794305';
  await using fixture = await openAssistant({
    ...options,
    servers: [
      { account: 'discord', id: '1202584131993600001', zone: 'UTC' },
      { account: 'berlin', id: there, zone: 'Europe/Berlin' },
    ],
  });
  // This user owns the other server and has no permission in the server of the draft.
  const user = fixture.people[2];
  const card = await cardOf(fixture, 'a post, please', user);
  const beside = await fixture.discord.order<{ id: string }>('/discord/messages', { guild: there, user, channel: 'general', content: 'x' });

  for (const act of ['approve', 'drop', 'refresh', 'file']) {
    const customId = approveId(card).replace('approve', act);
    const click = await fixture.discord.interact({ user, message: beside.id, customId, forged: true });
    expect(click.message).toMatchObject({ ephemeral: true, content: en.assistant.draft.gone, files: [] });
  }

  expect(options.sent).toEqual([]);
  expect((await now(fixture, card)).text).toContain('A post, not sent yet');
});

test('a drafted rule has its YAML, a summary and a file, and runs after an approval', async () => {
  using folder = temporaryFolder();
  await using fixture = await openAssistant(draftOptions(folder.path));
  const [owner, , member] = fixture.people;
  const card = await cardOf(fixture, 'a rule, please');

  const [embed] = card.embeds as unknown as [{ title: string; description: string }];
  expect(embed.title).toBe('A rule, not running yet: hello-ada');
  expect(embed.description).toContain('```yaml\nid: hello-ada');
  expect(embed.description).toContain('**It runs:** every 1 min\n');
  expect(embed.description).toContain('**It watches:** streaming');
  expect(embed.description).toContain('**For a new item:** discord');
  const file = await fixture.click(card.id, 'Show as a file', member);
  expect(file.message).toMatchObject({ ephemeral: true, files: [{ filename: 'hello-ada.yaml' }] });
  expect(await textAfter(fixture, await fixture.click(card.id, 'Approve', member))).toBe('Only operators can approve or reject this.');
  expect(readdirSync(folder.path)).toEqual([]);

  await fixture.click(card.id, 'Approve', owner);

  await expect.poll(async () => (await now(fixture, card)).text).toContain('The rule is on: ');
  expect(readFileSync(join(folder.path, 'hello-ada.yaml'), 'utf8')).toBe(RULE);
});

test('a reply to a card continues from the answer of the card', async () => {
  using folder = temporaryFolder();
  await using fixture = await openAssistant(draftOptions(folder.path));
  const card = await cardOf(fixture, 'a post, please');

  const asked = await fixture.sendMessage('a shorter post, please', { replyTo: card.id });
  const [answer] = await fixture.answerTo(asked.id);

  expect((await fixture.conversationAt(answer.id))?.messages.map(({ text }) => text)).toEqual([
    'a post, please',
    'Here it is.',
    'a shorter post, please',
    'Here it is.',
  ]);
});

test('a draft in a private answer is visible only to its user', async () => {
  using folder = temporaryFolder();
  await using fixture = await openAssistant(draftOptions(folder.path));

  const messages = await fixture.ask('a post, please', { isPrivate: true });

  expect(messages.map(({ ephemeral, embeds }) => [ephemeral, embeds.length])).toEqual([
    [true, 0],
    [true, 1],
  ]);
});

test('a private draft stays in the language of its user after the decision', async () => {
  using folder = temporaryFolder();
  await using fixture = await openAssistant(draftOptions(folder.path));
  const user = fixture.people[2];
  const shown = await fixture.ask('a post, please', { isPrivate: true, locale: 'de', user });
  const card = shown.at(-1)?.id ?? '';

  await fixture.discord.interact({ user, message: card, click: 'Verwerfen', locale: 'de' });

  await expect
    .poll(async () => JSON.stringify((await fixture.messages()).find(({ id }) => id === card)?.embeds))
    .toContain('Verworfen von');
});

function approveId({ components }: MessageView): string {
  return /ask:approve:[\w-]+/.exec(JSON.stringify(components))?.[0] ?? '';
}

test('of two drafts of one rule that are approved at once, the refused one leaves no tests', async () => {
  using folder = temporaryFolder();
  const approvedRules = rulesInFolder({ folder: folder.path, registry: { now: { rules: [] } }, log });
  const draft = { kind: 'rule', rule: 'hello-ada', source: RULE } as const;

  await approvedRules.add(draft, 'ada', { id: 'd', by: '1' });
  const second = await approvedRules.add({ ...draft, source: `# second\n${RULE}`, tests: 'cases: []\n' }, 'grace', { id: 'd', by: '1' });

  expect(second).toEqual({ why: { kind: 'unwritten', file: 'hello-ada.yaml' } });
  expect(readdirSync(folder.path)).toEqual(['hello-ada.yaml']);
});
