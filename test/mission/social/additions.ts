import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Choice } from '#src/social/arguments.ts';
import type { Post } from '#src/social/records/post.ts';
import { fileWith, PNG } from '../../support/media-files.ts';
import { changes, one, row, type Row } from '../rows.ts';
import { postForms } from './forms.ts';
import type { SocialGround } from './ground.ts';
import { ME } from './installation/past.ts';
import { bookmarkRows, votePoll } from './reactions.ts';
import { createScheduledPost } from './schedule.ts';
import { writtenPost } from './world/posts.ts';

const NEW = 'We are live, with sound!';

/** What the document has not. */
export function additions(): readonly Row<SocialGround>[] {
  return [
    createScheduledPost(),
    row<SocialGround>(
      'edit_post',
      changes<SocialGround, string, Choice<Post>, Post>(postForms('post_id'), {
        subject: (ground) => ground.take('byAccount'),
        call: ({ client }, post) => client.editPost(post, NEW),
        observe: (ground, id) => {
          const { text, earlier, editedAtMs } = writtenPost(ground, id);
          return {
            isNew: text === NEW,
            earlier: earlier.map((version) => version.text === `Post ${id}`),
            isEditedNow: editedAtMs === ground.nowMs,
          };
        },
        from: { isNew: false, earlier: [], isEditedNow: false },
        to: { isNew: true, earlier: [true], isEditedNow: true },
        answer: {
          seen: ({ id, text, editedAt }) => ({ id, text, editedAt }),
          holds: (ground, id) => ({ id, text: NEW, editedAt: new Date(ground.nowMs) }),
        },
      }),
    ),
    row<SocialGround>(
      'upload_media',
      one({
        form: 'a path and a text',
        async prove(ground) {
          const path = fileWith(PNG, { folder: ground.folder, name: 'card.png' });
          const before = ground.store.all('social.uploads').length;

          const media = await ground.client.uploadMedia(path, { altText: 'A card' });

          const sha256 = createHash('sha256').update(PNG).digest('hex');
          expect(ground.store.all('social.uploads').length).toBe(before + 1);
          expect(ground.store.get('social.uploads', media.id)).toMatchObject({
            ownerId: ME,
            kind: 'image',
            altText: 'A card',
            width: 1,
            height: 1,
            sha256,
          });
          expect(media).toMatchObject({ kind: 'image', altText: 'A card', state: 'ready', sha256 });
        },
      }),
    ),
    ...bookmarkRows(),
    votePoll(),
  ];
}
