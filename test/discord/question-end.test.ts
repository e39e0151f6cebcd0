import { expect, test } from 'vitest';
import { questionEnd } from '#src/discord/question-end.ts';

const by = (displayName: string) => ({ platform: 'discord', id: displayName, handle: displayName, displayName });
const ADA = { choice: 'send', by: by('Ada') };
const GRACE = { choice: 'drop', by: by('Grace') };
const TWO = { answers: 2 };

test.for([
  ['that a person answered', { result: { id: '1/2', ...ADA } }, ['Ada'], true],
  ['that no one answered', { result: { id: '1/2' } }, [], false],
  ['for two members that one member answered', { params: TWO, result: { id: '1/2', answers: [ADA] } }, ['Ada'], false],
  ['whose members disagree', { params: TWO, result: { id: '1/2', answers: [ADA, GRACE] } }, ['Ada', 'Grace'], true],
] as const)('a question %s', ([, { result, ...question }, people, isAnswered]) => {
  const end = questionEnd({ params: undefined, ...question, result });

  expect([end.answers.map(({ person }) => person), end.isAnswered, end.isRuleDeleted]).toEqual([people, isAnswered, false]);
});

test('a question whose rule was deleted', () => {
  const end = questionEnd({ params: undefined, result: { id: '1/2' }, reason: { kind: 'ruleDeleted' } });

  expect(end).toEqual({ answers: [], isAnswered: false, isRuleDeleted: true, isWithdrawn: false });
});

test('a question that was answered after a pause withdrew what follows', () => {
  const because = { kind: 'rulePaused', by: 'Ada' } as const;
  const end = questionEnd({ params: undefined, result: { id: '1/2', ...ADA }, reason: { kind: 'nextStepsWithdrawn', because } });

  expect(end).toMatchObject({ isAnswered: true, isWithdrawn: true });
});
