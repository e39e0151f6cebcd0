import { expect, test } from 'vitest';
import type { Assistant, Question } from '#src/clients/assistant/assistant.ts';
import { type Clock, systemClock } from '#src/clock.ts';
import { CONVERSATION_TOO_LONG } from '#src/clients/assistant/port.ts';
import { PlatformError } from '#src/errors.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type BotFixture, openBot } from './bot-fixture.ts';

/** A bot whose second is short. */
const quick: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };

/** An assistant that answers with these pieces and records the questions. */
function scriptedAssistant(pieces: AsyncIterable<string> | Iterable<string>, questions: Question[] = []): Assistant {
  return {
    async *ask(question) {
      questions.push(question);
      yield* pieces;
    },
    begin: async () => {},
    getConversation: async () => undefined,
    list: async () => [],
    forget: async () => {},
  };
}

/** Pieces that come when they are pushed. */
function pushed(): { readonly pieces: AsyncIterable<string>; push(piece: string): Promise<void>; end(error?: Error): void } {
  let next = Promise.withResolvers<string | undefined>();
  let taken = Promise.withResolvers<void>();
  return {
    pieces: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const piece = await next.promise;
          if (piece === undefined) return;
          next = Promise.withResolvers();
          yield piece;
          taken.resolve();
        }
      },
    },
    async push(piece) {
      taken = Promise.withResolvers();
      next.resolve(piece);
      await taken.promise;
    },
    end(error) {
      if (error) next.reject(error);
      else next.resolve(undefined);
    },
  };
}

async function ask(fixture: BotFixture, text: string, channel = 'general'): Promise<string> {
  const { id } = await fixture.command('ask', { text }, { channel, waitMs: 0 });
  return id;
}

async function textsOf(fixture: BotFixture, id: string): Promise<readonly string[]> {
  const { message, followUps } = await fixture.reload(id);
  return [message, ...followUps].flatMap((each) => (each && !each.loading && each.deletedAt === undefined ? [each.content] : []));
}

test('/ask shows the answer of the model of the sandbox', async () => {
  await using fixture = await openBot();

  const id = await ask(fixture, 'Hello, who are you?');

  await expect.poll(() => textsOf(fixture, id)).toEqual([expect.stringMatching(/^Hello! I am the assistant of the sandbox.*streamer\.$/)]);
  expect(await fixture.reload(id)).toMatchObject({ deferred: true, ephemeral: false });
});

test('each channel has a separate conversation', async () => {
  const questions: Question[] = [];
  await using fixture = await openBot({ clock: quick, assistant: scriptedAssistant(['Yes.'], questions) });

  for (const channel of ['general', 'live', 'general']) {
    const id = await ask(fixture, `Asked in ${channel}`, channel);
    await expect.poll(() => textsOf(fixture, id)).toEqual(['Yes.']);
  }

  const [general, live, again] = questions.map(({ conversation }) => conversation);
  expect(again).toBe(general);
  expect(live).not.toBe(general);
});

test('an answer is updated while the model writes, at most once a second', async () => {
  const clock = new ManualClock();
  const model = pushed();
  await using fixture = await openBot({ clock, assistant: scriptedAssistant(model.pieces) });
  const id = await ask(fixture, 'Tell me a story');

  await model.push('Once ');
  await expect.poll(() => textsOf(fixture, id)).toEqual(['Once']);
  for (const word of ['upon ', 'a ', 'time ']) await model.push(word);
  await expect.poll(() => clock.sleeping).toBe(1);
  const early = await textsOf(fixture, id);
  await clock.advance(1_000);
  await expect.poll(() => textsOf(fixture, id)).toEqual(['Once upon a time']);
  await model.push('there ');
  await model.push('was ');
  model.end();
  await expect.poll(() => clock.sleeping).toBe(1);
  const held = await textsOf(fixture, id);
  await clock.advance(1_000);

  expect(early).toEqual(['Once']);
  expect(held).toEqual(['Once upon a time']);
  await expect.poll(() => textsOf(fixture, id)).toEqual(['Once upon a time there was']);
});

test('a long answer continues in further messages, split at ends of sentences', async () => {
  const sentence = 'This is a sentence about chess. ';
  await using fixture = await openBot({ clock: quick, assistant: scriptedAssistant([sentence.repeat(150)]) });

  const id = await ask(fixture, 'Tell me everything');

  await expect.poll(async () => (await textsOf(fixture, id)).join(' ')).toBe(sentence.repeat(150).trimEnd());
  for (const text of await textsOf(fixture, id)) {
    expect(text.length).toBeLessThanOrEqual(2000);
    expect(text).toMatch(/^This.*chess\.$/);
  }
});

test('an answer pings no one', async () => {
  const [everyone, role, user] = ['@everyone @here', '<@&1202584131993600003>', '<@1202584131993600002>'];
  await using fixture = await openBot({ assistant: scriptedAssistant([`${everyone} ${role} ${user}`]) });

  const id = await ask(fixture, 'Ping them all');

  await expect.poll(() => textsOf(fixture, id)).toHaveLength(1);
  expect((await fixture.discord.messages()).map(({ pinged }) => pinged)).toEqual([{ everyone: false, roles: [], users: [] }]);
});

test.for([
  ['unavailable', undefined, /^The provider of the assistant reports an error/],
  ['rejected', CONVERSATION_TOO_LONG, /^The conversation is too long for the model\. Start a new conversation/],
  ['unanswered', undefined, /^The provider of the assistant did not complete the answer/],
] as const)('the failure of a model, %s because of %s, is shown only to the user', async ([fault, cause, message]) => {
  const failing = pushed();
  await using fixture = await openBot({ assistant: scriptedAssistant(failing.pieces) });

  const id = await ask(fixture, 'Hello?');
  failing.end(new PlatformError('it is down', { platform: 'openai', fault, cause }));

  await expect
    .poll(async () => (await fixture.reload(id)).followUps)
    .toMatchObject([{ ephemeral: true, content: expect.stringMatching(message) }]);
  await expect.poll(() => fixture.lines.filter((line) => line.includes('failed')).join()).toContain('reason=');
  expect((await fixture.reload(id)).message?.deletedAt).toBeDefined();
});

test('an empty answer ends the thinking indicator', async () => {
  await using fixture = await openBot({ assistant: scriptedAssistant([]) });

  const id = await ask(fixture, 'Hello?');

  await expect.poll(() => textsOf(fixture, id)).toEqual(['I have no answer to that.']);
});

test('a shutdown is reported to a waiting user', async () => {
  const ending = pushed();
  const stubborn: Assistant = {
    ...scriptedAssistant([]),
    async *ask({ signal }) {
      signal?.addEventListener('abort', () => ending.end(signal.reason as Error), { once: true }); // `abort()` has an Error as its reason
      yield* ending.pieces;
    },
  };
  await using fixture = await openBot({ assistant: stubborn });
  const id = await ask(fixture, 'Hello?');

  await fixture.bot[Symbol.asyncDispose]();

  expect((await fixture.reload(id)).followUps).toMatchObject([
    { ephemeral: true, content: 'The bot is being restarted. Ask again in a minute.' },
  ]);
  expect(fixture.lines.join('')).not.toContain('failed');
});
