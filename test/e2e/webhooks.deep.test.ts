import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, launch } from '../support/fanfare-process.ts';
import { runCommand } from '../support/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RULE = `id: quiet
enabled: true
when: { cron: "0 0 1 1 *", timezone: UTC }
then: [{ do: discord.send, with: { channel: live, content: hello } }]
`;

test('a pause on the command line reaches a webhook of the running process, and a kill loses no event', async () => {
  using folder = temporaryFolder();
  const received: { readonly id: unknown; readonly type: unknown }[] = [];
  let requests = 0;
  let status = 204;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests++;
      const { type } = JSON.parse(body) as { readonly type: unknown }; // Fanfare sends an object
      if (status === 204) received.push({ id: request.headers['webhook-id'], type });
      response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`;
  await mkdir(join(folder.path, 'rules'));
  await writeFile(join(folder.path, 'rules', 'quiet.yaml'), RULE);
  await writeFile(
    join(folder.path, 'fanfare.yaml'),
    `webhooks:\n  ops: { url: '${url}', secret: '\${OPS_SECRET}', privateNetwork: true }\n`,
  );
  const environment = {
    FANFARE_RULES: 'rules',
    FANFARE_DATA: 'data',
    OPS_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  };
  const start = () => launch({ environment, cwd: folder.path });
  const fanfare = (...args: readonly string[]) => runCommand({ args, environment, cwd: folder.path });

  {
    await using process = await start();
    expect((await fanfare('pause', 'quiet')).code).toBe(0);
    await eventually('the pause', () => Promise.resolve(received.length === 1));
    status = 503;
    expect((await fanfare('resume', 'quiet')).code).toBe(0);
    await eventually('a refused event', () => Promise.resolve(requests >= 2));
    await process.kill();
  }
  status = 204;
  await using again = await start();
  await eventually('the event after the kill', () => Promise.resolve(received.length === 2));

  expect(received.map(({ type }) => type)).toEqual(['rule.paused', 'rule.resumed']);
  expect(new Set(received.map(({ id }) => id)).size).toBe(2);
  expect(again.output()).not.toContain('whsec_');
  server.close();
});
