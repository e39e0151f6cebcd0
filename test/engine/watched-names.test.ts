import { expect, test } from 'vitest';
import type { NotifiedOperation } from '#src/clients/operation/notifier.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createWatchedNames } from '#src/engine/watched-names.ts';
import type { ListEntry, Lists } from '#src/rules/lists.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeRule, makeWatched } from '../support/rules.ts';

const watching = (watched: Partial<Watched>, over: Partial<Rule> = {}): Rule => makeRule({ watched: makeWatched(watched), ...over });

const entry = (id: string): ListEntry => ({ id, list: 'team', server: undefined, fields: { twitch: `${id}-live` } });
const listsOf = (...ids: readonly string[]): Lists => ({ revision: ids.join(), entries: () => ids.map(entry), names: () => ['team'] });

const STREAMS: readonly NotifiedOperation[] = [{ operation: 'getStreams', parameter: 'users' }];

function open(rules: readonly Rule[], operations = STREAMS, of = { account: 'twitch', client: 'streaming' }) {
  const now = { rules, lists: listsOf('grace') };
  const clock = new ManualClock();
  const eventBus = createEventBus();
  const names = createWatchedNames({
    ...of,
    about: { operations },
    rules: () => now.rules,
    lists: { current: () => Promise.resolve(now.lists) },
    eventBus,
    clock,
  });
  return { now, clock, eventBus, names };
}

test('the names are those of running rules that hints reach, each once', async () => {
  const { now, names } = open([
    watching({ with: { users: ['Ada', '@linus'] } }),
    watching({ with: { users: ['ada'] } }),
    watching({ with: { users: ['of-kick'] }, accounts: ['kick'] }),
    watching({ with: { users: ['both'] }, accounts: ['kick', 'twitch'] }),
    watching({ verb: 'streaming.getUser', with: { user: 'other-operation' } }),
    watching({ with: { users: ['calendar'] } }, { schedule: { cron: '* * * * *', timezone: 'UTC' } }),
    watching({ with: { users: ['each-slot'] }, per: 'slot' }),
    watching({ with: { games: ['Chess'] } }),
    watching({ with: {}, people: { list: 'team', platforms: { twitch: 'twitch' } } }),
    watching({ withOf: (lists) => ({ users: lists.entries('team').map(({ id }) => `${id}-computed`) }) }),
    makeRule({ watched: undefined }),
  ]);
  const others = ['ada', 'both'];
  expect(await names.current()).toEqual(new Map([['getStreams', ['Ada', 'linus', ...others, 'grace-live', 'grace-computed']]]));

  now.lists = listsOf('linus');
  expect(await names.current()).toEqual(new Map([['getStreams', ['Ada', 'linus', ...others, 'linus-live', 'linus-computed']]]));
});

test('the names are kept apart by operation, and queries without a name have the name of the account itself', async () => {
  const social = (verb: string, params: Watched['with'], over: Partial<Watched> = {}): Rule =>
    watching({ verb: `social.${verb}`, with: params, accounts: ['mastodon'], ...over });
  const { names } = open(
    [
      social('getMentions', {}),
      social('getMentions', {}, { accounts: ['other'] }),
      social('getUserPosts', {}),
      social('getUserPosts', { user: '@Ada' }),
      social('getTopicPosts', { topic: '#Cats' }),
      social('getHomeTimeline', {}),
      social('getListPosts', { list: '7' }),
      watching({ verb: 'streaming.getUserPosts', with: { user: 'of-another-client' }, accounts: ['mastodon'] }),
    ],
    [
      { operation: 'getMentions' },
      { operation: 'getUserPosts', parameter: 'user', hasOwn: true },
      { operation: 'getTopicPosts', parameter: 'topic' },
      { operation: 'getHomeTimeline', parameter: 'timelineType' },
      { operation: 'getInbox', parameter: 'user', hasOwn: true },
    ],
    { account: 'mastodon', client: 'social' },
  );
  expect(await names.current()).toEqual(
    new Map([
      ['getMentions', ['']],
      ['getUserPosts', ['', 'Ada']],
      ['getTopicPosts', ['#Cats']],
    ]),
  );
});

test('a change of rules or lists is noticed within a second, also if it happened before the wait', async () => {
  const { clock, eventBus, names } = open([]);
  const { signal } = new AbortController();
  let woken = 0;
  const wait = (): void => void names.changed(signal).then(() => woken++);

  await names.current();
  wait();
  eventBus.publish({ kind: 'posts' });
  await clock.advance(30_000);
  expect(woken).toBe(0);
  eventBus.publish({ kind: 'lists' });
  eventBus.publish({ kind: 'rules' });
  await clock.advance(1_000);
  expect(woken).toBe(1);

  await names.current();
  eventBus.publish({ kind: 'rules' });
  wait();
  await clock.advance(1_000);
  expect(woken).toBe(2);
});

test('without an event, the names are read again after a minute, because list files change silently', async () => {
  const { clock, names } = open([]);
  const stopping = new AbortController();
  await names.current();
  let isWoken = false;
  void names.changed(stopping.signal).then(() => (isWoken = true));
  await clock.advance(59_999);
  expect(isWoken).toBe(false);
  await clock.advance(1);
  expect(isWoken).toBe(true);

  const stopped = names.changed(stopping.signal);
  stopping.abort(new Error('the end'));
  await expect(stopped).rejects.toThrow('the end');
  expect(clock.sleeping).toBe(0);
});
