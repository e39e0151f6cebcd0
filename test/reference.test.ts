import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capabilityTables } from '#src/app/capability-tables.ts';
import { referenceFiles } from '#src/app/reference/reference.ts';
import { allExamples, exampleModule, type Example } from './support/examples.ts';
import { openStage, type ExampleStage } from './support/example-stage.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const root = process.cwd();
const examples = allExamples(root);
const written = examples.filter((example): example is Example => example.code !== undefined);

test.for([...referenceFiles(root)])('docs/reference/%s is what the declarations say: `npm run docs` writes it', ([name, text]) => {
  expect(readFileSync(join(root, 'docs/reference', name), 'utf8')).toBe(text);
});

test('every operation has an example', () => {
  expect(examples.filter(({ code }) => code === undefined).map(({ operation }) => operation)).toEqual([]);
});

test('every rule that ships names the schema that completes it', () => {
  const [first] = readFileSync(join(root, 'rules/live-card.yaml'), 'utf8').split('\n');

  expect(first).toBe('# yaml-language-server: $schema=../docs/reference/rule.schema.json');
});

test('every example compiles as it stands', () => {
  using folder = temporaryFolder();
  const compilerOptions = { types: ['node'], typeRoots: [`${root}/node_modules/@types`], noUnusedLocals: false };
  writeFileSync(`${folder.path}/examples.ts`, exampleModule(root, written));
  writeFileSync(`${folder.path}/package.json`, '{ "type": "module" }');
  writeFileSync(
    `${folder.path}/tsconfig.json`,
    JSON.stringify({ extends: `${root}/tsconfig.json`, compilerOptions, include: ['examples.ts'] }),
  );

  const { status, stdout } = spawnSync(`${root}/node_modules/.bin/tsc`, ['-p', folder.path], { encoding: 'utf8' });

  expect(status, stdout).toBe(0);
});

describe('every example runs on the sandbox', () => {
  let stage: ExampleStage;
  beforeAll(async () => {
    stage = await openStage(root, written);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test.for(written.map((example) => [`${example.client}.${example.operation}`, example] as const))('%s', async ([, example]) => {
    await expect(stage.run(example)).resolves.toBeUndefined();
  });

  test.for(written.filter(({ client }) => client === 'bot').map((example) => [example.operation, example] as const))(
    '%s asks of Twitch what its table says, and nothing else',
    async ([operation, example]) => {
      const table = capabilityTables.find(({ adapter }) => adapter === 'twitch')?.rows.find((row) => row.operation.name === operation);
      const before = await stage.askedOfTwitch();

      await stage.run(example);

      const asked = [...(await stage.askedOfTwitch())].filter(([request, count]) => count > (before.get(request) ?? 0));
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.map(([request]) => request).filter((request) => !table?.capability.endpoints?.includes(request))).toEqual([]);
    },
  );
});
