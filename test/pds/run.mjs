// Installs the real server of the AT Protocol and lets the Bluesky adapter speak to it; ends with 0 where it cannot be installed, and says so.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
/** So long nobody waits for a server that is not ours. */
const INSTALL_MS = 4 * 60_000;
const isWindows = process.platform === 'win32';

/** What is compiled has to be compiled for the Node that runs it: its headers came with it. */
const node = dirname(dirname(process.execPath));
const headers = existsSync(join(node, 'include', 'node', 'node.h')) ? { npm_config_nodedir: node } : {};

function run(command, args, { cwd, timeoutMs }) {
  // npm compiles for the Node that it runs on.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, ...headers, PATH };
  return spawnSync(command, args, { cwd, env, stdio: 'inherit', shell: isWindows, timeout: timeoutMs }).status === 0;
}

/** Whether what was compiled can be loaded by the Node that will run it. */
function isThere() {
  const source = "new (require('better-sqlite3'))(':memory:').close()";
  return spawnSync(process.execPath, ['-e', source], { cwd: here, stdio: 'ignore' }).status === 0;
}

/** Newer versions of npm install without running scripts: what has to be compiled is asked for by name. */
function install() {
  const patience = { cwd: here, timeoutMs: INSTALL_MS };
  if (!run('npm', ['ci', '--no-audit', '--no-fund'], patience)) return false;
  return isThere() || (run('npm', ['rebuild', 'better-sqlite3', '--build-from-source'], patience) && isThere());
}

if (!isThere() && !install()) {
  console.log('The real PDS could not be installed here: the adapter was not tried against it.');
} else {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  if (!run(process.execPath, [vitest, 'run', '--config', 'test/pds/vitest.config.mjs'], { cwd: root })) process.exitCode = 1;
}
