// Installs the real server of the AT Protocol and lets the Bluesky adapter speak to it; ends with 0 where it cannot be installed, and says so.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
/** So long nobody waits for a server that is not ours. */
const INSTALL_MS = 4 * 60_000;

function run(command, args, { cwd, timeoutMs }) {
  return spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32', timeout: timeoutMs }).status === 0;
}

/** Whether its database can be loaded by the Node that will run it. */
function isThere() {
  const source = "new (require('better-sqlite3'))(':memory:').close()";
  return spawnSync(process.execPath, ['-e', source], { cwd: here, stdio: 'ignore' }).status === 0;
}

if (!isThere()) run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, timeoutMs: INSTALL_MS });

if (isThere()) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  if (!run(process.execPath, [vitest, 'run', '--config', 'test/pds/vitest.config.mjs'], { cwd: root })) process.exitCode = 1;
} else {
  console.log('The real PDS could not be installed here: the adapter was not tried against it.');
}
