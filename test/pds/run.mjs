// Installs the real server of the AT Protocol and runs the Bluesky adapter against it. Fails if the server cannot be installed.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
/** The deadline of the installation. */
const INSTALL_MS = 4 * 60_000;

function run(command, args, { cwd, timeoutMs }) {
  return spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32', timeout: timeoutMs }).status === 0;
}

/** Whether this Node can load the database module of the server. */
function isThere() {
  const source = "new (require('better-sqlite3'))(':memory:').close()";
  return spawnSync(process.execPath, ['-e', source], { cwd: here, stdio: 'ignore' }).status === 0;
}

if (!isThere()) run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, timeoutMs: INSTALL_MS });

if (isThere()) {
  if (!run(process.execPath, ['bin/test.mjs', '--config', 'test/pds/vitest.config.mjs'], { cwd: root })) process.exitCode = 1;
} else {
  process.exitCode = 1;
  console.log('The real PDS could not be installed. The adapter was not tested against it.');
}
