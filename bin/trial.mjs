// Starts a build on the sandbox and ends after its first poll and its connection to Discord. At the end, Node writes the compiled code of the modules to its cache.
import { setTimeout as sleep } from 'node:timers/promises';
import module from 'node:module';
import { createServer } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { request } from 'undici';

const [, , build, directory] = process.argv;
const AFTER_FIRST_POLL_MS = 1000;

module.enableCompileCache(`${build}/cache`);
const port = await freePort();
// Credentials of the person who builds are no part of a trial.
process.chdir(directory);
for (const name of Object.keys(process.env)) delete process.env[name];
Object.assign(process.env, {
  PORT: String(port),
  FANFARE_DATA: directory,
  FANFARE_RULES: fileURLToPath(new URL('../rules', import.meta.url)),
});

const { main } = await import(pathToFileURL(`${build}/main.js`).href);
let hasEnded = false;
const running = Promise.resolve(main([process.execPath, 'fanfare', 'start'])).finally(() => (hasEnded = true));
await Promise.race([running, untilUsed().then(() => sleep(AFTER_FIRST_POLL_MS))]);
// Not `process.kill`, which on Windows ends a process before it can react.
process.emit('SIGTERM');
await running;

/** Resolves when a rule has polled and Discord is connected, or when Fanfare has ended, so that nothing keeps this process. */
async function untilUsed() {
  for (const [path, text] of [
    ['/api/decisions', '"rule"'],
    ['/readyz', '"ready":true'],
  ]) {
    while (!hasEnded && !(await textAt(path)).includes(text)) await sleep(50);
  }
}

async function textAt(path) {
  try {
    return await (await request(`http://127.0.0.1:${port}${path}`)).body.text();
  } catch {
    // The server does not listen yet.
    return '';
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: free } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return free;
}
