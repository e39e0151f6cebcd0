import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { inspectMedia } from '#src/http/media/medium.ts';
import { startSandbox } from '../../index.ts';
import { draw } from '../../twitch/pictures.ts';
import { twitchServer } from '../../twitch/server.ts';
import { helixUser } from '../../../test/support/sandbox-helix.ts';

describe('pictures', () => {
  test('a thumbnail loads in the requested size, with a cache-busting parameter', async () => {
    await using sandbox = await startSandbox({ platforms: [twitchServer] });
    const { data } = await (await helixUser(sandbox)).get('/streams?first=1');
    const url = String(data[0]?.['thumbnail_url']).replace('{width}', '1280').replace('{height}', '720');

    const answer = await fetch(`${url}?t=1`);

    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(await inspectMedia(new Uint8Array(await answer.arrayBuffer()))).toMatchObject({ type: 'image/jpeg', width: 1280, height: 720 });
    const drawing = await fetch(url, { headers: { accept: 'image/avif,image/svg+xml,*/*;q=0.8' } });
    expect([drawing.status, drawing.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await drawing.text()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1280" height="720"/);
  });

  test.each(['live_user_ada-{width}x{height}.jpg', 'live_user_ada-0x720.jpg', 'live_user_ada-99999x720.jpg', 'live_user_ada.jpg'])(
    '%s is not a picture',
    async (file) => {
      await using sandbox = await startSandbox({ platforms: [twitchServer] });

      expect((await fetch(`${sandbox.url}/twitch/pictures/preview/${encodeURIComponent(file)}`)).status).toBe(404);
    },
  );

  test('a key determines the picture', () => {
    const picture = { key: 'a', label: 'Ada', width: 300, height: 300 };

    expect(draw(picture)).toBe(draw(picture));
    expect(draw({ ...picture, key: 'b' })).not.toBe(draw(picture));
  });

  test('a label is escaped', () => {
    expect(draw({ key: 'a', label: '<script>"&', width: 10, height: 10 })).toContain('&#60;script&#62;&#34;&#38;');
  });
});
