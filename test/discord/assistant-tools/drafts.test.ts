import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceToWrite } from '#src/admin/scaffold/source-to-write.ts';
import type { Approver } from '#src/clients/assistant/drafts.ts';
import { UserError } from '#src/errors.ts';
import { openAssistantStage, scriptedModel, type AssistantFixture } from './fixture.ts';

const RULE = `id: chess-news
about: Tells who streams Chess.
when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess }, account: twitch }
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.url }}" } }]
`;
/** The stage runs on a sandbox. */
const WRITTEN = sourceToWrite(RULE, { sandbox: 'outside' });
const TESTS = (content: string): string => `rule: chess-news
start: 2026-11-20T18:00:00Z
cases:
  - it: tells of who is new
    polls:
      - { at: 0s, items: [{ key: ada }] }
      - { at: 5m, items: [{ key: ada }, { key: grace }] }
    expect: [{ at: 5m, do: discord.send, with: { content: "${content}" } }]
`;
/** The rule with another step. */
const step = (text: string): string => RULE.replace(/then: .*/, `then: [{ do: ${text} }]`);
const POST = { text: 'Ada plays Chess tonight!' };

function person(id: string, ...abilities: readonly string[]): Approver {
  return { id, name: id, server: { id: 's1' }, may: (ability) => abilities.includes(ability) };
}

/** The drafts of an answer. */
async function draftsOf({ assistant }: Pick<AssistantFixture, 'assistant'>, by = 'ada'): Promise<readonly string[]> {
  const pieces = await Array.fromAsync(assistant.ask({ conversation: 'here', text: 'draft it', by }));
  return pieces.flatMap((piece) => (typeof piece === 'object' && 'draft' in piece ? [piece.draft] : []));
}

async function drafted(tool: string, input: object): Promise<AssistantFixture & { readonly id: string }> {
  const fixture = await openAssistantStage({ model: scriptedModel([[tool, input]]) });
  const [id = ''] = await draftsOf(fixture);
  return Object.assign(fixture, { id });
}

test('a draft is stored with the person who asked for it; nothing is sent and no file is written', async () => {
  await using fixture = await openAssistantStage({
    model: scriptedModel([
      ['draft_post', POST],
      ['draft_rule', { rule: RULE }],
    ]),
  });

  const [post = '', rule = ''] = await draftsOf(fixture);

  expect(await fixture.drafts.find(post)).toMatchObject({
    content: { kind: 'post', ...POST, accounts: ['sandbox'] },
    by: 'ada',
    state: 'open',
  });
  expect(await fixture.drafts.find(rule)).toMatchObject({
    content: { kind: 'rule', rule: 'chess-news', source: RULE },
    conversation: 'here',
  });
  expect(fixture.sent).toEqual([]);
  expect(fixture.files()).toEqual({});
});

test('an approved post is sent once, even with repeated approvals', async () => {
  await using fixture = await drafted('draft_post', POST);
  const grace = person('grace', 'post');

  const decisions = await Promise.all([grace, grace, person('linus', 'post')].map((one) => fixture.drafts.approve(fixture.id, one)));
  const later = await fixture.drafts.approve(fixture.id, grace);

  expect(decisions.map(({ state }) => state)).toEqual(['approved', 'decided', 'decided']);
  expect(later).toMatchObject({ state: 'decided', before: { state: 'approved', decidedBy: 'grace' } });
  expect(fixture.sent).toEqual([{ ...POST, accounts: ['sandbox'], id: fixture.id, by: 'grace' }]);
});

test('an approved rule is written once, with its tests', async () => {
  await using fixture = await drafted('draft_rule', { rule: RULE, tests: TESTS('/grace/') });
  const grace = person('grace', 'operate');

  const decisions = await Promise.all([fixture.drafts.approve(fixture.id, grace), fixture.drafts.approve(fixture.id, grace)]);

  expect(decisions).toMatchObject([{ state: 'approved', where: expect.stringMatching(/rules\/chess-news\.yaml$/) }, { state: 'decided' }]);
  expect(fixture.files()).toEqual({ 'chess-news.yaml': WRITTEN, 'chess-news.test.yaml': TESTS('/grace/') });
  expect((await fixture.registry.read()).rules).toMatchObject([{ id: 'chess-news', enabled: 'sandbox' }]);
});

