// Proves what the Dockerfile installs, without Docker: runs its `npm ci` line in a copy, and sends a picture through the media path there.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n');
const install = lines.find((line) => line.startsWith('RUN npm ci'))?.slice('RUN '.length);
const copied = lines.filter((line) => line.startsWith('COPY ')).map((line) => line.split(/\s+/u).slice(1, -1));
const from = lines.findIndex((line) => line.startsWith('RUN npm ci'));
const before = lines.slice(0, from).filter((line) => line.startsWith('COPY ')).length;
if (install === undefined || before === 0) throw new Error('The Dockerfile has no line that begins with RUN npm ci, behind a COPY');

const app = mkdtempSync(join(tmpdir(), 'fanfare-image-'));
try {
  copy(copied.slice(0, before));
  // The line also empties npm's cache, so this copy has a separate cache.
  run('sh', ['-c', install], { NODE_ENV: 'production', npm_config_cache: join(app, '.npm') });
  copy(copied.slice(before));
  run(process.execPath, ['--input-type=module', '--eval', sendPicture()]);
  run(process.execPath, ['bin/fanfare.mjs', '--version']);
} finally {
  rmSync(app, { recursive: true, force: true });
}

function copy(groups) {
  for (const path of groups.flat()) cpSync(join(root, path), join(app, path), { recursive: true });
}

function run(command, args, environment = {}) {
  const { status } = spawnSync(command, args, { cwd: app, stdio: 'inherit', env: { ...process.env, ...environment } });
  if (status !== 0) throw new Error(`With what the Dockerfile installs, ${command} ended with ${status}`);
}

/** Reads a picture that is too wide for a platform, as a post with files does. */
function sendPicture() {
  return `
    import sharp from 'sharp';
    import { readMedium } from './src/media/read-medium.ts';
    const wide = await sharp({ create: { width: 64, height: 8, channels: 3, background: '#9147ff' } }).png().toBuffer();
    const limits = { platform: 'image', mostBytes: { image: 1_000_000 }, longestSide: 32 };
    const { type, width, height } = await readMedium({ bytes: wide, name: 'wide.png' }, { limits });
    if (type !== 'image/png' || width !== 32 || height !== 4) throw new Error(\`the picture became \${type} of \${width}x\${height}\`);
    console.log('The image posts pictures: 64x8 was made 32x4.');
  `;
}
