// Runs before and after `npm pack`: the package contains the build and the bundled library, without sources. `npm pack` restores package.json.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleInto } from './bundle.mjs';
import { declareTypes } from './declare-types.mjs';
import { writeLicenses } from './licenses.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = join(root, 'package.json');
const original = join(root, 'dist/package.json');
/** The oldest Node that runs a build, as in bin/fanfare.mjs. */
const OLDEST_NODE = '22.19';
/** The types of the library name these packages, so users need them too. */
const TYPED_PACKAGES = ['zod'];

// A killed `npm pack` leaves the other one, which has no scripts.
if (existsSync(original) && JSON.parse(readFileSync(manifest, 'utf8')).scripts === undefined) renameSync(original, manifest);
if (process.argv[2] === 'prepare') await prepare();

async function prepare() {
  const { status } = spawnSync(process.execPath, [join(root, 'bin/build.mjs')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
  const { folder } = JSON.parse(readFileSync(join(root, 'dist/build.json'), 'utf8'));
  const { dependencies, ...project } = JSON.parse(readFileSync(manifest, 'utf8'));
  await buildLibrary();
  writeLicenses(join(root, 'dist/licenses.txt'));
  cpSync(manifest, original);
  writeFileSync(manifest, `${JSON.stringify(packedManifest(project, { dependencies, folder }), undefined, 2)}\n`);
}

/** Bundles the library in `dist/library`, and declares its types in `dist/types`. */
async function buildLibrary() {
  const entries = Object.fromEntries(Object.entries(sourcesOfLibrary()).map(([name, folder]) => [name, `${folder}/index.ts`]));
  for (const part of ['library', 'types']) rmSync(join(root, 'dist', part), { recursive: true, force: true });
  await bundleInto(join(root, 'dist/library'), entries, { external: TYPED_PACKAGES, isReadable: true });
  declareTypes(join(root, 'dist/types'), Object.values(entries), { packages: TYPED_PACKAGES });
}

/** The folder of each entry of the library. */
function sourcesOfLibrary() {
  const adapters = readdirSync(join(root, 'adapters')).filter((name) => existsSync(join(root, 'adapters', name, 'index.ts')));
  return {
    index: 'src',
    streaming: 'src/clients/streaming',
    social: 'src/clients/social',
    sandbox: 'sandbox',
    ...Object.fromEntries(adapters.map((name) => [`adapters/${name}`, `adapters/${name}`])),
  };
}

function packedManifest(project, { dependencies, folder }) {
  const { scripts: _scripts, private: _private, imports: _imports, devDependencies: _dev, overrides: _overrides, ...kept } = project;
  // Only a clone installs Node: docs/decisions/0075-the-package-without-node.md
  const { allowScripts: _allowed, optionalDependencies: _node, ...published } = kept;
  return {
    ...published,
    engines: { node: `>=${OLDEST_NODE}` },
    files: [
      'bin/fanfare.mjs',
      'bin/fresh-build.mjs',
      'contrib',
      ...trackedRules(),
      'dist/build.json',
      `dist/${folder}`,
      `!dist/${folder}/cache`,
      'dist/library',
      'dist/types',
      'dist/licenses.txt',
      'CHANGELOG.md',
    ],
    exports: {
      ...Object.fromEntries(Object.entries(sourcesOfLibrary()).map(toExport)),
      // TypeScript writes these paths into the declarations of projects that export an inferred type.
      './types/*': { types: './dist/types/*.d.ts' },
      './package.json': './package.json',
    },
    dependencies: {
      // Any version, so that users keep a single copy of these global types.
      '@types/node': '*',
      // The bundles contain all others.
      ...Object.fromEntries(['sharp', ...TYPED_PACKAGES].map((name) => [name, dependencies[name]])),
    },
  };
}

/** The example rules. The folder also has the rules of the installation in this clone, which are nobody else's business. */
function trackedRules() {
  const { stdout, status } = spawnSync('git', ['ls-files', '-z', 'rules'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error('git cannot list the example rules');
  return stdout.split('\0').filter((name) => name !== '');
}

/** The types come first, because the first condition that applies is used. */
function toExport([name, folder]) {
  const condition = { types: `./dist/types/${folder}/index.d.ts`, default: `./dist/library/${name}.js` };
  return [name === 'index' ? '.' : `./${name}`, condition];
}
