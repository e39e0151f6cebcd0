import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startApp } from '#src/app/app.ts';
import { startInside } from '#src/app/sandbox.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { ConfigError } from '#src/errors.ts';
import { startSandbox } from '#sandbox/index.ts';
import { getJson } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Requests = z.object({ items: z.array(z.unknown()) });

test('a port that is in use ends the start before any request to a platform', async () => {
  using folder = temporaryFolder({ inMemory: true });
  await using sandbox = await startSandbox();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const environment = { ...sandbox.environment, PORT: String(port), FANFARE_DATA: join(folder.path, 'data') };

  await expect(startApp({ environment, write: () => undefined, color: false })).rejects.toThrow(ConfigError);
  other.close();

  expect(Requests.parse(await getJson(`${sandbox.url}/control/requests`)).items).toEqual([]);
});

test('beside a free port, the sandbox has a free port', async () => {
  using folder = temporaryFolder({ inMemory: true });
  await using stack = new AsyncDisposableStack();

  const { sandboxUrl } = await startInside(configOfEnvironment({ PORT: '0', FANFARE_DATA: folder.path }), stack);

  expect(Number(new URL(sandboxUrl).port)).toBeGreaterThan(1023);
});

test('a key that is too short stops a start before it creates something', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const environment = { FANFARE_DATA: data, FANFARE_KEY: 'too short', PORT: '0' };

  await expect(startApp({ environment, write: () => undefined, color: false })).rejects.toMatchObject({
    message: 'the key has fewer than 24 characters',
    file: 'FANFARE_KEY',
  });

  expect(existsSync(data)).toBe(false);
});
