import { expect, test } from 'vitest';
import { wrap } from '#src/rules/messages/wrap.ts';

test.for<readonly [line: string, wrapped: readonly string[]]>([
  ['the rule is paused', ['the rule is paused']],
  ['the rule of this delivery is paused or deleted', ['the rule of this delivery is', '  paused or deleted']],
  ['the rule is paused: fanfare resume live. Then send it', ['the rule is paused:', '  fanfare resume live. Then', '  send it']],
  ['see https://example.org/a/long/address/of/a/page for it', ['see', '  https://example.org/a/long/address/of/a/page', '  for it']],
  ['run this command: sudo chown fanfare data/fanfare.sqlite', ['run this command:', '  sudo chown fanfare data/fanfare.sqlite']],
  ['the people of Fanfare read the texts', ['the people of Fanfare read the', '  texts']],
])('%s in 30 columns', ([line, wrapped]) => {
  expect(wrap(line, { indent: 2, columns: 30 }).split('\n')).toEqual(wrapped);
});
