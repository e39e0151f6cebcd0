import { expect } from 'vitest';
import type { Choice } from '#src/social/arguments.ts';
import type { Post } from '#src/social/records/post.ts';
import type { SocialAsync } from '#src/social/social.ts';
import { changes, one, row, type Row } from '../rows.ts';
import { postForms } from './forms.ts';
import type { SocialGround } from './ground.ts';
import { ME } from './installation/past.ts';
import { posts, hasReaction, stands, writtenPost } from './world/posts.ts';

type Call = (client: SocialAsync, post: Choice<Post>) => Promise<boolean>;

interface PostChange {
  readonly of: 'byAccount' | 'other';
  /** What was said before. */
  readonly before?: Call;
  readonly observe: (ground: SocialGround, id: string) => boolean;
  readonly to: boolean;
}

function changesPost(name: string, call: Call, { of, before, observe, to }: PostChange): Row<SocialGround> {
  return row(
    name,
    changes<SocialGround, string, Choice<Post>, boolean>(postForms('post_id'), {
      async subject(ground) {
        const id = ground.take(of);
        await before?.(ground.client, id);
        return id;
      },
      call: ({ client }, post) => call(client, post),
      observe,
      from: !to,
      to,
    }),
  );
}

const like: Call = (client, post) => client.likePost(post);
const repost: Call = (client, post) => client.repostPost(post);
const pin: Call = (client, post) => client.pinPost(post);
const keep: Call = (client, post) => client.bookmarkPost(post);

function reactedWith(kind: 'like' | 'repost' | 'pin') {
  return (ground: SocialGround, id: string): boolean => hasReaction(ground, kind, id);
}

function isKept({ store }: SocialGround, id: string): boolean {
  return store.get('social.bookmarks', `${ME} ${id}`) !== undefined;
}

export function reactionRows(): readonly Row<SocialGround>[] {
  return [
    changesPost('delete_post', (client, post) => client.deletePost(post), {
      of: 'byAccount',
      observe: (ground, id) => stands(writtenPost(ground, id), ground) && posts(ground).some((post) => post.id === id),
      to: false,
    }),
    changesPost('like_post', like, { of: 'other', observe: reactedWith('like'), to: true }),
    changesPost('unlike_post', (client, post) => client.unlikePost(post), {
      of: 'other',
      before: like,
      observe: reactedWith('like'),
      to: false,
    }),
    changesPost('repost_post', repost, { of: 'other', observe: reactedWith('repost'), to: true }),
    changesPost('delete_repost', (client, post) => client.deleteRepost(post), {
      of: 'other',
      before: repost,
      observe: reactedWith('repost'),
      to: false,
    }),
    changesPost('pin_post', pin, { of: 'byAccount', observe: reactedWith('pin'), to: true }),
    changesPost('unpin_post', (client, post) => client.unpinPost(post), {
      of: 'byAccount',
      before: pin,
      observe: reactedWith('pin'),
      to: false,
    }),
  ];
}

export function bookmarkRows(): readonly Row<SocialGround>[] {
  return [
    changesPost('bookmark_post', keep, { of: 'other', observe: isKept, to: true }),
    changesPost('unbookmark_post', (client, post) => client.unbookmarkPost(post), {
      of: 'other',
      before: keep,
      observe: isKept,
      to: false,
    }),
  ];
}

/** What was chosen in a poll: by ada once, in the last one. */
function votesOn({ store }: SocialGround, id: string): unknown {
  return store.get('social.votes', `${ME} ${id}`);
}

export function votePoll(): Row<SocialGround> {
  return row<SocialGround>(
    'vote_poll',
    changes<SocialGround, string, Choice<Post>, Post>(postForms('post_id'), {
      subject: (ground) => ground.take('poll'),
      call: ({ client }, post) => client.votePoll(post, [2, 0]),
      observe: (ground, id) => votesOn(ground, id) !== undefined,
      from: false,
      to: true,
      answer: {
        seen: ({ id, poll }) => ({
          id,
          votes: poll?.options.map(({ votes }) => votes),
          totalVotes: poll?.totalVotes,
          voters: poll?.voters,
        }),
        holds: (_, id) => ({ id, votes: [1, 0, 1], totalVotes: 2, voters: 1 }),
      },
    }),
    one({
      form: 'choices beside those of others',
      async prove(ground) {
        const { poll } = await ground.client.votePoll('1619', [1]);

        expect(votesOn(ground, '1619')).toEqual({ userId: ME, postId: '1619', choices: [1] });
        expect(poll).toMatchObject({ totalVotes: 2, voters: 2, options: [{ votes: 0 }, { votes: 2 }, { votes: 0 }] });
      },
    }),
  );
}
