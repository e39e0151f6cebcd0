import { expect, test } from 'vitest';
import type { AnswerOutcome } from '#src/admin/actions/delivery-actions.ts';
import { openQuestions } from '#src/discord/open-questions.ts';

const BY = { name: 'ada', via: 'discord', role: 'editor', id: '7' } as const;

const questions = (delivery: object | undefined, outcome?: unknown) =>
  openQuestions({
    deliveries: { find: async () => delivery as never }, // the fields that a question has
    actions: { answerDelivery: async () => outcome as AnswerOutcome }, // as above
  });

test.for([
  [{ do: 'discord.ask', params: { roles: ['Moderator', 7] } }, { roles: ['Moderator'] }],
  [{ do: 'discord.ask', params: {} }, { roles: undefined }],
  [{ do: 'discord.send', params: { roles: ['Moderator'] } }, undefined],
  [undefined, undefined],
] as const)('the roles that may answer %o are %o', async ([delivery, found]) => {
  expect(await questions(delivery).find('k')).toEqual(found);
});

test.for([
  ['unknown', undefined, undefined],
  ['closed', { refused: { kind: 'closed' } }, undefined],
  [
    'answered',
    { answered: { params: {}, result: { choice: 'send', by: { id: '7' } } } },
    { needed: 1, answers: [{ choice: 'send', person: '7' }] },
  ],
  [
    'answered after a pause',
    { answered: { params: {}, result: { choice: 'send', by: { id: '7' } }, message: 'why', reason: { kind: 'nextStepsWithdrawn' } } },
    { needed: 1, answers: [{ choice: 'send', person: '7' }], remark: { message: 'why', reason: { kind: 'nextStepsWithdrawn' } } },
  ],
  [
    'answered on the page',
    { answered: { params: {}, result: { choice: 'send', by: { platform: 'fanfare', id: 'ada-1', displayName: 'Ada' } } } },
    { needed: 1, answers: [{ choice: 'send', person: 'ada-1', name: 'Ada' }] },
  ],
  [
    'answered by one of two',
    { answered: { params: { answers: 2 }, result: { answers: [{ choice: 'send', by: { id: '7' } }] } } },
    { needed: 2, answers: [{ choice: 'send', person: '7' }] },
  ],
] as const)('an answer to a question that is %s', async ([, outcome, stored]) => {
  expect(await questions(undefined, outcome).onAnswer('k', { choice: 'send', by: BY })).toEqual(stored);
});
