import { expect, test } from 'vitest';
import type { Caller } from '#src/discord/caller.ts';
import { follow, type FollowingParts } from '#src/discord/following/follow.ts';
import { nameLimit } from '#src/discord/following/name-limit.ts';
import { en } from '#src/discord/language/en/index.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const HOUR_MS = 60 * 60_000;

function memberOf(id: string, isOperator = false): Caller {
  const server = { account: 'discord', id, zone: 'UTC' };
  const signal = new AbortController().signal;
  return { id: '1', name: 'mod', server, scope: undefined, texts: en, may: () => isOperator, signal } as unknown as Caller; // what the names need
}

test('the members of a server look up as many names in a day as a list can have', async () => {
  const clock = new ManualClock();
  const parts = {
    clock,
    limitNames: nameLimit(clock),
    storedServers: { find: async () => ({ channel: '5' }) },
    streaming: new Map(),
    lists: { list: async () => undefined },
  } as unknown as FollowingParts; // no account finds a name
  const names = Array.from({ length: 100 }, (_, index) => `name${index}`).join(' ');
  const addNames = (member: Caller): Promise<unknown> => follow(names, {}, member, parts);

  for (let message = 1; message <= 10; message++) await addNames(memberOf('7'));

  await expect(addNames(memberOf('7'))).rejects.toThrow(/^The members of this server have looked up many names in the last 24 hours\./u);
  await addNames(memberOf('8'));
  await addNames(memberOf('7', true));
  clock.set(clock.nowMs() + 24 * HOUR_MS);
  await addNames(memberOf('7'));
});

test('a refused message uses up no names, and states when all its names are possible', () => {
  const clock = new ManualClock();
  const limitNames = nameLimit(clock);
  const member = memberOf('7');
  const beginMs = clock.nowMs();
  limitNames(50, member);
  clock.set(beginMs + HOUR_MS);
  for (let message = 1; message <= 9; message++) limitNames(100, member);

  const refusedUntil = (hours: number): string => `<t:${(beginMs + hours * HOUR_MS) / 1000}:R>`;

  expect(() => limitNames(51, member)).toThrow(refusedUntil(24));
  limitNames(50, member);
  expect(() => limitNames(51, member)).toThrow(refusedUntil(25));
});
