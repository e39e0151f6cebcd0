import { expect, test } from 'vitest';
import { Forgotten, underWay } from '#src/discord/assistant/under-way.ts';

test('who is in a conversation that is closed is ended, and so is who enters it until that is over; nobody else is', () => {
  const asked = underWay();
  using before = asked.enter('c1');
  using elsewhere = asked.enter('c2');
  const over = asked.enter('c1');
  over[Symbol.dispose]();

  const [first, second] = [asked.close('c1'), asked.close('c1')];
  first[Symbol.dispose]();
  using meanwhile = asked.enter('c1');
  second[Symbol.dispose]();
  using after = asked.enter('c1');

  expect([before, elsewhere, over, meanwhile, after].map(({ signal }) => signal.aborted)).toEqual([true, false, false, true, false]);
  expect(before.signal.reason).toBeInstanceOf(Forgotten);
});
