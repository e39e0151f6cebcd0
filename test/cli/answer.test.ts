import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shownDelivery } from '#src/admin/queries/deliveries.ts';
import { answer, listQuestions } from '#src/cli/answer.ts';
import { quotedArgument } from '#src/cli/quoted-argument.ts';
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

test
  .runIf(process.platform !== 'win32')
  .for(['send', 'Not now, please?', '-1', "it's on", '$(echo taken) `echo taken`', '"$HOME" !', '“quoted” & 5 %'])(
  'the printed command for the answer %s can be copied, and a shell runs nothing in it',
  async (choice) => {
    const { out, text } = collectLines();
    const open = shownDelivery(
      storedDelivery({ id: 'question', do: 'discord.ask', state: 'asked', params: { content: 'Post it?', choices: [choice] } }),
      [],
    );
    await listQuestions({ lookup: { asked: () => Promise.resolve({ items: [open], more: false }) }, timezone: 'UTC', out });
    const [command = ''] = /fanfare answer .*/u.exec(text()) ?? [];

    const words = execFileSync('sh', ['-c', `fanfare() { printf '%s\\n' "$@"; }; ${command}`], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');

    expect(words.filter((word) => word !== '--')).toEqual(['answer', 'question', choice]);
  },
);

test.for([
  ['Not now, please?', '"Not now, please?"'],
  ['$(calc)', undefined],
  ['a & calc', undefined],
  ['‘; calc', undefined],
] as const)('on Windows, %s is %s in a command', ([word, shown]) => {
  expect(quotedArgument(word, 'win32')).toBe(shown);
});

test.for([String.raw`\'; touch taken #`, "'; touch $taken; '", '’ & touch taken #', String.raw`$HOME \ `])(
  'fish and PowerShell run nothing in %s, so no command has it',
  (word) => {
    expect(quotedArgument(word, 'linux')).toBe(undefined);
  },
);

test('a PowerShell script gets the end of the options before an answer', async () => {
  const { out, text } = collectLines();
  const open = shownDelivery(storedDelivery({ id: 'question', do: 'discord.ask', state: 'asked', params: { choices: ['-1', '$x'] } }), []);

  await listQuestions({ lookup: { asked: () => Promise.resolve({ items: [open], more: false }) }, timezone: 'UTC', out });

  expect(text()).toContain('fanfare answer question "--" "-1"');
});

test.for([true, false])('whether the list has more questions is %s in the text and the data', async (more) => {
  const { out, text } = collectLines();

  const { data } = await listQuestions({ lookup: { asked: () => Promise.resolve({ items: [question], more }) }, timezone: 'UTC', out });

  expect(data).toMatchObject({ more });
  expect(text().includes('older open questions')).toBe(more);
});

test.for([true, false])('whether the stream of a question is over is in the list: %s', async (isOver) => {
  const { out, text } = collectLines();
  const open = { ...question, ...(isOver && { isOver }) };

  const { data } = await listQuestions({ lookup: { asked: () => Promise.resolve({ items: [open], more: false }) }, timezone: 'UTC', out });

  expect(text().includes('The stream is over.')).toBe(isOver);
  expect(JSON.stringify(data).includes('"isOver":true')).toBe(isOver);
});
