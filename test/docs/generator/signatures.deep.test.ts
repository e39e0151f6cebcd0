import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { referencePages } from '../../../docs/generator/pages.ts';
import { allExamples, exampleModule, type Example } from '../../support/examples.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { clients, hasSignatures, signaturesOf } from './client-pages.ts';

const root = process.cwd();
const pages = await referencePages(root);
const examples = allExamples(root);

test.for([...pages].filter(([name]) => hasSignatures(name)))(
  'docs/reference/%s is up to date: `npm run docs` writes it',
  ([name, text]) => {
    expect(readFileSync(join(root, 'docs/reference', name), 'utf8')).toBe(text);
  },
);

test.for(clients)('$className has all methods on its pages, without `any` and `unknown`', ({ variable, folder }) => {
  const signatures = signaturesOf(pages, { variable, folder });
  const operations = examples.filter(({ client }) => client === variable).map(({ operation }) => operation);

  expect(operations.filter((name) => !signatures.some((signature) => signature.startsWith(`${name}(`)))).toEqual([]);
  expect(signatures.filter((signature) => /\b(any|unknown)\b/.test(signature))).toEqual([]);
});

// One run of the compiler, since it reads all sources each time.
test('the examples compile, and the signatures of the pages match the clients', () => {
  const written = examples.filter((example): example is Example => example.code !== undefined);
  const modules = clients.map(({ variable, className, folder, exports }): readonly [string, string] => [
    variable,
    `import type { ${className} } from '${root}/src/clients/${folder}/${variable}.ts';
       import type { ContainerPromise } from '${root}/src/index.ts';
       import type { ${Object.keys(exports).join(', ')} } from '${root}/src/clients/${folder}/index.ts';
       export interface Documented { ${signaturesOf(pages, { variable, folder }).join(';\n')} }
       export function asDocumented(client: ${className}): Documented { return client; }`,
  ]);

  expect(compile([['examples', exampleModule(root, written)], ...modules])).toBe('');
});

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
