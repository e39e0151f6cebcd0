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

  test('a member gets an error while the claim waits, and a late claim runs no command', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    claim = () => promise;

    const { message } = await bot.echo('slow');
    resolve(true);
    claim = () => Promise.resolve(true);
    await bot.echo('hello');

    expect(message?.content).toBe(stateUnreachable);
    expect(bot.ran).toEqual(['hello']);
  });

  test('a member gets an error at once if the claim fails', async () => {
    claim = () => Promise.reject(new DatabaseUnavailable(new Error('connect ECONNREFUSED')));

    expect((await bot.echo('lost')).message?.content).toBe(stateUnreachable);
    expect(bot.ran).not.toContain('lost');
  });
});

test.for(['en-US', 'de'])('in %s, an unavailable database has its own text', (locale) => {
  const texts = textsFor(locale);

  expect(explain(new DatabaseUnavailable(new Error('Connection terminated')), texts)).toBe(texts.errors.stateUnreachable);
});
