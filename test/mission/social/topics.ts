import { expect } from 'vitest';
import type { Choice } from '#src/social/arguments.ts';
import type { Topic } from '#src/social/records/discovery.ts';
import { answers, one, row, walks, type Case, type Row } from '../rows.ts';
import type { SocialGround } from './ground.ts';
import { isStart, postFacts, posts, seenPost } from './world/posts.ts';

const PAGE = 20;

const forms: Readonly<Record<string, (ground: SocialGround) => Choice<Topic> | Promise<Choice<Topic>>>> = {
  'topic_id: str': () => 'glitch',
  'topic_id: str, a hashtag': () => '#Glitch',
  'topic_id: Topic': ({ client }) => client.getTopic('glitch'),
};

/** The posts with the very hashtag, newest first. */
function tagged(ground: SocialGround, tag: string) {
  return posts(ground).filter(({ text }) =>
    text
      .toLowerCase()
      .match(/#[\p{L}\p{N}_]+/gu)
      ?.includes(tag),
  );
}

/** A number alone is no hashtag, so that no topic has one: what comes back says so. */
function noNumber(call: (ground: SocialGround, topic: number) => PromiseLike<unknown>): Case<SocialGround> {
  return one({
    form: 'topic_id: int, which none has',
    async prove(ground) {
      await expect(call(ground, 7)).rejects.toMatchObject({ fault: 'missing' });
    },
  });
}

export function topicRows(): readonly Row<SocialGround>[] {
  return [
    row<SocialGround>(
      'get_topic',
      answers(forms, {
        call: ({ client }, topic) => client.getTopic(topic),
        seen: ({ id, kind, name, description, postCount }) => ({ id, kind, name, description, postCount }),
        holds: (ground) => ({
          id: 'glitch',
          kind: 'hashtag',
          name: '#glitch',
          description: undefined,
          postCount: tagged(ground, '#glitch').length,
        }),
      }),
      answers(
        { 'topic_id: str, of a game': () => '#superMARIOworld' },
        {
          call: ({ client }, topic) => client.getTopic(topic),
          seen: ({ id, name, description, postCount }) => ({ id, name, description, postCount }),
          holds: (ground) => ({
            id: 'supermarioworld',
            name: '#SuperMarioWorld',
            description: 'All about Super Mario World.',
            postCount: tagged(ground, '#supermarioworld').length,
          }),
        },
      ),
      noNumber(({ client }, topic) => client.getTopic(topic)),
    ),
    row<SocialGround>(
      'get_topic_posts',
      walks(forms, {
        get: ({ client }, topic, walk) => client.getTopicPosts(topic, walk),
        iter: ({ client }, topic, walk) => client.iterTopicPosts(topic, walk),
        holds: (ground) => tagged(ground, '#glitch').filter(isStart).map(postFacts),
        seen: seenPost,
        page: PAGE,
      }),
      walks(
        { 'replies: true': () => 'glitch' },
        {
          get: ({ client }, topic, walk) => client.getTopicPosts(topic, { ...walk, replies: true }),
          iter: ({ client }, topic, walk) => client.iterTopicPosts(topic, { ...walk, replies: true }),
          holds: (ground) => tagged(ground, '#glitch').map(postFacts),
          seen: seenPost,
          page: PAGE,
        },
      ),
      noNumber(({ client }, topic) => client.getTopicPosts(topic)),
    ),
  ];
}
