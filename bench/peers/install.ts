import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const FOLDER = import.meta.dirname;

/** Installs the programs of other authors, which `npm ci` in the root folder does not do. */
export function installPeers(): void {
  if (existsSync(`${FOLDER}/node_modules/.package-lock.json`)) return;
  console.log('Installing Node-RED and json-rules-engine in bench/peers (120 MB) …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('npm ci failed in bench/peers');
}