test.for([
  ['draft_post', POST, ['ask', 'operate'], 'post'],
  ['draft_rule', { rule: RULE }, ['ask', 'post'], 'operate'],
] as const)(
  '%s: a person without the permission can neither approve their own draft nor drop the draft of another',
  async ([tool, input, abilities, needs]) => {
    await using fixture = await drafted(tool, input);

    const asker = await fixture.drafts.approve(fixture.id, person('ada', ...abilities));
    const other = await fixture.drafts.drop(fixture.id, person('eve', 'ask'));

    expect([asker, other]).toEqual([
      { state: 'forbidden', needs },
      { state: 'forbidden', needs },
    ]);
    expect(await fixture.drafts.find(fixture.id)).toMatchObject({ state: 'open' });
    expect([fixture.sent, fixture.files()]).toEqual([[], {}]);
  },
);

test.for(['social.createPost, with: { text: hi }', 'streaming.sendChatMessage, with: { text: hi }'])(
  'a rule with %s is approved only by a person who may also post',
  async (text) => {
    await using fixture = await drafted('draft_rule', { rule: step(text) });

    const operator = await fixture.drafts.approve(fixture.id, person('grace', 'operate'));
    const both = await fixture.drafts.approve(fixture.id, person('grace', 'operate', 'post'));

    expect([operator, both]).toMatchObject([{ state: 'forbidden', needs: 'both' }, { state: 'approved' }]);
  },
);

test('a person may drop their own draft, which cannot be approved after that', async () => {
  await using fixture = await drafted('draft_post', POST);

  expect(await fixture.drafts.drop(fixture.id, person('ada'))).toEqual({ state: 'dropped' });
  expect(await fixture.drafts.approve(fixture.id, person('grace', 'post'))).toMatchObject({
    state: 'decided',
    before: { state: 'dropped' },
  });
  expect(fixture.sent).toEqual([]);
});

test('an unknown draft cannot be approved', async () => {
  await using fixture = await openAssistantStage();

  expect(await fixture.drafts.approve('../etc', person('grace', 'post', 'operate'))).toEqual({ state: 'gone' });
});

test('an existing file is not overwritten, and the draft stays open', async () => {
  await using fixture = await drafted('draft_rule', { rule: RULE });
  const file = join(fixture.folder, 'chess-news.yaml');
  writeFileSync(file, '# mine\n');

  const decision = await fixture.drafts.approve(fixture.id, person('grace', 'operate'));

  expect(decision).toMatchObject({ state: 'refused', why: { kind: 'taken', rule: 'chess-news' } });
  expect(fixture.files()).toEqual({ 'chess-news.yaml': '# mine\n' });
  expect(await fixture.drafts.find(fixture.id)).toMatchObject({ state: 'open' });
});

test('an approval that stopped after the file was written can be repeated', async () => {
  await using fixture = await drafted('draft_rule', { rule: RULE });
  writeFileSync(join(fixture.folder, 'chess-news.yaml'), WRITTEN);

  expect(await fixture.drafts.approve(fixture.id, person('grace', 'operate'))).toMatchObject({ state: 'approved' });
});

test.each(['drop', 'approve'] as const)(
  'an approval that stopped after the post was created counts, whoever decides next: %s',
  async (act) => {
    let crashes = true;
    await using fixture = await openAssistantStage({
      model: scriptedModel([['draft_post', POST]]),
      onDecide() {
        if (crashes) throw new Error('the process ends');
      },
    });
    const [id = ''] = await draftsOf(fixture);
    await expect(fixture.drafts.approve(id, person('grace', 'post'))).rejects.toThrow('the process ends');
    crashes = false;

    const decision = await fixture.drafts[act](id, person('linus', 'post'));

    expect(decision).toMatchObject({ state: 'decided', before: { state: 'approved', decidedBy: 'grace' } });
    expect(await fixture.drafts.find(id)).toMatchObject({ state: 'approved', decidedBy: 'grace' });
    expect(fixture.sent).toHaveLength(1);
  },
);

