// Runs before and after `npm pack`: the package contains the build and the bundled library, without sources. `npm pack` restores package.json.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleInto } from './bundle.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = join(root, 'package.json');
const original = join(root, 'dist/package.json');

// A killed `npm pack` leaves the other one, which has no scripts.
if (existsSync(original) && JSON.parse(readFileSync(manifest, 'utf8')).scripts === undefined) renameSync(original, manifest);
if (process.argv[2] === 'prepare') await prepare();

async function prepare() {
  const { status } = spawnSync(process.execPath, [join(root, 'bin/build.mjs')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
  rmSync(join(root, 'dist/library'), { recursive: true, force: true });
  const adapters = readdirSync(join(root, 'adapters')).filter((name) => existsSync(join(root, 'adapters', name, 'index.ts')));
  await bundleInto(join(root, 'dist/library'), {
    index: 'src/index.ts',
    streaming: 'src/streaming/index.ts',
    social: 'src/social/index.ts',
    sandbox: 'sandbox/index.ts',
    ...Object.fromEntries(adapters.map((name) => [`adapters/${name}`, `adapters/${name}/index.ts`])),
  });
  const { folder } = JSON.parse(readFileSync(join(root, 'dist/build.json'), 'utf8'));
  const { name, version, description, license, bin, type, engines, dependencies, optionalDependencies } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  );
  cpSync(manifest, original);
  const packed = {
    name,
    version,
    description,
    license,
    type,
    bin,
    engines,
    optionalDependencies,
    files: [
      'bin/fanfare.mjs',
      'bin/fresh-build.mjs',
      'contrib',
      'rules',
      'dist/build.json',
      `dist/${folder}`,
      `!dist/${folder}/cache`,
      'dist/library',
    ],
    exports: {
      '.': './dist/library/index.js',
      './streaming': './dist/library/streaming.js',
      './social': './dist/library/social.js',
      './sandbox': './dist/library/sandbox.js',
      './adapters/*': './dist/library/adapters/*.js',
    },
    // The bundle contains all others.
    dependencies: { sharp: dependencies.sharp },
  };
  writeFileSync(manifest, `${JSON.stringify(packed, undefined, 2)}\n`);
}
