import { expect, test } from 'vitest';
import type { Json } from '#src/clients/operation/json.ts';
import { toItem } from '#src/engine/planner/poll-results.ts';
import type { SocialAsync } from '#src/clients/social/social.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { storedAndLoaded, withChange } from '../../rules/evaluate/run-polls.ts';
import { ruleOf } from '../../support/rule-language.ts';
import { ME, one, postRow, rows, scriptX } from './script-x.ts';
import { watchListInMemory } from './watch-list.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');
const SINCE = new Date('2026-11-20T12:00:00Z');
const IDS = ['1990000000000000001', '1990000000000000002', '1990000000000000003'] as const;
const [FIRST] = IDS;

/** A version of a post, as X lists it: only the latest one, with the ids of all earlier ones. */
function version(number: 1 | 2 | 3): object {
  const history = IDS.slice(0, number);
  const text = `Doors at ${number}`;
  return postRow(history.at(-1) ?? '', {
    text,
    created_at: '2026-11-20T18:05:00Z',
    conversation_id: FIRST,
    edit_history_tweet_ids: history,
  });
}

const POLLS = [[], [version(1)], [version(2)], [version(3)]];
const OTHER = 'GET /2/users/42/tweets?max_results=100&exclude=replies';

interface Case {
  readonly of: string;
  readonly verb: string;
  readonly params?: string;
  readonly account?: string;
  readonly line: string;
  readonly asMe?: boolean;
  readonly hasBudget?: boolean;
  readonly read: (social: SocialAsync) => Promise<{ readonly items: readonly unknown[] }>;
}

const CASES: readonly Case[] = [
  { of: 'posts of a user', verb: 'getPosts', params: '{ user: "42" }', line: OTHER, read: (social) => social.getPosts('42') },
  {
    of: 'posts of a user, by several accounts',
    verb: 'getPosts',
    params: '{ user: "42" }',
    account: '[bluesky, mastodon]',
    line: OTHER,
    read: (social) => social.getPosts('42'),
  },
  { of: 'own posts', verb: 'getPosts', params: '{ user: "7" }', line: OTHER.replace('42', '7'), read: (social) => social.getPosts('7') },
  {
    of: 'mentions',
    verb: 'getMentions',
    line: 'GET /2/users/7/mentions?max_results=100',
    asMe: true,
    read: (social) => social.getMentions(),
  },
  {
    of: 'bookmarks',
    verb: 'getBookmarks',
    line: 'GET /2/users/7/bookmarks?max_results=100',
    asMe: true,
    read: (social) => social.getBookmarks(),
  },
  {
    of: 'a search',
    verb: 'search',
    params: '{ keyword: doors, filter: Latest }',
    line: 'GET /2/tweets/search/recent?max_results=100&query=doors&sort_order=recency',
    read: (social) => social.search('doors', { filter: 'Latest' }),
  },
  {
    of: 'notifications of new posts',
    verb: 'getPostNotifications',
    hasBudget: true,
    line: 'GET /2/tweets/search/recent?max_results=100&query=(from:42)&sort_order=recency&start_time=2026-11-20T12:00:00Z',
    read: (social) => social.getPostNotifications(),
  },
];

