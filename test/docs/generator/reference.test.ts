import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capabilityTables } from '#src/app/capability-tables.ts';
import { referencePages } from '../../../docs/generator/pages.ts';
import { allExamples, type Example } from '../../support/examples.ts';
import { openStage, type ExampleStage } from '../../support/example-stage.ts';
import { hasSignatures } from './client-pages.ts';

const root = process.cwd();
// The compiler takes seconds: signatures.deep.test.ts compares the pages with signatures.
const pages = await referencePages(root, () => new Map());
const examples = allExamples(root);
const written = examples.filter((example): example is Example => example.code !== undefined);

test.for([...pages].filter(([name]) => !hasSignatures(name)))(
  'docs/reference/%s is up to date: `npm run docs` writes it',
  ([name, text]) => {
    expect(readFileSync(join(root, 'docs/reference', name), 'utf8')).toBe(text);
  },
);

test('docs/reference has no page of an operation that no longer exists', () => {
  const written = readdirSync(join(root, 'docs/reference')).filter((name) => name.startsWith('operations-'));
  expect(written.filter((name) => !pages.has(name))).toEqual([]);
});

test('every operation has an example', () => {
  expect(examples.filter(({ code }) => code === undefined).map(({ operation }) => operation)).toEqual([]);
});

test('a shipped rule names its schema', () => {
  const [first] = readFileSync(join(root, 'rules/live-card.yaml'), 'utf8').split('\n');

  expect(first).toBe('# yaml-language-server: $schema=../docs/reference/rule.schema.json');
});

describe('every example runs on the sandbox', () => {
  let stage: ExampleStage;
  beforeAll(async () => {
    stage = await openStage(root, written);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test.for(written.map((example) => [`${example.client}.${example.operation}`, example] as const))(
    '%s, and sends only the requests of its table to Twitch',
    async ([, example]) => {
      const table = capabilityTables
        .find(({ adapter }) => adapter === 'twitch')
        ?.rows.find((row) => row.operation.name === example.operation);
      const before = await stage.askedOfTwitch();

      await expect(stage.run(example)).resolves.toBeUndefined();

      const asked = [...(await stage.askedOfTwitch())].filter(([request, count]) => count > (before.get(request) ?? 0));
      expect(asked.length > 0).toBe(example.client === 'bot');
      expect(asked.map(([request]) => request).filter((request) => !table?.capability.endpoints?.includes(request))).toEqual([]);
    },
  );
});
