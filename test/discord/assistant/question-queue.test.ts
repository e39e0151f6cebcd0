import { expect, test } from 'vitest';
import { activeQuestions, ConversationForgotten } from '#src/discord/assistant/question-queue.ts';

test('closing a conversation aborts its questions and new ones until it is disposed of', () => {
  const asked = activeQuestions();
  using before = asked.enter('c1');
  using elsewhere = asked.enter('c2');
  const over = asked.enter('c1');
  over[Symbol.dispose]();

  const [first, second] = [asked.close('c1'), asked.close('c1')];
  first[Symbol.dispose]();
  using whileClosed = asked.enter('c1');
  second[Symbol.dispose]();
  using after = asked.enter('c1');

  expect([before, elsewhere, over, whileClosed, after].map(({ signal }) => signal.aborted)).toEqual([true, false, false, true, false]);
  expect(before.signal.reason).toBeInstanceOf(ConversationForgotten);
});
