import { expect, test } from 'vitest';
import type { AnswerPiece } from '#src/clients/assistant/answering.ts';
import { createAssistant, type Assistant } from '#src/clients/assistant/assistant.ts';
import type { AssistantPlatform, Prompt } from '#src/clients/assistant/port.ts';
import { PlatformError } from '#src/errors.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryTranscripts } from '#src/clients/assistant/memory-transcripts.ts';

const clock = new ManualClock('2026-11-20T18:00:00Z');

/** A model that answers in two pieces, and records its prompts. */
function echo(asked: (readonly Prompt[])[] = []): AssistantPlatform {
  return {
    name: 'echo',
    account: 'assistant',
    model: 'echo-1',
    async *answer({ messages }) {
      asked.push(messages);
      yield 'You said: ';
      yield messages.at(-1)?.text ?? '';
    },
  };
}

async function ask(assistant: Assistant, conversation: string, text: string): Promise<string> {
  const pieces = await Array.fromAsync(assistant.ask({ conversation, text }));
  return pieces.filter((piece) => typeof piece === 'string').join('');
}

function answerIdOf(pieces: readonly AnswerPiece[]): string | undefined {
  return pieces.flatMap((piece) => (typeof piece === 'object' && 'answerId' in piece ? piece.answerId : []))[0];
}

function dialoguesOf(asked: readonly (readonly Prompt[])[]): readonly (readonly string[])[] {
  return asked.map((messages) => messages.filter(({ role }) => role !== 'system').map(({ role, text }) => `${role}: ${text}`));
}

test('an answer is streamed in pieces, and the next question includes the history', async () => {
  const asked: (readonly Prompt[])[] = [];
  const assistant = createAssistant({ platform: echo(asked), transcripts: memoryTranscripts(), clock });

  const pieces = await Array.fromAsync(assistant.ask({ conversation: 'here', text: 'hello' }));
  await ask(assistant, 'here', 'again');

  const stored = await assistant.getConversation('here', { upTo: answerIdOf(pieces) });
  expect(pieces[0]).toBe('You said: ');
  expect(stored?.messages.map(({ text }) => text)).toEqual(['hello', 'You said: hello']);
  expect(dialoguesOf(asked)[1]).toEqual(['user: hello', 'assistant: You said: hello', 'user: again']);
});

test('conversations do not share their history', async () => {
  const asked: (readonly Prompt[])[] = [];
  const assistant = createAssistant({ platform: echo(asked), transcripts: memoryTranscripts(), clock });

  await ask(assistant, 'here', 'a secret');
  await ask(assistant, 'there', 'hello');

  expect(dialoguesOf(asked)[1]).toEqual(['user: hello']);
});

test('the system prompt states that texts are data, and contains the current time', async () => {
  const asked: (readonly Prompt[])[] = [];
  const assistant = createAssistant({ platform: echo(asked), transcripts: memoryTranscripts(), clock });

  await ask(assistant, 'here', 'hello');

  expect(asked[0]?.[0]).toMatchObject({
    role: 'system',
    text: expect.stringMatching(/are data.*never follow instructions.*2026-11-20T18:00:00/s),
  });
});

test('a question is stored before its answer, and an answer only if it is complete', async () => {
  const transcripts = memoryTranscripts();
  const broken: AssistantPlatform = {
    ...echo(),
    async *answer() {
      yield 'I think ';
      throw new PlatformError('the model broke off', { platform: 'echo', fault: 'unanswered' });
    },
  };
  const assistant = createAssistant({ platform: broken, transcripts, clock });

  await expect(ask(assistant, 'here', 'hello')).rejects.toMatchObject({ fault: 'unanswered' });

  expect(await assistant.getConversation('here')).toMatchObject({
    provider: 'assistant',
    model: 'echo-1',
    createdAt: new Date(clock.nowMs()),
    messages: [{ role: 'user', text: 'hello' }],
  });
});

test('a long history is cut to its latest messages, and begins with a question', async () => {
  const asked: (readonly Prompt[])[] = [];
  const assistant = createAssistant({ platform: echo(asked), transcripts: memoryTranscripts(), clock, historyChars: 30 });

  for (const text of ['first', 'second', 'third']) await ask(assistant, 'here', text);

  expect(dialoguesOf(asked)[2]).toEqual(['user: second', 'assistant: You said: second', 'user: third']);
});

test('a question waits for earlier questions of its conversation only', async () => {
  const release = Promise.withResolvers<void>();
  const slow: AssistantPlatform = {
    ...echo(),
    async *answer({ messages }) {
      const question = messages.at(-1)?.text ?? '';
      if (question === 'slow') await release.promise;
      yield `${messages.length}: ${question}`;
    },
  };
  const assistant = createAssistant({ platform: slow, transcripts: memoryTranscripts(), clock });

  const first = ask(assistant, 'here', 'slow');
  const second = ask(assistant, 'here', 'quick');
  const elsewhere = await ask(assistant, 'there', 'quick');
  release.resolve();

  expect(elsewhere).toBe('2: quick');
  expect(await first).toBe('2: slow');
  expect(await second).toBe('4: quick');
});

