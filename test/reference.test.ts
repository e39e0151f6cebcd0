import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capabilityTables } from '#src/app/capability-tables.ts';
import { referenceFiles } from '#src/app/reference/reference.ts';
import * as social from '#src/social/index.ts';
import * as streaming from '#src/streaming/index.ts';
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
  const { status, stdout } = compile(exampleModule(root, written));

  expect(status, stdout).toBe(0);
});

test.for([
  { page: 'bot.md', variable: 'bot', className: 'Bot', folder: 'streaming', file: 'bot', exports: streaming },
  { page: 'social.md', variable: 'social', className: 'SocialAsync', folder: 'social', file: 'social', exports: social },
])('every call in $page compiles, and the client has it', (told) => {
  const signatures = signaturesOn(told.page, told.variable);
  const operations = examples.filter(({ client }) => client === told.variable).map(({ operation }) => operation);

  const { status, stdout } = compile(`
    import type { ${told.className} } from '${root}/src/${told.folder}/${told.file}.ts';
    import type { ContainerPromise } from '${root}/src/index.ts';
    import type { ${Object.keys(told.exports).join(', ')} } from '${root}/src/${told.folder}/index.ts';
    export interface Told { ${signatures.join(';\n')} }
    export function asTold(client: ${told.className}): Told { return client; }
  `);

  expect(status, stdout).toBe(0);
  expect(operations.filter((name) => !signatures.some((signature) => signature.startsWith(`${name}(`)))).toEqual([]);
  expect(signatures.filter((signature) => /\b(any|unknown)\b/.test(signature))).toEqual([]);
});

/** What a page says of how the methods of a client are called. */
function signaturesOn(page: string, client: string): readonly string[] {
  const text = referenceFiles(root).get(page) ?? '';
  // The first block of a section is the call, the second the example.
  const blocks = text.split(/^### /m).map((section) => /^```ts\n(.*?)\n```/ms.exec(section)?.[1] ?? '');
  return blocks
    .slice(1)
    .flatMap((block) => block.split(`${client}.`).slice(1))
    .map((signature) => signature.trim());
}

/** What the compiler says of a module. */
function compile(text: string): { readonly status: number | null; readonly stdout: string } {
  using folder = temporaryFolder();
  const compilerOptions = { types: ['node'], typeRoots: [`${root}/node_modules/@types`], noUnusedLocals: false };
  writeFileSync(`${folder.path}/examples.ts`, text);
  writeFileSync(`${folder.path}/package.json`, '{ "type": "module" }');
  writeFileSync(
    `${folder.path}/tsconfig.json`,
    JSON.stringify({ extends: `${root}/tsconfig.json`, compilerOptions, include: ['examples.ts'] }),
  );

  return spawnSync(`${root}/node_modules/.bin/tsc`, ['-p', folder.path], { encoding: 'utf8' });
}

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
