import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explain } from '#src/discord/explain-error.ts';
import type { HandledEvents } from '#src/discord/handled-events.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import { DatabaseUnavailable } from '#src/store/postgres/database-error.ts';
import { type ConnectionFixture, openBotConnection } from './connection-fixture.ts';

const { stateUnreachable } = textsFor('en-US').errors;

describe('while the database does not answer', () => {
  let claim: HandledEvents['claim'] = () => Promise.resolve(true);
  let bot: ConnectionFixture;
  beforeAll(async () => {
    bot = await openBotConnection({ shared: { handled: { claim: (id) => claim(id) } } });
    await bot.online.client;
  });
  afterAll(() => bot[Symbol.asyncDispose]());

  test('a member learns it within two seconds, and a late claim runs nothing', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    claim = () => promise;
    const beganMs = performance.now();

    const { message } = await bot.echo('slow');
    const tookMs = performance.now() - beganMs;
    resolve(true);
    claim = () => Promise.resolve(true);
    await bot.echo('hello');

    expect(message?.content).toBe(stateUnreachable);
    expect(tookMs).toBeLessThan(2_500);
    expect(bot.ran).toEqual(['hello']);
  });

  test('a member learns it at once if the claim fails', async () => {
    claim = () => Promise.reject(new DatabaseUnavailable(new Error('connect ECONNREFUSED')));

    expect((await bot.echo('lost')).message?.content).toBe(stateUnreachable);
    expect(bot.ran).not.toContain('lost');
  });
});

test.for(['en-US', 'de'])('in %s a command whose database stops answering has a text for it', (locale) => {
  const texts = textsFor(locale);

  expect(explain(new DatabaseUnavailable(new Error('Connection terminated')), texts)).toBe(texts.errors.stateUnreachable);
});