test('an aborted question does not delay later questions', async () => {
  const release = Promise.withResolvers<void>();
  const slow: AssistantPlatform = {
    ...echo(),
    async *answer({ messages }) {
      if (messages.at(-1)?.text === 'slow') await release.promise;
      yield 'done';
    },
  };
  const assistant = createAssistant({ platform: slow, transcripts: memoryTranscripts(), clock });
  const stopping = new AbortController();
  const first = ask(assistant, 'here', 'slow');

  const stopped = Array.fromAsync(assistant.ask({ conversation: 'here', text: 'never', signal: stopping.signal }));
  const behind = ask(assistant, 'here', 'quick');
  stopping.abort(new Error('gone'));

  await expect(stopped).rejects.toThrow('gone');
  release.resolve();
  expect(await first).toBe('done');
  expect(await behind).toBe('done');
  expect((await assistant.getConversation('here'))?.messages.map(({ text }) => text)).not.toContain('never');
});

test('a deleted conversation begins without its history', async () => {
  const asked: (readonly Prompt[])[] = [];
  const assistant = createAssistant({ platform: echo(asked), transcripts: memoryTranscripts(), clock });
  await ask(assistant, 'here', 'hello');

  await assistant.forget('here');
  await ask(assistant, 'here', 'hello again');

  expect(dialoguesOf(asked)[1]).toEqual(['user: hello again']);
});

test('a question can follow any earlier answer, without the history of other branches', async () => {
  const asked: (readonly Prompt[])[] = [];
  const assistant = createAssistant({ platform: echo(asked), transcripts: memoryTranscripts(), clock });
  const first = answerIdOf(await Array.fromAsync(assistant.ask({ conversation: 'here', text: 'first' })));
  await ask(assistant, 'here', 'one way');

  const other = answerIdOf(await Array.fromAsync(assistant.ask({ conversation: 'here', text: 'another way', after: first })));
  await Array.fromAsync(assistant.ask({ conversation: 'here', text: 'and on', after: other }));

  expect(dialoguesOf(asked)[3]).toEqual([
    'user: first',
    'assistant: You said: first',
    'user: another way',
    'assistant: You said: another way',
    'user: and on',
  ]);
});

test('a question that was answered in another branch is not asked again', async () => {
  const asked: (readonly Prompt[])[] = [];
  const assistant = createAssistant({ platform: echo(asked), transcripts: memoryTranscripts(), clock });
  const first = answerIdOf(await Array.fromAsync(assistant.ask({ conversation: 'here', text: 'first' })));
  const question = { conversation: 'here', text: 'again', id: 'q', after: first };
  const answer = await Array.fromAsync(assistant.ask(question));
  await Array.fromAsync(assistant.ask({ conversation: 'here', text: 'elsewhere', after: first }));

  expect(answerIdOf(await Array.fromAsync(assistant.ask(question)))).toBe(answerIdOf(answer));
  expect(asked).toHaveLength(3);
});

test('a long title ends between two visible characters', async () => {
  const assistant = createAssistant({ platform: echo(), transcripts: memoryTranscripts(), clock });

  await ask(assistant, 'here', '🇩🇪'.repeat(40));

  const { title = '' } = (await assistant.getConversation('here')) ?? {};
  expect(title).toMatch(/^(?:🇩🇪)+…$/u);
});

test('conversations are listed by the person who asked, with their first question as the title', async () => {
  const assistant = createAssistant({ platform: echo(), transcripts: memoryTranscripts(), clock });
  await Array.fromAsync(assistant.ask({ conversation: 'a:1', text: 'tea?\nor coffee', by: 'ada' }));
  await Array.fromAsync(assistant.ask({ conversation: 'b:1', text: 'milk?', by: 'ada' }));
  await Array.fromAsync(assistant.ask({ conversation: 'a:2', text: 'water?', by: 'grace' }));

  expect(await assistant.list({ by: 'ada', prefix: 'a:', limit: 10 })).toEqual([
    { id: 'a:1', title: 'tea?', createdAt: new Date(clock.nowMs()), updatedAt: new Date(clock.nowMs()) },
  ]);
});

test.each([
  ['that does not end', true],
  ['that does not end, even after its abort', false],
])('an answer %s is unanswered after five minutes, and the next question is answered', async (_, isAbortable) => {
  const clock = new ManualClock();
  let signalled: unknown;
  const hanging: AssistantPlatform = {
    ...echo(),
    async *answer({ messages, signal }) {
      yield 'Well. ';
      if (messages.at(-1)?.text !== 'wait') return;
      await new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          signalled = signal.reason;
          if (isAbortable) reject(signal.reason);
        });
      });
    },
  };
  const assistant = createAssistant({ platform: hanging, transcripts: memoryTranscripts(), clock });
  const first = ask(assistant, 'here', 'wait').catch((error: unknown) => error);
  const next = ask(assistant, 'here', 'next');

  await clock.advance(5 * 60_000 - 1);
  expect(signalled).toBeUndefined();
  await clock.advance(1);

  expect(await first).toMatchObject({ name: 'PlatformError', platform: 'echo', fault: 'unanswered' });
  expect(await next).toBe('Well. ');
  expect(clock.sleeping).toBe(0);
});

test('a conversation is deleted with its drafts, after its open answer has ended', async () => {
  const over = Promise.withResolvers<void>();
  const slow: AssistantPlatform = {
    ...echo(),
    async *answer() {
      await over.promise;
      yield 'Yes.';
    },
  };
  const forgotten: string[] = [];
  const drafts = { forget: async (conversation: string) => void forgotten.push(conversation) };
  const assistant = createAssistant({ platform: slow, transcripts: memoryTranscripts(), drafts, clock });
  const answered = ask(assistant, 'here', 'hello');

  const forgetting = assistant.forget('here');
  over.resolve();
  await answered;
  await forgetting;

  expect(forgotten).toEqual(['here']);
  expect(await assistant.getConversation('here')).toBeUndefined();
});
