import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { sourceToWrite } from '#src/admin/scaffold/source-to-write.ts';

const RULE = 'id: a\nabout: b # why\n\nwhen: { every: 5m, with: { users: [ada, Grace] } }\nthen: []\n';

test('with real accounts, a rule is written unchanged', () => {
  expect(sourceToWrite(RULE, { sandbox: 'none' })).toBe(RULE);
});

test.for(['inside', 'outside'] as const)('with the sandbox (%s), one line is added', (sandbox) => {
  expect(sourceToWrite(RULE, { sandbox })).toBe(
    RULE.replace('about:', 'enabled: sandbox # written on the sandbox; true runs it with real accounts\nabout:'),
  );
});

test.for([
  ['a rule with enabled: true', 'id: a\nenabled: true # now\nthen: []\n'],
  ['a rule with a quoted key', 'id: a\n"enabled": true\nthen: []\n'],
  ['a rule in one line', '{ id: a, then: [] }\n'],
  ['a rule in JSON', '{"id": "a", "then": []}'],
  ['an indented rule', '  id: a\n  then: []\n'],
  ['a rule with markers and comments', '# first\n---\n# second\nid: a\n# third\nthen: []\n...\n'],
  ['a rule with line breaks of Windows', 'id: a\r\nthen: []\r\n'],
  ['a rule with text that looks like keys', 'id: a\nabout: |\n  then: no\n  enabled: true\nthen: []\n'],
] as const)('%s runs only on the sandbox', ([, source]) => {
  const written: unknown = parse(sourceToWrite(source, { sandbox: 'inside' }));

  expect(written).toEqual({ ...(parse(source) as object), enabled: 'sandbox' }); // each is a map
});
