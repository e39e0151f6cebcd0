import { expect, test } from 'vitest';
import { systemClock, type Clock } from '#src/clock.ts';
import type { Assistant, Question } from '#src/assistant/assistant.ts';
import { PlatformError } from '#src/errors.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openBot, type BotGround } from './open-bot.ts';

/** A bot whose second is short. */
const quick: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };

/** An assistant that says these pieces, each when it is asked for, and remembers the questions. */
function saying(pieces: AsyncIterable<string> | Iterable<string>, questions: Question[] = []): Assistant {
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

async function ask(ground: BotGround, text: string, channel = 'general'): Promise<string> {
  const { id } = await ground.command('ask', { text }, { channel, waitMs: 0 });
  return id;
}

async function textsOf(ground: BotGround, id: string): Promise<readonly string[]> {
  const { message, followUps } = await ground.look(id);
  return [message, ...followUps].flatMap((each) => (each && !each.loading && each.deletedAt === undefined ? [each.content] : []));
}

test('/ask answers with what the model says, from the real model of the sandbox', async () => {
  await using ground = await openBot();

  const id = await ask(ground, 'Hello, who are you?');

  await expect
    .poll(() => textsOf(ground, id), { timeout: 8_000 })
    .toEqual([expect.stringMatching(/^Hello! I am the assistant of the sandbox.*streamer\.$/)]);
  expect(await ground.look(id)).toMatchObject({ deferred: true, ephemeral: false });
});

test('each channel is a conversation of its own', async () => {
  const questions: Question[] = [];
  await using ground = await openBot({ clock: quick, assistant: saying(['Yes.'], questions) });

  for (const channel of ['general', 'live', 'general']) {
    const id = await ask(ground, `Asked in ${channel}`, channel);
    await expect.poll(() => textsOf(ground, id), { timeout: 4_000 }).toEqual(['Yes.']);
  }

  const [general, live, again] = questions.map(({ conversation }) => conversation);
  expect(again).toBe(general);
  expect(live).not.toBe(general);
});

test('an answer grows while it is written, and changes once a second at the most', async () => {
  const clock = new ManualClock();
  const model = pushed();
  await using ground = await openBot({ clock, assistant: saying(model.pieces) });
  const id = await ask(ground, 'Tell me a story');

  await model.push('Once ');
  await expect.poll(() => textsOf(ground, id)).toEqual(['Once']);
  for (const word of ['upon ', 'a ', 'time ']) await model.push(word);
  await expect.poll(() => clock.sleeping).toBe(1);
  const early = await textsOf(ground, id);
  await clock.advance(1_000);
  await expect.poll(() => textsOf(ground, id)).toEqual(['Once upon a time']);
  await model.push('there ');
  await model.push('was ');
  model.end();
  await expect.poll(() => clock.sleeping).toBe(1);
  const held = await textsOf(ground, id);
  await clock.advance(1_000);

  expect(early).toEqual(['Once']);
  expect(held).toEqual(['Once upon a time']);
  await expect.poll(() => textsOf(ground, id)).toEqual(['Once upon a time there was']);
});

test('a long answer goes on in further messages, cut at the ends of sentences', async () => {
  const sentence = 'This is a sentence about chess. ';
  await using ground = await openBot({ clock: quick, assistant: saying([sentence.repeat(150)]) });

  const id = await ask(ground, 'Tell me everything');

  await expect.poll(async () => (await textsOf(ground, id)).join(' ')).toBe(sentence.repeat(150).trimEnd());
  for (const text of await textsOf(ground, id)) {
    expect(text.length).toBeLessThanOrEqual(2000);
    expect(text).toMatch(/^This.*chess\.$/);
  }
});

test('whatever the model says, nobody is pinged', async () => {
  const [everyone, role, user] = ['@everyone @here', '<@&1202584131993600003>', '<@1202584131993600002>'];
  await using ground = await openBot({ assistant: saying([`${everyone} ${role} ${user}`]) });

  const id = await ask(ground, 'Ping them all');

  await expect.poll(() => textsOf(ground, id)).toHaveLength(1);
  expect((await ground.discord.messages()).map(({ pinged }) => pinged)).toEqual([{ everyone: false, roles: [], users: [] }]);
});

test('a model that fails at once is told to the asker alone', async () => {
  const failing = pushed();
  await using ground = await openBot({ assistant: saying(failing.pieces) });

  const id = await ask(ground, 'Hello?');
  failing.end(new PlatformError('it is down', { platform: 'openai', fault: 'unavailable' }));

  await expect
    .poll(async () => (await ground.look(id)).followUps)
    .toMatchObject([{ ephemeral: true, content: 'The assistant does not answer as it should. Try again in a minute.' }]);
  await expect.poll(() => ground.lines.filter((line) => line.includes('failed')).join()).toContain('reason=');
  expect((await ground.look(id)).message?.deletedAt).toBeDefined();
});

test('a model that says nothing is not left thinking', async () => {
  await using ground = await openBot({ assistant: saying([]) });

  const id = await ask(ground, 'Hello?');

  await expect.poll(() => textsOf(ground, id)).toEqual(['I have no answer to that.']);
});

test('who waits for an answer when the bot goes offline is told so', async () => {
  const ending = pushed();
  const stubborn: Assistant = {
    ...saying([]),
    async *ask({ signal }) {
      signal?.addEventListener('abort', () => ending.end(signal.reason as Error), { once: true }); // what `abort()` gives is an Error
      yield* ending.pieces;
    },
  };
  await using ground = await openBot({ assistant: stubborn });
  const id = await ask(ground, 'Hello?');

  await ground.bot[Symbol.asyncDispose]();

  expect((await ground.look(id)).followUps).toMatchObject([
    { ephemeral: true, content: 'The bot is being restarted. Ask again in a minute.' },
  ]);
  expect(ground.lines.join('')).not.toContain('failed');
});
