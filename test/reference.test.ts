import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capabilityTables } from '#src/app/capability-tables.ts';
import { referencePages } from '#src/reference-pages.ts';
import * as social from '#src/social/index.ts';
import * as streaming from '#src/streaming/index.ts';
import { allExamples, exampleModule, type Example } from './support/examples.ts';
import { openStage, type ExampleStage } from './support/example-stage.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const root = process.cwd();
const pages = await referencePages(root);
const examples = allExamples(root);
const written = examples.filter((example): example is Example => example.code !== undefined);

test.for([...pages])('docs/reference/%s is up to date: `npm run docs` writes it', ([name, text]) => {
  expect(readFileSync(join(root, 'docs/reference', name), 'utf8')).toBe(text);
});

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

describe('the pages', () => {
  const clients = [
    { variable: 'bot', className: 'Bot', folder: 'streaming', exports: streaming },
    { variable: 'social', className: 'SocialAsync', folder: 'social', exports: social },
  ];
  let diagnostics = '';

  // One run of the compiler, since it reads all sources each time.
  beforeAll(() => {
    const modules = clients.map(({ variable, className, folder, exports }): readonly [string, string] => [
      variable,
      `import type { ${className} } from '${root}/src/${folder}/${variable}.ts';
       import type { ContainerPromise } from '${root}/src/index.ts';
       import type { ${Object.keys(exports).join(', ')} } from '${root}/src/${folder}/index.ts';
       export interface Documented { ${signaturesOf(variable, folder).join(';\n')} }
       export function asDocumented(client: ${className}): Documented { return client; }`,
    ]);
    diagnostics = compile([['examples', exampleModule(root, written)], ...modules]);
  }, 120_000);

  const diagnosticsOf = (module: string): readonly string[] => diagnostics.split('\n').filter((line) => line.includes(`${module}.ts(`));

  test('compile without diagnostics', () => {
    expect(diagnostics).toBe('');
  });

  test('have examples that compile', () => {
    expect(diagnosticsOf('examples')).toEqual([]);
  });

  test.for(clients)('of $className have signatures that match the client', ({ variable, folder }) => {
    const signatures = signaturesOf(variable, folder);
    const operations = examples.filter(({ client }) => client === variable).map(({ operation }) => operation);

    expect(diagnosticsOf(variable)).toEqual([]);
    expect(operations.filter((name) => !signatures.some((signature) => signature.startsWith(`${name}(`)))).toEqual([]);
    expect(signatures.filter((signature) => /\b(any|unknown)\b/.test(signature))).toEqual([]);
  });
});

/** The signatures of the methods of a client on its pages. */
function signaturesOf(variable: string, folder: string): readonly string[] {
  const texts = [...pages].flatMap(([name, text]) => (name.startsWith(`operations-${folder}-`) ? [text] : []));
  // The first block of a section is the call, the second the example.
  const blocks = texts.flatMap((text) =>
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => /^```ts\n(.*?)\n```/ms.exec(section)?.[1] ?? ''),
  );
  return blocks.flatMap((block) => block.split(`${variable}.`).slice(1)).map((signature) => signature.trim());
}

/** The diagnostics of the compiler for modules. */
function compile(modules: readonly (readonly [name: string, text: string])[]): string {
  using folder = temporaryFolder();
  const compilerOptions = { types: ['node'], typeRoots: [`${root}/node_modules/@types`], noUnusedLocals: false };
  for (const [name, text] of modules) writeFileSync(`${folder.path}/${name}.ts`, text);
  writeFileSync(`${folder.path}/package.json`, '{ "type": "module" }');
  const include = modules.map(([name]) => `${name}.ts`);
  writeFileSync(`${folder.path}/tsconfig.json`, JSON.stringify({ extends: `${root}/tsconfig.json`, compilerOptions, include }));

  const { status, stdout } = spawnSync(`${root}/node_modules/.bin/tsc`, ['-p', folder.path], { encoding: 'utf8' });
  return status === 0 ? '' : stdout || `tsc ended with ${status}`;
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
    '%s sends only the requests of its table to Twitch',
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
