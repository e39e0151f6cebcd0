// Bundles Fanfare and its packages into dist/. See docs/decisions/0045-the-build.md.
import { spawn } from 'node:child_process';
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreshBuild, inputsIn } from './fresh-build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

/** Older builds stay, because a running process may still load a chunk of its build. */
const KEPT_BUILDS = 3;
/** A build of another process may still be under way. */
const LONGEST_BUILD_MS = 10 * 60_000;
/** Two edits within one tick of the file system's clock have the same time. */
const TICK_MS = 100;
const LONGEST_TRIAL_MS = 60_000;

const isOptional = process.argv.includes('--optional');
const bundleInto = await loadBundler();
if (bundleInto && !findFreshBuild(root)) await build();

/** The bundler. It is a development dependency, so an installation for production has none. */
async function loadBundler() {
  try {
    return (await import('./bundle.mjs')).bundleInto;
  } catch (error) {
    if (!isOptional || error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.error('fanfare: the development dependencies are not installed, so nothing was built; Fanfare runs from its sources');
  }
}

/** Writes a new folder. `dist/build.json` names it when it is complete, so an unfinished build never runs. */
async function build() {
  mkdirSync(dist, { recursive: true });
  await untilStamped(inputsIn(root));
  const inputs = inputsIn(root);
  const folder = `${Date.now().toString(36)}-${process.pid}`;
  const output = join(dist, folder);
  await bundleInto(output, { main: 'src/main.ts' });
  await fillCompileCache(output);
  if (JSON.stringify(inputsIn(root)) !== JSON.stringify(inputs)) {
    rmSync(output, { recursive: true });
    console.error('fanfare: a source file changed during the build, so it starts again');
    return build();
  }
  writeFileSync(join(output, 'build.json'), JSON.stringify({ folder, inputs }));
  // After a power failure, the file must not name files that were never written.
  for (const entry of ['', ...readdirSync(output, { recursive: true })]) sync(join(output, entry));
  renameSync(join(output, 'build.json'), join(dist, 'build.json'));
  sync(dist);
  removeOldBuilds();
}

/** Writes a file or the entries of a folder to the disk. Windows cannot open folders. */
function sync(path) {
  if (process.platform === 'win32' && statSync(path).isDirectory()) return;
  const file = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  fsyncSync(file);
  closeSync(file);
}

/** Waits until an edit gets a new time. After a clock was set back, a time may be in the future; an edit then gets an earlier one. */
async function untilStamped(inputs) {
  const newestMs = Math.max(...inputs.map(([, stamp]) => Number(stamp.split(' ')[2])));
  const leftMs = newestMs + TICK_MS - Date.now();
  if (leftMs > 0 && leftMs <= TICK_MS) await sleep(leftMs);
}

/** Runs the build on the sandbox until its first poll, so that V8 keeps the compiled code of a start. */
async function fillCompileCache(output) {
  const directory = mkdtempSync(join(tmpdir(), 'fanfare-build-'));
  const args = ['--max-semi-space-size=1', fileURLToPath(new URL('./trial.mjs', import.meta.url)), output, directory];
  const child = spawn(process.execPath, args, { stdio: 'ignore', timeout: LONGEST_TRIAL_MS });
  const [code] = await new Promise((resolve, reject) => child.once('error', reject).once('close', (...result) => resolve(result)));
  rmSync(directory, { recursive: true, force: true });
  if (code !== 0) console.error('fanfare: the trial start of the build failed, so the first start takes longer');
}

function removeOldBuilds() {
  const builds = readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ path: join(dist, name), sinceMs: statSync(join(dist, name)).mtimeMs }))
    .toSorted((a, b) => b.sinceMs - a.sinceMs);
  for (const { path, sinceMs } of builds.slice(KEPT_BUILDS)) {
    if (Date.now() - sinceMs > LONGEST_BUILD_MS) rmSync(path, { recursive: true, force: true });
  }
}
