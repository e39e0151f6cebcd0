import { expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import type { Query } from '#src/engine/planner/query.ts';
import { silentLog } from '#src/log.ts';
import type { Poll } from '#src/rules/poll.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';
import { readAll } from './read-all.ts';

/** A platform that refuses a list with an unknown user, as X and Bluesky do. `refuse` makes users unknown, and `know` makes them known. */
function openStage() {
  const clock = new ManualClock();
  const unknown = new Set<string>();
  let requests: string[] = [];
  const poll = async ({ params: { user } }: Query) => {
    const names = [user].flat().map(String);
    requests.push(names.join(','));
    const bad = names.find((name) => unknown.has(name.toLowerCase()));
    if (bad !== undefined) throw new PlatformError(`x has no user "${bad}".`, { platform: 'x', fault: 'missing' });
    return {
      items: names.map((name) => ({ platform: 'x', id: `id-${name.toLowerCase()}`, handle: name })),
      approximate: false,
      partialErrors: [],
    };
  };
  const planner = createPlanner({ poll, clock, log: silentLog });
  return {
    clock,
    refuse: (...names: readonly string[]) => names.forEach((name) => unknown.add(name)),
    know: (...names: readonly string[]) => names.forEach((name) => unknown.delete(name)),
    async poll(
      ...users: readonly (string | readonly string[])[]
    ): Promise<{ readonly polls: readonly (Poll | undefined)[]; readonly requests: readonly string[] }> {
      requests = [];
      const rules = users.map((user, index) =>
        makeRule({
          id: `r${index}`,
          watched: makeWatched({
            verb: 'social.getUserInfo',
            kind: 'one',
            accounts: ['x'],
            with: { user: typeof user === 'string' ? user : [...user] },
          }),
        }),
      );
      const polls = await readAll(
        planner,
        rules.map((rule) => ({ rule, slotMs: 0 })),
      );
      return { polls: rules.map(({ id }) => polls.get(id)), requests };
    },
  };
}

const handlesIn = (poll: Poll | undefined) => (poll && 'items' in poll ? poll.items.map(({ handle }) => handle) : poll?.failure);

test('an unknown user is reported with its name, and the poll goes on for the other ones', async () => {
  const stage = openStage();
  stage.refuse('nobody');

  const { polls } = await stage.poll(['Ada', 'nobody', 'grace', 'linus']);

  expect(handlesIn(polls[0])).toEqual(['Ada', 'grace', 'linus']);
  expect(polls[0]).toMatchObject({
    complete: true,
    errors: [{ account: 'x', names: ['nobody'], failure: 'missing: x has no user "nobody".', fault: 'missing' }],
    unread: [{ account: 'x', names: ['nobody'] }],
  });
});

test('a refused user costs no further requests for an hour', async () => {
  const stage = openStage();
  stage.refuse('nobody');
  await stage.poll(['ada', 'nobody', 'grace']);

  const next = await stage.poll(['ada', 'nobody', 'grace']);

  expect(next.requests).toEqual(['ada,grace']);
  expect(next.polls).toMatchObject([{ unread: [{ names: ['nobody'] }] }]);

  stage.know('nobody');
  await stage.clock.advance(3_600_000);
  const later = await stage.poll(['ada', 'nobody', 'grace']);

  expect(later.requests).toEqual(['ada,grace', 'nobody']);
  expect(later.polls.map(handlesIn)).toEqual([['ada', 'grace', 'nobody']]);
  expect((await stage.poll(['ada', 'nobody', 'grace'])).requests).toEqual(['ada,nobody,grace']);
});

test('a user that is refused for long costs one request each hour, and the other users are read once', async () => {
  const stage = openStage();
  stage.refuse('nobody');
  await stage.poll(['ada', 'nobody', 'grace', 'linus']);
  await stage.clock.advance(3_600_000);

  const later = await stage.poll(['ada', 'nobody', 'grace', 'linus']);
  const next = await stage.poll(['ada', 'nobody', 'grace', 'linus']);

  expect(later.requests).toEqual(['ada,grace,linus', 'nobody']);
  expect(later.polls).toMatchObject([{ unread: [{ names: ['nobody'] }] }]);
  expect(next.requests).toEqual(['ada,grace,linus']);
});

test('a poll fails if its platform refuses all of its users, and then costs one request', async () => {
  const stage = openStage();
  stage.refuse('nobody', 'noone');
  const first = await stage.poll(['nobody', 'noone']);

  const next = await stage.poll(['nobody', 'noone']);

  expect([...first.polls, ...next.polls].map(handlesIn)).toEqual(Array.from({ length: 2 }, () => 'missing: x has no user "nobody".'));
  expect(next.requests).toEqual(['nobody,noone']);
});

test('rules that share a poll with a rule with an unknown user go on', async () => {
  const stage = openStage();
  stage.refuse('nobody');

  const { polls } = await stage.poll(['ada', 'nobody'], 'grace', 'nobody', ['linus', 'ada']);

  expect(polls.map(handlesIn)).toEqual([['ada'], ['grace'], 'missing: x has no user "nobody".', ['linus', 'ada']]);
});
