import { expect, test } from 'vitest';
import { environmentSchema } from '#src/config/environment.ts';
import { pageFiles, readPage } from './pages.ts';

/** Variables of other programs, names that a page chooses, and values of parameters. */
const OTHERS = new Set([
  'COMPOSE_PROFILES',
  'GIT_COMMIT',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'MASTODON_DE_TOKEN',
  'NEW_DATABASE',
  'OPS_WEBHOOK_SECRET',
  'POSTGRES_PASSWORD',
  'STREAM_STARTED',
  'STREAM_STOPPED',
  'LAST_MONTH',
  'LAST_WEEK',
]);

/** The secret of a webhook, whose name the rule chooses. */
const SENDER_SECRET = /^FANFARE_WEBHOOK_[A-Z0-9_]+_(?:SECRET|TOKEN|HEADER)$/u;

const known = new Set(Object.keys(environmentSchema().properties ?? {}));

/** The names with an underscore, which only variables have. */
function variablesIn(file: string): readonly string[] {
  return [...readPage(file).text.matchAll(/(?<![\w$.])[A-Z][A-Z\d]*_[A-Z\d_]*[A-Z\d](?!\w)/gu)].map(([name]) => name);
}

test('the variables that pages name exist', () => {
  const named = pageFiles()
    .filter((file) => !file.startsWith('docs/reference/'))
    .flatMap((file) => variablesIn(file).map((name) => ({ file, name })));

  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ name }) => !known.has(name) && !OTHERS.has(name) && !SENDER_SECRET.test(name))).toEqual([]);
});
