import { expect, test } from 'vitest';
import type { SocialClient } from '#src/admin/queries/lookup-clients.ts';
import type { Caller } from '#src/discord/caller.ts';
import { en } from '#src/discord/language/en/index.ts';
import { lookupLimit } from '#src/discord/lookups/lookup-limit.ts';
import { createLookups, type Lookups } from '#src/discord/lookups/lookups.ts';
import { countUses } from '#src/discord/count-uses.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openLookups } from './fixture.ts';

const caller = { texts: en, locale: 'en', server: { account: 'discord', id: '7', zone: 'UTC' } } as Caller; // nothing else is read

const member = { ...caller, may: () => false } as Caller; // as above

interface Reads {
  readonly lookups: Lookups;
  readonly reads: string[];
}

function lookupsOf(billsReads: boolean): Reads {
  const reads: string[] = [];
  const client = {
    billsReads,
    capabilities: { getSuggestedUsers: { support: 'native' }, getTrends: { support: 'native' }, search: { support: 'native' } },
    async search(typed: string) {
      reads.push(`search ${typed}`);
      return { items: [{ handle: `${typed}ha` }], hasNext: true };
    },
    async getSuggestedUsers() {
      reads.push('getSuggestedUsers');
      return [{ handle: 'suggested' }];
    },
    async getTrends() {
      reads.push('getTrends');
      return [{ name: 'chess' }];
    },
  };
  const lookups = createLookups({
    streaming: new Map(),
    social: new Map([['x', client as unknown as SocialClient]]), // suggestions read nothing else
    savedViews: { keep: async () => '', find: async () => undefined },
    clock: new ManualClock(),
    signal: new AbortController().signal,
  });
  return { lookups, reads };
}

test('suggestions read nothing from an account whose platform bills reads', async () => {
  const { lookups, reads } = lookupsOf(true);

  for (const typed of ['', 'ma', 'mar', 'mart']) {
    expect(await lookups.suggest.people(typed, {}, caller)).toEqual([]);
    expect(await lookups.suggest.trends(typed, {}, caller)).toEqual([]);
  }

  expect(reads).toEqual([]);
});

test('suggestions of people never show which users the platform suggests to the account', async () => {
  const { lookups, reads } = lookupsOf(false);

  expect(await lookups.suggest.people('', {}, caller)).toEqual([]);
  expect(await lookups.suggest.people('mart', {}, caller)).toEqual(['martha']);

  expect(reads).toEqual(['search mart']);
});

test('a member has ten look-ups a minute of an account whose platform bills reads, on all of its commands and buttons', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'], billsReads: true });
  const [, , user] = fixture.discord.people;
  const first = await fixture.command('social posts', { user: 'ada' }, { user });
  for (let use = 2; use < 10; use++)
    expect(await fixture.command('social trends', {}, { user })).toMatchObject({ message: { embeds: [{}] } });
  const tenth = await fixture.click(first.message, 'Next', { user });

  const refused = [
    await fixture.command('social user', { user: 'ada' }, { user }),
    await fixture.command('social posts', { user: 'ada' }, { user }),
    await fixture.click(first.message, 'Next', { user }),
  ];

  expect(tenth.message?.content).toBe('Posts of **Ada**:');
  for (const view of refused)
    expect(JSON.stringify(view)).toMatch(/You have used many commands in the last minute\. Try again <t:\d+:R>\./u);
  // Operators of the installation have no limit.
  for (let use = 1; use <= 11; use++) expect(await fixture.command('social trends')).toMatchObject({ message: { embeds: [{}] } });
});

test('all members of a server together have thirty look-ups a minute of an account whose platform bills reads', () => {
  const limit = lookupLimit(new ManualClock());
  const use = (id: string, server: string) => () => limit({ ...member, id, server: { account: 'discord', id: server, zone: 'UTC' } });

  for (let number = 1; number <= 30; number++) expect(use(`member ${number}`, '7')).not.toThrow();

  expect(use('another', '7')).toThrow(/^The members of this server have used many look-ups in the last minute\. Try again <t:\d+:R>\.$/u);
  expect(use('another', '8')).not.toThrow();
});

test('look-ups of other accounts have no limit', async () => {
  await using fixture = await openLookups({ accounts: ['sandbox'] });

  for (let use = 1; use <= 11; use++) expect(await fixture.command('social trends')).toMatchObject({ message: { embeds: [{}] } });
});

test('uses are counted for each key, and a minute later there are new ones', () => {
  const clock = new ManualClock();
  const count = countUses({ most: 2, clock });

  expect([count('a'), count('a'), count('b')]).toEqual([undefined, undefined, undefined]);
  expect(count('a')).toBe(clock.nowMs() + 60_000);
  clock.set(clock.nowMs() + 60_000);
  expect(count('a')).toBeUndefined();
});
