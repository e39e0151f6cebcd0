import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { filesFrom } from '#src/http/media/fetch-file.ts';

const PATIENCE_MS = 300;

async function fetchedFrom(answer: (response: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer((_, response) => void answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const fetchFile = filesFrom({ platform: 'x', mostBytes: 1_000, accountOrigin: `http://127.0.0.1:${port}`, patienceMs: PATIENCE_MS });
  try {
    return Buffer.from((await fetchFile(`http://127.0.0.1:${port}/clip.mp4`)).bytes).toString();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('a slow file can take longer than the idle limit', async () => {
  const content = await fetchedFrom(async (response) => {
    for (let piece = 0; piece < 8; piece++) {
      response.write(String(piece));
      // Real time, because the test is about time limits.
      await pause(PATIENCE_MS / 4);
    }
    response.end();
  });

  expect(content).toBe('01234567');
});

test('a file without further pieces fails', async () => {
  const fetched = fetchedFrom(async (response) => {
    response.write('0');
  });

  await expect(fetched).rejects.toThrow(/^The file at 127\.0\.0\.1 cannot be attached: it takes too long\.$/);
});
