import { PassThrough, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { prompter } from '#src/cli/prompter.ts';
import { collectLines } from './collect-lines.ts';

test('the screen shows a secret neither while typing nor in the history', async () => {
  let shown = '';
  const screen = new Writable({
    write(piece: Buffer, _encoding, done) {
      shown += piece.toString();
      done();
    },
  });
  const input = Object.assign(new PassThrough(), { isTTY: true });
  using asking = prompter({ input, out: collectLines().out, screen });

  const secret = asking.ask({ text: 'Secret', isSecret: true, read: (value) => ({ value }) });
  input.write('hunter2\r');
  expect(await secret).toBe('hunter2');

  const name = asking.ask({ text: 'Name', read: (value) => ({ value }) });
  input.write('\u001B[A');
  await setImmediate();
  input.write('ada\r');

  expect(await name).toBe('ada');
  expect(shown).toContain('ada');
  expect(shown).not.toContain('hunter2');
});