test('the draft of a post that could not be sent stays open', async () => {
  let fails = true;
  await using fixture = await openAssistantStage({
    model: scriptedModel([['draft_post', POST]]),
    send: async () => {
      if (fails) throw new UserError('The queue is full.');
    },
  });
  const [id = ''] = await draftsOf(fixture);

  const refused = await fixture.drafts.approve(id, person('grace', 'post'));
  fails = false;
  const approved = await fixture.drafts.approve(id, person('grace', 'post'));

  expect([refused, approved]).toEqual([
    { state: 'refused', why: { kind: 'unsent', why: 'The queue is full.' } },
    { state: 'approved', where: id },
  ]);
});

test('a post that is too long is refused before it is sent', async () => {
  await using fixture = await drafted('draft_post', { text: 'This is far too long.' });

  expect(await fixture.drafts.approve(fixture.id, person('grace', 'post'))).toEqual({
    state: 'refused',
    why: { kind: 'tooLong', account: 'sandbox' },
  });
  expect(fixture.sent).toEqual([]);
});

test('equal drafts of one question are one draft, even if the question is repeated', async () => {
  await using fixture = await openAssistantStage({
    model: scriptedModel([
      ['draft_post', POST],
      ['draft_post', POST],
    ]),
  });

  expect(await draftsOf(fixture)).toHaveLength(1);
});

test.for([
  ['an unknown verb', RULE.replace('getGameStreams', 'getNothing'), undefined, 'getNothing'],
  ['an unknown key', `${RULE}colour: red\n`, undefined, 'colour'],
  ['no YAML', 'id: [', undefined, 'rule.yaml:1'],
  ['an id that is a path', RULE.replace('chess-news', '../evil'), undefined, 'an id has 1 to 64'],
  ['that it is off', `${RULE}enabled: false\n`, undefined, 'leave out `enabled`'],
  ['that it is on in the sandbox', `${RULE}enabled: sandbox\n`, undefined, 'leave out `enabled`'],
  ['the range a text that ends before it starts', RULE.replace('Tells', '\u202ETells'), undefined, 'U+202E'],
  ['letters without a width', RULE.replace('Tells', 'Te\u200Blls'), undefined, 'U+200B'],
  ['tests that fail', RULE, TESTS('/linus/'), 'linus'],
  ['tests of another rule', RULE, TESTS('/grace/').replace('rule: chess-news', 'rule: other'), 'this file tests other'],
  ['tests with a pattern of exponential time', RULE, TESTS('/^(?!x)(a+)+$/'), 'not a valid regular expression'],
  ['a file of this machine', RULE.replace('content:', 'files: [{ path: /proc/self/environ }], content:'), undefined, 'cannot attach files'],
  [
    'a file that an expression names',
    RULE.replace('content:', `files: "\${{ [{'path': '.env'}] }}", content:`),
    undefined,
    'cannot attach files',
  ],
  [
    'a file for a post, at the end of quiet hours',
    `${RULE}quiet: { from: "22:00", to: "07:00", timezone: Europe/Berlin, then: [{ do: social.createPost, with: { text: hi, files: [.env] } }] }\n`,
    undefined,
    'cannot attach files',
  ],
  [
    'direct messages of the account',
    RULE.replace('getGameStreams, with: { game: Chess }, account: twitch', 'x').replace(
      'streaming.x',
      'social.getInbox, include: [direct]',
    ),
    undefined,
    '`include`',
  ],
  [
    'posts for followers in a look-up',
    RULE.replace('then: [{', 'then: [{ id: mentions, do: social.getMentions, include: [followers] }, {'),
    undefined,
    '`include`',
  ],
  ['a step for everyone', RULE.replace('do: discord.send', 'audience: public, do: discord.send'), undefined, '`audience`'],
  [
    'the bookmarks of the account',
    RULE.replace('getGameStreams, with: { game: Chess }, account: twitch', 'x').replace('streaming.x', 'social.getBookmarks'),
    undefined,
    'cannot read social.getBookmarks',
  ],
  [
    'messages of channels',
    RULE.replace('streaming.getGameStreams, with: { game: Chess }, account: twitch', 'discord.getMessages, with: { channel: staff }'),
    undefined,
    'cannot read discord.getMessages',
  ],
  [
    'the members of the server',
    RULE.replace('streaming.getGameStreams, with: { game: Chess }, account: twitch', 'discord.getMembers'),
    undefined,
    'cannot read discord.getMembers',
  ],
  [
    'a withheld read in its second instance',
    RULE.replace(
      'getGameStreams, with: { game: Chess }, account: twitch }',
      'x }\neach: { read: [social.getTrends, social.getBookmarks] }',
    ).replace('streaming.x', '"${{ each.read }}"'),
    undefined,
    'cannot read social.getBookmarks',
  ],
  ['a role for a member', step('discord.addRole, with: { user: "1202584131993600042", role: Admin }'), undefined, 'changes roles'],
  ['a role taken from a member', step('discord.removeRole, with: { user: ada, role: Mod }'), undefined, 'changes roles'],
  [
    'a button that gives a role',
    step('discord.send, with: { channel: live, content: hi, buttons: [{ label: Hi, role: Admin }] }'),
    undefined,
    'changes roles',
  ],
  [
    'such a button in a layout',
    step('discord.put, with: { name: a, channel: live, layout: { blocks: [{ buttons: [{ label: Hi, role: Admin }] }] } }'),
    undefined,
    'changes roles',
  ],
  [
    'buttons that an expression names',
    step(`discord.send, with: { channel: live, content: hi, buttons: "\${{ [{'label': 'Hi', 'role': 'Admin'}] }}" }`),
    undefined,
    'changes roles',
  ],
  [
    'a ping of everyone',
    step('discord.send, with: { channel: live, content: hi, mention: [Live, "@Everyone"] }'),
    undefined,
    'pings everyone',
  ],
  [
    'a ping in a question',
    step('discord.ask, answerWithin: 1h, with: { channel: live, content: hi, choices: [a], mention: [here] }'),
    undefined,
    'pings everyone',
  ],
  [
    'a ping that an expression names',
    step(`discord.send, with: { channel: live, content: hi, mention: ["\${{ 'every' + 'one' }}"] }`),
    undefined,
    'pings everyone',
  ],
  ['a deletion of a message', step('discord.delete, with: { message: "1202584131993600005/1202584131993600006" }'), undefined, 'deletes'],
  [
    'a deletion at the end of quiet hours',
    `${RULE}quiet: { from: "22:00", to: "07:00", timezone: Europe/Berlin, then: [{ do: social.deletePost, with: { post: "1" } }] }\n`,
    undefined,
    'deletes',
  ],
  [
    'a deletion when the stream ends',
    `${RULE}finally: [{ do: discord.deleteEvent, with: { event: "1202584131993600006" } }]\n`,
    undefined,
    'deletes',
  ],
  ['too much', `${RULE}#${'x'.repeat(9_000)}`, undefined, '8000'],
] as const)('a rule with %s is not stored, and the model gets the reason', async ([, rule, tests, message]) => {
  const model = scriptedModel([['draft_rule', { rule, tests }]]);
  await using fixture = await openAssistantStage({ model });

  expect(await draftsOf(fixture)).toEqual([]);
  expect(model.results[0]).toContain(message);
});

