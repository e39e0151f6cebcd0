import { expect, test } from 'vitest';
import type { Exchange } from '../../support/script-http.ts';
import { describes, scriptMastodon, statusRow } from './script-mastodon.ts';

const HOME = 'GET /api/v1/timelines/home?limit=40';

/** The headers of a response about the tightest limit. */
function rates(remaining: number, reset: string): Record<string, string> {
  return { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': reset };
}

test('after too many pages, posts and first pages are still allowed', async () => {
  const link = '<https://social.example/api/v1/timelines/home?limit=40&max_id=9>; rel="next"';
  const first: Exchange = [HOME, { json: [statusRow('9')], headers: { link, ...rates(290, '2026-11-20T18:05:00.000000Z') } }];
  const second: Exchange = [`${HOME}&max_id=9`, { json: [statusRow('8')], headers: rates(0, '2026-11-20T18:15:00.000000Z') }];
  await using scripted = await scriptMastodon([first, second, describes(), ['POST /api/v1/statuses', { json: statusRow('10') }], first]);
  const read = { timelineType: 'HomeLatestTimeline', waitTime: 0 } as const;

  await scripted.social.getHomeTimeline({ ...read, pages: 2 });
  const post = await scripted.social.createPost('We are live');
  const again = scripted.social.getHomeTimeline({ ...read, pages: 2 });

  expect(post.id).toBe('10');
  // Only the second page waits.
  await expect(Array.fromAsync(again)).rejects.toMatchObject({
    fault: 'rateLimited',
    sentNothing: true,
    retryAt: new Date('2026-11-20T18:15:00Z'),
  });
});

test('after too many requests, further pages wait too', async () => {
  const spent: Exchange = [HOME, { json: [statusRow('9')], headers: rates(0, '2026-11-20T18:05:00.000000Z') }];
  await using scripted = await scriptMastodon([spent]);

  const { items } = await scripted.social.getHomeTimeline({ timelineType: 'HomeLatestTimeline' });
  const next = scripted.platform.operations.getHomeTimeline?.({ timelineType: 'HomeLatestTimeline' }, { cursor: 'max_id=9' });

  expect(items.length).toBe(1);
  await expect(next).rejects.toMatchObject({ fault: 'rateLimited' });
});
