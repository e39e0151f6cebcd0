import { expect, test } from 'vitest';
import { printVariables } from '#src/cli/sandbox.ts';
import { collectLines } from './collect-lines.ts';

const sandbox = { environment: { TWITCH_CLIENT_ID: 'i' }, onRequest: { mastodon: { MASTODON_TOKEN: 't' } } };

test.for([
  { all: false, lines: 'TWITCH_CLIENT_ID=i\n# To use mastodon:\n# MASTODON_TOKEN=t' },
  { all: true, lines: 'TWITCH_CLIENT_ID=i\nMASTODON_TOKEN=t' },
])('the variables of platforms on request are comments, except with --all: $all', ({ all, lines }) => {
  const { out, text } = collectLines();

  printVariables(sandbox, { all, out });

  expect(text()).toBe(lines);
});
