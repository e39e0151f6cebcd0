import { describe, expect, test } from 'vitest';
import { accountViews, createAccountHealth } from '#src/admin/queries/accounts.ts';
import { shareHealth } from '#src/app/share-health.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const failing = (fault: Fault) => () =>
  Promise.reject(new PlatformError('Twitch does not accept the secret', { platform: 'twitch', fault }));

describe('the health of an account', () => {
  test('is the result of its last use, and each change is reported once', async () => {
    const seen: (string | undefined)[] = [];
    const health = createAccountHealth(() => seen.push(health.problemOf('twitch')?.problem));

    await health.watch('twitch', () => Promise.resolve(1));
    await health.watch('twitch', failing('unauthorized')).catch(() => undefined);
    await health.watch('twitch', failing('unauthorized')).catch(() => undefined);
    await health.watch('twitch', () => Promise.resolve(1));

    expect(seen).toEqual(['Twitch does not accept the secret', undefined]);
  });

  test('has messages without the name of the account', async () => {
    const health = createAccountHealth(() => undefined);
    const refusal = new PlatformError('x: X did not refresh the sign-in', { platform: 'x', fault: 'unauthorized' });

    await health.watch('x', () => Promise.reject(refusal)).catch(() => undefined);
    await health.watch('x_club', () => Promise.reject(refusal)).catch(() => undefined);

    expect(health.problemOf('x')?.problem).toBe('X did not refresh the sign-in');
    expect(health.problemOf('x_club')?.problem).toBe('x: X did not refresh the sign-in');
  });

  test.for([
    [undefined, undefined],
    [true, 'Twitch does not accept the secret'],
  ] as const)('is changed by a refusal only if the platform refuses the account: %s', async ([refusesAccount, problem]) => {
    const health = createAccountHealth(() => undefined);
    const refusal = new PlatformError('Twitch does not accept the secret', { platform: 'twitch', fault: 'forbidden', refusesAccount });
    const explained = new PlatformError(refusal.message, { platform: 'twitch', fault: 'forbidden', cause: refusal });

    for (const error of [refusal, explained.at('next page')]) {
      await health.watch('twitch', () => Promise.resolve(1));
      await health.watch('twitch', () => Promise.reject(error)).catch(() => undefined);
      expect(health.problemOf('twitch')?.problem).toBe(problem);
    }
  });

  test('is not changed by an invalid request', async () => {
    const health = createAccountHealth(() => undefined);

    await health.watch('twitch', failing('missing')).catch(() => undefined);

    expect(health.problemOf('twitch')).toBeUndefined();
  });
});

test('of several Discord servers, each shows its own failure, and the problem of the connection without one', async () => {
  const health = createAccountHealth(() => undefined);
  const outside = new PlatformError('The bot is not in this server', { platform: 'discord', fault: 'missing', refusesAccount: true });
  await health.watch('discord_club', () => Promise.reject(outside)).catch(() => undefined);
  const accounts = (['discord', 'discord_club'] as const).map((account) => ({ account, platform: 'discord' as const }));
  const discord = { state: 'connected', problem: 'the bot is not in the server of discord_club' } as const;

  const views = accountViews({ accounts, isSandbox: false, discord, health });

  expect(views).toMatchObject([
    { state: 'connected', problem: discord.problem },
    { state: 'failed', problem: outside.message, fault: 'missing' },
  ]);
});

test('the failures of other processes count, until they end', async () => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  const seen: (string | undefined)[] = [];
  const health = createAccountHealth(() => seen.push(health.problemOf('twitch')?.problem));
  const life = new AbortController();
  const sharing = shareHealth({ health, store, clock, signal: life.signal });
  const outage = { account: 'twitch', access: 'write', fault: 'unauthorized', problem: 'twitch: it does not accept the secret' } as const;

  await store.outages.put({ ...outage, sinceMs: 1, seenMs: 1 });
  await clock.advance(20_000);
  await store.outages.end(outage);
  await clock.advance(20_000);

  expect(seen).toEqual(['it does not accept the secret', undefined]);
  life.abort();
  await sharing;
});
