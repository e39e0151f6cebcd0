import type { WrittenPost } from '#sandbox/social/posts.ts';
import type { Json } from '#src/operation/json.ts';
import { MANY, ME, MINUTE_MS, openPeople, ROOT, upTo, type Past } from './past.ts';

/** Posts that cases of writes try themselves on. */
export interface PostSubjects {
  /** By the signed-in account. */
  readonly byAccount: readonly string[];
  /** By others. */
  readonly other: readonly string[];
  readonly poll: readonly string[];
  /** Scheduled. */
  readonly waiting: readonly string[];
}

const SUBJECTS = 60;
const HOUR_MS = 60 * MINUTE_MS;

/** Posts with ids from one number on: by whom, and what else there is to say of each. */
interface Series {
  readonly from: number;
  readonly count: number;
  readonly by: (index: number) => string;
  readonly more?: (index: number) => Partial<WrittenPost>;
}

/** A video that the account has brought to the platform and put into no post. */
export const VIDEO = 'media-1';

/** What was written before. */
export function settlePosts({ store, people, nowMs }: Past): PostSubjects {
  const others = openPeople({ people });
  const [ada = '', grace = ''] = others;
  const other = (place: number): string => others[place] ?? '';

  function write({ from, count, by, more }: Series): readonly string[] {
    return upTo(count).map((index) => {
      const id = String(from + index);
      // A moment of its own for each, so that no two stand beside each other by chance.
      const createdAtMs = nowMs - 5 * MINUTE_MS - (2000 - from + 1000) * 1000 + index * 1013;
      const post: WrittenPost = {
        id,
        authorId: by(index),
        text: `Post ${id}`,
        language: 'en',
        createdAtMs,
        likes: 0,
        reposts: 0,
        replies: 0,
        media: [],
        earlier: [],
        scheduled: false,
        visibleAtMs: createdAtMs,
        ...more?.(index),
      };
      store.put('social.posts', id, { ...post } as Json); // without undefined values, it is made of JSON
      return id;
    });
  }

  write({ from: 1100, count: MANY, by: (index) => other(10 + index), more: (index) => ({ text: `Thank you, @fanfare, ${index} times!` }) });
  write({ from: 1190, count: 1, by: () => other(200), more: () => ({ text: 'Who reads this, @fanfare? I am blocked.' }) });
  write({
    from: 1200,
    count: MANY,
    by: () => ada,
    more: (index) => ({
      text: `Screen ${index} #missionpictures`,
      media: [{ id: `picture-${index}`, kind: 'image', altText: `Screen ${index}` }],
    }),
  });
  write({ from: 1260, count: 3, by: () => ada, more: () => ({ replyTo: '1200' }) });
  const earlier = [
    { text: 'First', media: [], atMs: nowMs - 3 * HOUR_MS },
    { text: 'Second', media: [], atMs: nowMs - 2 * HOUR_MS },
  ];
  write({
    from: 1390,
    count: 1,
    by: () => ME,
    more: () => ({ text: 'Third', createdAtMs: nowMs - 3 * HOUR_MS, editedAtMs: nowMs - HOUR_MS, earlier }),
  });

  write({
    from: Number(ROOT),
    count: 1,
    by: () => ME,
    more: () => ({ text: 'Read https://example.org, @ada. #missionroot', place: 'berlin' }),
  });
  write({ from: 1401, count: MANY, by: (index) => other(60 + index), more: () => ({ replyTo: ROOT }) });
  write({ from: 1450, count: 1, by: () => grace, more: () => ({ replyTo: '1401' }) });
  write({ from: 1451, count: 1, by: () => ada, more: () => ({ replyTo: '1450' }) });
  write({ from: 1460, count: 1, by: () => ada, more: () => ({ replyTo: '1402' }) });
  // The last two are by one who has quoted it before.
  write({ from: 1500, count: MANY + 2, by: (index) => other(110 + Math.min(index, MANY - 1)), more: () => ({ quote: ROOT }) });
  const poll = {
    options: [
      { label: 'Yes', crowd: 0 },
      { label: 'No', crowd: 0 },
      { label: 'Both', crowd: 0 },
    ],
    endsAtMs: nowMs + HOUR_MS,
    multiple: true,
  };
  const polls = write({ from: 1600, count: 20, by: () => grace, more: () => ({ poll }) });

  const upload = {
    id: VIDEO,
    ownerId: ME,
    kind: 'video',
    contentType: 'video/mp4',
    sizeBytes: 9,
    sha256: '',
    readyAtMs: nowMs,
    expiresAtMs: nowMs + HOUR_MS,
  };
  store.put('social.uploads', VIDEO, upload);

  const later = (index: number): Partial<WrittenPost> => {
    const atMs = nowMs + (index + 1) * HOUR_MS;
    return { scheduled: true, createdAtMs: atMs, visibleAtMs: atMs };
  };
  const waiting = write({ from: 1700, count: SUBJECTS, by: () => ME, more: later });
  write({ from: 1780, count: 1, by: () => ada, more: later });
  return {
    byAccount: write({ from: 1800, count: SUBJECTS, by: () => ME }),
    other: write({ from: 1900, count: SUBJECTS, by: (index) => other(400 + index) }),
    poll: polls,
    waiting: waiting.toReversed(),
  };
}
