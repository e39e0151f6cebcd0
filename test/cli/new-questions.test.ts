import { expect, test } from 'vitest';
import { whomQuestion } from '#src/cli/new-questions.ts';

test('the address of a channel becomes its name', () => {
  expect(whomQuestion('live').read('https://www.twitch.tv/ada, @grace, kick.com/linus, margaret')).toEqual({
    value: ['ada', 'grace', 'linus', 'margaret'],
  });
  expect(whomQuestion('posts').read('@ada@example.social')).toEqual({ value: ['ada@example.social'] });
});
