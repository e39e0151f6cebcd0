import { expect, test } from 'vitest';
import { everyNetwork as accounts } from '../../support/every-network.ts';
import { check, unmark } from '../../support/rule-language.ts';

function rule(when: string, steps = '{ do: social.createPost, as: [x, mastodon], with: { text: hi } }', top = ''): string {
  return `id: r\nwhen: { every: 5m, account: mastodon, ${when} }\n${top}then:\n  - ${steps}\n`;
}

test.each([
  rule('watch: ▲social.getPosts, with: { user: ada }'),
  rule('watch: ▲social.getPosts, with: { user: ada }, where: item.repostOf == ""'),
  rule('watch: ▲social.getHomeTimeline'),
  rule('watch: ▲social.getTopicPosts, with: { topic: chess }'),
])('a rule that posts through an account whose posts it reads gets a warning: %s', (marked) => {
  const { source, place } = unmark(marked);

  expect(check(source, { accounts }).diagnostics.map(({ line, column, ...one }) => ({ ...one, place: `${line}:${column}` }))).toMatchObject(
    [
      {
        severity: 'warning',
        code: 'own-posts',
        message: 'the rule reads and writes posts through mastodon: it can answer its own posts without end',
        hint: 'add !item.author.self to where',
        place,
      },
    ],
  );
});

test.each([
  rule(`watch: social.getPosts, with: { user: ada }, where: '!item.author.self'`),
  rule('watch: social.getPosts, with: { user: ada }', undefined, 'if: "!item.author.self"\n'),
  rule(
    'watch: social.getPosts, with: { user: ada }',
    '{ do: social.createPost, as: mastodon, if: "!item.author.self", with: { text: hi } }',
  ),
  rule('watch: social.getPosts, with: { user: ada }', '{ do: social.createPost, as: x, with: { text: hi } }'),
  rule('watch: social.getPosts, with: { user: ada }', '{ do: social.repostPost, as: mastodon, with: { post: "${{ item.id }}" } }'),
  rule('watch: social.getMentions', '{ do: social.createPost, as: mastodon, with: { text: hi, replyTo: "${{ item.id }}" } }'),
])('no warning: %s', (source) => {
  expect(check(source, { accounts }).diagnostics).toEqual([]);
});

const inChannel = (when = '', step = '') =>
  `id: r\nwhen: { every: 1m, watch: ▲discord.getMessages, with: { channel: help }${when} }\nthen:\n  - { do: discord.send, with: { channel: '#help', content: hi }${step} }\n`;

test('a rule that writes messages in the channel whose messages it reads gets a warning', () => {
  const { source, place } = unmark(inChannel());

  expect(check(source).diagnostics.map(({ line, column, ...one }) => ({ ...one, place: `${line}:${column}` }))).toMatchObject([
    {
      severity: 'warning',
      code: 'own-posts',
      message: 'the rule reads and writes messages in help: it can answer its own messages without end',
      hint: 'add !item.author.self to where',
      place,
    },
  ]);
});

test.each([
  inChannel(`, where: '!item.author.self'`),
  inChannel(`, where: '!item.author.bot'`),
  inChannel('', `, if: '!item.author.self'`),
  inChannel().replace("'#help'", 'answers'),
  inChannel().replace('content: hi', 'content: hi, thread: Questions'),
  inChannel().replace("channel: '#help'", 'user: ada'),
])('no warning of messages: %s', (marked) => {
  expect(check(unmark(marked).source).diagnostics).toEqual([]);
});

const inInbox = (changes = '[entered, { changed: [lastMessage.id] }]', step = '', top = '') =>
  `id: r\nwhen: { every: 1m, watch: ▲social.getInbox, with: { pages: all }, account: mastodon, include: [direct], changes: ${changes} }\n${top}then:\n  - { do: social.sendMessage, as: mastodon, with: { user: "\${{ item.participants[0].id }}", text: hi }${step} }\n`;

