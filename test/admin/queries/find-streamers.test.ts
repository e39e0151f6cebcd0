import { expect, test } from 'vitest';
import { readNames } from '#src/admin/queries/find-streamers.ts';

const ID = 'UCAbcdefghijklmnopqrst-_';

test.for([
  ['@Ada', [{ handle: 'ada' }]],
  ['- ada\n* @grace\n• linus\n1. 42', [{ handle: 'ada' }, { handle: 'grace' }, { handle: 'linus' }, { handle: '42' }]],
  ['Ada and Grace & linus', [{ handle: 'ada' }, { handle: 'grace' }, { handle: 'linus' }]],
  ['Ada, Grace, und linus', [{ handle: 'ada' }, { handle: 'grace' }, { handle: 'linus' }]],
  ['and', [{ handle: 'and' }]],
  ['ada\n1. and\ngrace', [{ handle: 'ada' }, { handle: 'and' }, { handle: 'grace' }]],
  ['ada, und; grace', [{ handle: 'ada' }, { handle: 'und' }, { handle: 'grace' }]],
  ['ada and\ngrace\nund linus', [{ handle: 'ada' }, { handle: 'grace' }, { handle: 'linus' }]],
  ['ada, & grace', [{ handle: 'ada' }, { handle: 'grace' }]],
  ['https://www.twitch.tv/Ada?sr=a', [{ handle: 'ada', platform: 'twitch' }]],
  [
    'kick.com/Ada twitch.tv/channel',
    [
      { handle: 'ada', platform: 'kick' },
      { handle: 'channel', platform: 'twitch' },
    ],
  ],
  ['https://www.youtube.com/@Ada/videos', [{ handle: 'ada', platform: 'youtube' }]],
  [`https://www.youtube.com/channel/${ID}`, [{ handle: ID, platform: 'youtube' }]],
  [ID, [{ handle: ID }]],
  ['https://m.youtube.com/c/Ada', [{ handle: 'ada', platform: 'youtube' }]],
  ['https://www.youtube.com/watch?v=abc', [{ handle: 'https://www.youtube.com/watch?v=abc' }]],
  ['youtube.com/live/abc', [{ handle: 'youtube.com/live/abc' }]],
  ['https://www.twitch.tv/team/nightshift', [{ handle: 'https://www.twitch.tv/team/nightshift' }]],
  ['twitch.tv/popout/ada/chat', [{ handle: 'twitch.tv/popout/ada/chat' }]],
  ['<https://www.twitch.tv/Ada>', [{ handle: 'ada', platform: 'twitch' }]],
  ['https://www.twitch.tv/videos/1', [{ handle: 'https://www.twitch.tv/videos/1' }]],
  [
    'youtube.com/@live/streams kick.com/video',
    [
      { handle: 'live', platform: 'youtube' },
      { handle: 'video', platform: 'kick' },
    ],
  ],
  ['youtube.com/channel', [{ handle: 'channel', platform: 'youtube' }]],
  ['b twitch.tv/a @A B, a', [{ handle: 'b' }, { handle: 'a', platform: 'twitch' }, { handle: 'a' }]],
] as const)('%s names a streamer', ([text, names]) => {
  expect(readNames(text)).toMatchObject(names);
  expect(readNames(text)).toHaveLength(names.length);
});
