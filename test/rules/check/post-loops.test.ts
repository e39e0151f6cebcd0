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
