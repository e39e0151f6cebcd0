// Starts a build on the sandbox and ends after its first poll. At the end, Node writes the compiled code of the modules to its cache.
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
const running = main([process.execPath, 'fanfare', 'start']);
await Promise.race([running, untilPolled().then(() => sleep(AFTER_FIRST_POLL_MS))]);
process.kill(process.pid, 'SIGTERM');
await running;

async function untilPolled() {
  for (;;) {
    await sleep(50);
    const body = await request(`http://127.0.0.1:${port}/api/decisions`).then(
      (answer) => answer.body.text(),
      () => '',
    );
    if (body.includes('"rule"')) return;
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: free } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return free;
}
