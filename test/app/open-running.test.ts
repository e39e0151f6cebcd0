import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openRunning } from '#src/app/open-running.ts';
import { openState } from '#src/app/stored-state.ts';
import { openConfig } from '#src/config/open-config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the token of a command is deleted when the command ends', async () => {
  using folder = temporaryFolder();
  const authorizations: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    authorizations.push(headers.authorization);
    response.setHeader('Content-Type', 'application/json').end('{"isDone":true}');
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on a port has no other address
  const environment = {
    FANFARE_DATA: folder.path,
    HOST: '0.0.0.0',
    FANFARE_ALLOWED_HOSTS: 'fanfare.example',
    PORT: String(port),
  };
  const config = openConfig(environment);
  await (await openState(config))[Symbol.asyncDispose]();

  const running = openRunning(environment, { name: 'ada', via: 'cli', role: 'admin' });
  await running.post('/api/rules/a/run', {}, z.object({ isDone: z.boolean() }));

  // The first request asks whether the process works.
  expect(authorizations).toEqual([undefined, expect.stringMatching(/^Bearer \S+$/u)]);
  await using store = await openState(config);
  expect(await (await store.openAccess()).apiTokens.list()).toEqual([]);
  const audited = (await store.auditLog.list({})).items.map(({ action }) => action);
  expect(audited.toSorted()).toEqual(['createToken', 'revokeToken']);
});