function ruleFor({ verb, params = '{}', account = 'mastodon' }: Pick<Case, 'verb' | 'params' | 'account'>): Rule {
  const then = 'then: [{ do: discord.send, with: { channel: general, content: "${{ item.text }}" } }]';
  const changes = '[entered, { changed: [text] }]';
  return ruleOf(
    `id: copy\nwhen: { every: 4m, watch: social.${verb}, with: ${params}, account: ${account}, changes: ${changes} }\n${then}\n`,
  );
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

interface Run {
  readonly state: RuleState;
  /** The kind of each change and the text of its post. */
  readonly fired: readonly string[];
}

function run(rule: Rule, polls: readonly (readonly Item[])[], { state, fired }: Run = { state: NEW_STATE, fired: [] }): Run {
  return polls.reduce(
    (before: Run, items): Run => {
      const slotMs = (before.state.memory.lastPollMs ?? START_MS) + 240_000;
      const { firings, change } = advance({ rule, state: before.state, poll: { items, complete: true }, slotMs });
      const texts = firings.map(({ scope }) => `${textOf(scope.change?.['kind'])} ${textOf(scope.item?.['text'])}`);
      return { state: change ? storedAndLoaded(withChange(before.state, change)) : before.state, fired: [...before.fired, ...texts] };
    },
    { state, fired },
  );
}

test.for(CASES)('an edit on X is a change of a known post: $of', async (row) => {
  const list = watchListInMemory();
  await list.add({ id: '42', since: SINCE });
  const pages = POLLS.map((posts) => [row.line, rows(posts)] as const);
  await using x = await scriptX([...(row.asMe ? [ME] : []), ...pages], { watchList: list, ...(row.hasBudget && { budgets: { usd: 1 } }) });
  const polls: Item[][] = [];
  for (const _ of POLLS) {
    const { items } = await row.read(x.social);
    polls.push(items.map((item) => ({ ...toItem(item), ...(row.account !== undefined && { account: 'mastodon' }) })));
  }

  expect(run(ruleFor(row), polls).fired).toEqual(['entered Doors at 1', 'changed Doors at 2', 'changed Doors at 3']);
  expect(polls.map(([item]) => [item?.['id'], item?.['firstVersionId']])).toEqual([
    [undefined, undefined],
    [IDS[0], undefined],
    [IDS[1], FIRST],
    [IDS[2], FIRST],
  ]);
});

test('the record of an edited post names the first version, before and after a read', async () => {
  await using x = await scriptX([
    ['GET /2/tweets/1990000000000000001', one(version(1))],
    ME,
    ['POST /2/tweets', { status: 201, json: { data: { id: IDS[1], text: 'Doors at 2' } } }],
    ['GET /2/tweets/1990000000000000002', one(version(2))],
    ['POST /2/tweets', { status: 201, json: { data: { id: IDS[2], text: 'Doors at 3' } } }],
  ]);

  const second = await x.social.editPost(FIRST, 'Doors at 2');
  const third = await x.social.editPost(second, 'Doors at 3');

  expect([second, third]).toMatchObject([
    { id: IDS[1], firstVersionId: FIRST },
    { id: IDS[2], firstVersionId: FIRST },
  ]);
});

test('each edit reads the post once, although edits name its first version', async () => {
  await using x = await scriptX([
    ['GET /2/tweets/1990000000000000001', one(version(1))],
    ME,
    ['POST /2/tweets', { status: 201, json: { data: { id: IDS[1], text: 'Doors at 2' } } }],
    ['GET /2/tweets/1990000000000000002', one(version(2))],
    ['POST /2/tweets', { status: 201, json: { data: { id: IDS[2], text: 'Doors at 3' } } }],
    ['GET /2/tweets/1990000000000000003', one(version(3))],
  ]);

  await x.social.editPost(FIRST, 'Doors at 2');
  const third = await x.social.editPost(FIRST, 'Doors at 3');
  const same = await x.social.editPost(FIRST, 'Doors at 3');

  expect([third.id, same.id]).toEqual([IDS[2], IDS[2]]);
});

/** The fingerprint of the rule when Fanfare knew edited posts by their ids. */
const EARLIER_FINGERPRINT = 'z2WMIig_zslXxg4qquQqpROf';

test('a post that an earlier version of Fanfare announced after its edit is not announced again', () => {
  const rule = ruleFor({ verb: 'getPosts', params: '{ user: "42" }' });
  const edited = (id: string, text: string): Item => ({ platform: 'x', id, firstVersionId: FIRST, text });
  const earlier: Rule = rule.watched
    ? { ...rule, watched: { ...rule.watched, key: ({ id }) => textOf(id), fingerprint: EARLIER_FINGERPRINT } }
    : rule;

  const before = run(earlier, [[], [edited(IDS[1], 'Doors at 2')]]);
  const after = run(rule, [[edited(IDS[1], 'Doors at 2')], [edited(IDS[2], 'Doors at 3')]], before);

  expect(rule.watched?.fingerprint).not.toBe(EARLIER_FINGERPRINT);
  expect(after.fired).toEqual(['entered Doors at 2', 'changed Doors at 3']);
});

test('an edited post has the replies to all its versions, and an edited reply keeps the id of its thread', async () => {
  const reply = (id: string, to: string, more: object = {}): object =>
    postRow(id, { conversation_id: FIRST, referenced_tweets: [{ type: 'replied_to', id: to }], ...more });
  const found = [
    reply('2000000000000000004', '2000000000000000001'),
    reply('2000000000000000003', IDS[1]),
    reply('2000000000000000002', FIRST, { edit_history_tweet_ids: ['2000000000000000001', '2000000000000000002'] }),
  ];
  await using x = await scriptX(
    [
      [`GET /2/tweets/${IDS[1]}`, one(version(2))],
      [`GET /2/tweets/search/recent?max_results=100&query=conversation_id:${FIRST}&sort_order=recency`, rows(found)],
    ],
    { budgets: { usd: 1 } },
  );

  const { items } = await x.social.getPostComments(IDS[1]);

  expect(items.map(({ id, root, replies }) => [id, root.id, replies.map(({ post }) => post.id)])).toEqual([
    ['2000000000000000003', '2000000000000000003', []],
    ['2000000000000000001', '2000000000000000002', ['2000000000000000004']],
  ]);
});
