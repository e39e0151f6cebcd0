import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { answerButtonId, LONGEST_KEY, FREE_TEXT, parseAnswerButtonId } from '#src/clients/chat/answer-ids.ts';

const key = fc.string({ minLength: 1, maxLength: LONGEST_KEY });
const place = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(FREE_TEXT));

test('an id contains the question and the button, within the length limit', () => {
  fc.assert(
    fc.property(key, place, (question, button) => {
      const id = answerButtonId(question, button);

      expect(parseAnswerButtonId(id)).toEqual({ key: question, place: button });
      expect(id.length).toBeLessThanOrEqual(100);
    }),
  );
});

test.for(['', 'answer:', 'answer::0', 'answer:k:5x', 'answer:k:', 'other:k:0', `answer:${'k'.repeat(81)}:0`])(
  '%j is the id of no answer',
  (id) => {
    expect(parseAnswerButtonId(id)).toBeUndefined();
  },
);
