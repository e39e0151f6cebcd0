import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/server.ts';
import { youtubeServer } from '#sandbox/youtube/server.ts';

const JUDGE = resolve('test/youtube-judge');

const Answer = z.object({ data: z.object({ items: z.array(z.record(z.string(), z.unknown())), nextPageToken: z.string().optional() }) });
type Call = (parameters: object) => Promise<unknown>;

/** The parts of Google's client that the test uses. */
interface GoogleYoutube {
  readonly channels: { list: Call };
  readonly videos: { list: Call };
  readonly search: { list: Call };
  readonly playlistItems: { list: Call };
}

/** Google's client of the sandbox. */
async function openJudge(apiUrl: string, key: string): Promise<GoogleYoutube> {
  if (!existsSync(join(JUDGE, 'node_modules'))) await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: JUDGE });
  const entry = pathToFileURL(join(JUDGE, 'node_modules/@googleapis/youtube/build/index.js')).href;
  const judge = (await import(/* @vite-ignore */ entry)) as { youtube: (options: object) => GoogleYoutube }; // not installed with the other packages
  // The client appends /youtube/v3 itself.
  return judge.youtube({ version: 'v3', auth: key, rootUrl: `${new URL(apiUrl).origin}/` });
}

test('Google’s client reads channels, videos, playlists and searches', { timeout: 300_000 }, async () => {
  await using sandbox = await startSandbox({ platforms: [youtubeServer] });
  const { YOUTUBE_API_URL: apiUrl = '', YOUTUBE_API_KEY: key = '' } = sandbox.onRequest['youtube'] ?? {};
  const judge = await openJudge(apiUrl, key);
  const read = async (answer: Promise<unknown>) => Answer.parse(await answer).data;

  const found = await read(
    judge.search.list({ part: ['snippet'], type: ['video'], eventType: 'live', order: 'viewCount', maxResults: 50 }),
  );
  const ids = found.items.map(({ id }) => z.object({ videoId: z.string() }).parse(id).videoId);
  const videos = await read(
    judge.videos.list({ part: ['snippet', 'liveStreamingDetails', 'contentDetails', 'statistics'], id: ids, maxResults: 50 }),
  );
  const [video] = videos.items;
  const { channelId } = z.object({ channelId: z.string() }).parse(video?.['snippet']);
  const channels = await read(judge.channels.list({ part: ['snippet', 'statistics'], id: [channelId] }));
  const list = await read(judge.playlistItems.list({ part: ['contentDetails'], playlistId: `UULF${channelId.slice(2)}` }));

  expect(ids).toHaveLength(50);
  expect(videos.items).toHaveLength(50);
  expect(video).toMatchObject({
    snippet: { liveBroadcastContent: 'live' },
    contentDetails: { duration: 'P0D' },
    liveStreamingDetails: { concurrentViewers: expect.stringMatching(/^\d+$/u) },
  });
  expect(channels.items).toMatchObject([{ id: channelId, snippet: { customUrl: expect.stringMatching(/^@/u) } }]);
  expect(list.items).toHaveLength(5);
  const refusal = await judge.playlistItems.list({ part: ['contentDetails'], playlistId: 'UULFnone' }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).toMatchObject({ status: 404 });
});