test('a model can correct a rejected rule', async () => {
  const model = scriptedModel([
    ['draft_rule', { rule: RULE.replace('every: 5m', 'every: 5 minutes') }],
    ['draft_rule', { rule: RULE }],
  ]);
  await using fixture = await openAssistantStage({ model });

  expect(await draftsOf(fixture)).toHaveLength(1);
  expect(model.results[0]).toContain('5 minutes');
});

test.for([
  ['without a text', {}],
  ['of spaces', { text: '   ' }],
  ['for an unknown account', { text: 'hi', accounts: ['discord'] }],
  ['that turns around', { text: 'hi \u202E olleh' }],
  ['with invisible characters', { text: 'hi \u{E0041}' }],
] as const)('a post %s is not stored', async ([, input]) => {
  const model = scriptedModel([['draft_post', input]]);
  await using fixture = await openAssistantStage({ model });

  expect(await draftsOf(fixture)).toEqual([]);
  expect(model.results[0]).toContain('Failed: ');
});

test('the log has each decision and its person', async () => {
  await using fixture = await drafted('draft_post', POST);

  await fixture.drafts.approve(fixture.id, person('grace', 'post'));

  expect(fixture.lines.find((line) => line.includes('a member decided about a draft'))).toContain(
    `draft=${fixture.id} state=approved by=grace`,
  );
});
