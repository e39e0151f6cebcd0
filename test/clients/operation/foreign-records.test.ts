import { describe, expect, test } from 'vitest';
import { SocialAsync } from '#src/clients/social/social.ts';
import { bareSocial } from '../../support/bare-social.ts';
import { pagedBot } from '../../support/paged-bot.ts';

/** A record as a caller without types passes it. */
const record = (platform: string): never => ({ platform, id: '7', url: 'https://example.com/7' }) as never; // only these fields matter

describe('a record of another platform', () => {
  test.for([
    ['as the first argument', '', (social: SocialAsync) => social.deletePost(record('elsewhere'))],
    ['in a list', '1', (social: SocialAsync) => social.getUserInfo(['ada', record('elsewhere')])],
    ['in the options', 'replyTo', (social: SocialAsync) => social.createPost('hi', { replyTo: record('elsewhere') })],
  ] as const)('%s is an error before any request', async ([, path, write]) => {
    const asked: unknown[] = [];
    const ask = async (params: object): Promise<never> => {
      asked.push(params);
      throw new Error('the platform was asked');
    };
    const platform = bareSocial({ deletePost: ask, getUserInfo: ask, createPost: ask });
    const social = new SocialAsync({ platform });

    await expect(write(social)).rejects.toMatchObject({
      name: 'ValidationError',
      path,
      message: expect.stringMatching(new RegExp(`elsewhere.*${platform.name}`, 'u')),
    });
    expect(asked).toEqual([]);
  });

  test('is an error in a list of streamers', async () => {
    const { bot } = pagedBot({});
    await expect(bot.getStreams({ users: [record('elsewhere')] })).rejects.toMatchObject({ name: 'ValidationError', path: 'users.0' });
  });
});

test('a record of the same platform is used by its id', async () => {
  const deleted: string[] = [];
  const platform = bareSocial({ deletePost: async ({ post }) => deleted.push(post) > 0 });

  await new SocialAsync({ platform }).deletePost(record(platform.name));

  expect(deleted).toEqual(['7']);
});
