import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { filesFrom } from '#src/http/media/fetch-file.ts';

const PATIENCE_MS = 60_000;

/** Called when a piece of the file extends the idle limit. */
let onPiece: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const start = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((...limit: Parameters<typeof setTimeout>) => {
    const timer = start(...limit);
    const refresh = timer.refresh.bind(timer);
    return Object.assign(timer, { refresh: () => (onPiece(), refresh()) });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Sends a piece of the file, and lets time pass after it has arrived. */
async function send(response: ServerResponse, piece: string, passMs: number): Promise<void> {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  onPiece = resolve;
  response.write(piece);
  await arrived;
  vi.advanceTimersByTime(passMs);
}

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
    for (let piece = 0; piece < 8; piece++) await send(response, String(piece), PATIENCE_MS - 1);
    response.end();
  });

  expect(content).toBe('01234567');
});

test('a file without further pieces fails', async () => {
  const fetched = fetchedFrom((response) => send(response, '0', PATIENCE_MS));

  await expect(fetched).rejects.toThrow(/^The file at 127\.0\.0\.1 cannot be attached: it takes too long\.$/);
});