test('a rule that answers each change of a conversation gets a warning', () => {
  const { source, place } = unmark(inInbox());

  expect(check(source, { accounts }).diagnostics.map(({ line, column, ...one }) => ({ ...one, place: `${line}:${column}` }))).toMatchObject(
    [
      {
        severity: 'warning',
        code: 'own-posts',
        message: 'the rule reads and writes direct messages through mastodon: it can answer its own ones without end',
        hint: 'add if: "!item.lastMessage.sender.self"',
        place,
      },
    ],
  );
});

test.each([
  inInbox(undefined, '', 'if: "!item.lastMessage.sender.self"\n'),
  inInbox(undefined, ', if: "!item.lastMessage.sender.self"'),
  inInbox('[entered]'),
])('no warning of direct messages: %s', (marked) => {
  expect(check(unmark(marked).source, { accounts }).diagnostics).toEqual([]);
});

const found = (when = '', text = 'Today: #Chess') =>
  `id: r\nwhen: { every: 5m, watch: ▲social.search, with: { keyword: "#chess" }, account: mastodon${when} }\nthen:\n  - { do: social.createPost, as: mastodon, with: { text: "${text}", quote: "\${{ item.id }}" } }\n`;

test.each([found(), found('', '${{ item.text }}')])('a rule that posts what it searches for gets a warning: %s', (marked) => {
  expect(check(unmark(marked).source, { accounts }).diagnostics.map(({ code, hint }) => [code, hint])).toContainEqual([
    'own-posts',
    'add !item.author.self to where',
  ]);
});

test.each([found(", where: '!item.author.self'"), found('', 'Well played!')])('no warning of a search: %s', (marked) => {
  expect(check(unmark(marked).source, { accounts }).diagnostics.map(({ code }) => code)).not.toContain('own-posts');
});

const editing = (parts: { readonly fields?: string; readonly step?: string; readonly top?: string; readonly target?: string } = {}) => {
  const { fields = 'text', step = '', top = '', target = 'item.id' } = parts;
  return rule(
    `watch: social.getPosts, with: { user: ada }, changes: [{ changed: [${fields}] }]`,
    `{ do: ▲social.editPost, as: mastodon, with: { post: "\${{ ${target} }}", text: "\${{ plain(truncate(item.text, 50)) }} edited" }${step} }`,
    top,
  );
};

test.each([editing(), editing({ fields: 'editedAt, url' })])('a rule that edits what has changed gets a warning: %s', (marked) => {
  const { source, place } = unmark(marked);

  expect(check(source, { accounts }).diagnostics.map(({ line, column, code, hint }) => [`${line}:${column}`, code, hint])).toEqual([
    [place, 'own-edits', `add an if that is false after the edit, for example if: "!item.text.contains('edited')"`],
  ]);
});

test.each([
  editing({ fields: 'counts.likes' }),
  editing({ step: `, if: "!item.text.contains('edited')"` }),
  editing({ top: `if: "!item.text.contains('edited')"\n` }),
  editing({ target: 'item.repostOf' }),
  editing({ fields: 'warning' }),
  editing({ step: ', if: change.kind == "entered"' }).replace('[{ changed', '[entered, { changed'),
  editing({ top: 'keep: { ids: { start: [], next: "${{ top([item.id] + keep.ids, 50) }}" } }\nif: "!(item.id in keep.ids)"\n' }),
])('no warning of edits: %s', (marked) => {
  expect(check(unmark(marked).source, { accounts }).diagnostics).toEqual([]);
});

test('a rule that edits a changed message of Discord gets a warning', () => {
  const marked = `id: r\nwhen: { every: 1m, watch: discord.getMessages, with: { channel: help }, changes: [{ changed: [content] }] }\nthen:\n  - { do: ▲discord.edit, with: { message: "\${{ item.id }}", content: "\${{ truncate(item.content, 50) }}!" } }\n`;
  const { source, place } = unmark(marked);

  expect(check(source).diagnostics.map(({ line, column, code }) => [`${line}:${column}`, code])).toEqual([[place, 'own-edits']]);
  const onlyCard = source.replace(/content: "[^"]+"/u, 'embed: { footer: changed }');
  expect(check(onlyCard).diagnostics).toEqual([]);
});
