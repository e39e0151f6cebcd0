import { describe, expect, test } from 'vitest';
import { createAccountHealth } from '#src/queries/accounts.ts';
import { PlatformError, type Fault } from '#src/errors.ts';

const failing = (fault: Fault) => () =>
  Promise.reject(new PlatformError('Twitch does not accept the secret', { platform: 'twitch', fault }));

describe('the health of an account', () => {
  test('is what its last use was, and whoever shows it is told once of each change', async () => {
    const seen: (string | undefined)[] = [];
    const health = createAccountHealth(() => seen.push(health.problemOf('twitch')?.problem));

    await health.watch('twitch', () => Promise.resolve(1));
    await health.watch('twitch', failing('unauthorized')).catch(() => undefined);
    await health.watch('twitch', failing('unauthorized')).catch(() => undefined);
    await health.watch('twitch', () => Promise.resolve(1));

    expect(seen).toEqual(['Twitch does not accept the secret', undefined]);
  });

  test('is told without the name of the account, which stands beside it', async () => {
    const health = createAccountHealth(() => undefined);
    const refusal = new PlatformError('x: X did not renew the sign-in', { platform: 'x', fault: 'unauthorized' });

    await health.watch('x', () => Promise.reject(refusal)).catch(() => undefined);
    await health.watch('x_club', () => Promise.reject(refusal)).catch(() => undefined);

    expect(health.problemOf('x')?.problem).toBe('X did not renew the sign-in');
    expect(health.problemOf('x_club')?.problem).toBe('x: X did not renew the sign-in');
  });

  test('is not touched by a wrong question', async () => {
    const health = createAccountHealth(() => undefined);

    await health.watch('twitch', failing('missing')).catch(() => undefined);

    expect(health.problemOf('twitch')).toBeUndefined();
  });
});
