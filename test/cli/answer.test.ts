import { expect, test } from 'vitest';
import { shownDelivery } from '#src/admin/queries/deliveries.ts';
import { answer } from '#src/cli/answer.ts';
import { storedDelivery } from '../support/stored-delivery.ts';
import { collectLines } from './collect-lines.ts';

const question = shownDelivery(storedDelivery({ id: 'question', do: 'discord.ask', account: 'discord' }), []);

test.for([
  ['sent', 'top, post: discord.ask through discord is answered: send.'],
  ['asked', 'Your answer to top, post: discord.ask through discord is stored: send. The question waits for the answers of other people.'],
] as const)('after an answer, a question that is %s has this line', async ([state, line]) => {
  const { out, text } = collectLines();

  await answer({
    lookup: { named: () => Promise.resolve([question]) },
    running: { post: (_path, _body, schema) => Promise.resolve(schema.parse({ state })) },
    delivery: 'question',
    choice: 'send',
    text: undefined,
    out,
  });

  expect(text()).toBe(line);
});
