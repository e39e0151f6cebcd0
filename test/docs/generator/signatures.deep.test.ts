import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { referencePages } from '../../../docs/generator/pages.ts';
import { allExamples, exampleModule, type Example } from '../../support/examples.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { clients, signaturesOf } from './client-pages.ts';

const root = process.cwd();

// One run of the compiler, since it reads all sources each time.
test('the examples compile, and the signatures of the pages match the clients', async () => {
  const pages = await referencePages(root);
  const written = allExamples(root).filter((example): example is Example => example.code !== undefined);
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
