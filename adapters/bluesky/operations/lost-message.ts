import { doubtfulMs, lostAmong, soonestMs } from '#src/operation/lost-among.ts';
import type { Recovery } from '#src/operation/platform.ts';
import type { Account } from '../account.ts';
import { atUri } from '../at-uri.ts';
import type { Recoveries } from '../platform.ts';
import { POST } from '../reading/post-views.ts';
import { peopleIn, toMessage, type MessageView } from '../wire/convo.ts';
import { carriedBy } from '../wire/embed.ts';
import type { Talks } from './talks.ts';

type Recover = NonNullable<Recoveries['sendMessage']>;
type Wanted = Pick<Parameters<Recover>[0], 'text' | 'replyToMessage'> & {
  /** The address of the post that is shown with it. */
  readonly quoted: string | undefined;
};

/** Looks in the conversation for a message of which nobody knows whether it was sent. */
export function recoverMessage({ repo, names, now }: Account, { requireTalk, readMessages }: Talks): Recover {
  return async ({ user, text, inGroup, replyToMessage, quotePost }, { since, taken, signal }) => {
    const talk = await requireTalk(inGroup ? user : names.actor(user), { signal });
    const did = await repo.did(signal);
    const quoted = quotePost === undefined ? undefined : atUri(await names.placeOf(quotePost, [POST], signal));
    const { views, isWhole } = await readMessages(talk.id, undefined, { signal, fromMs: doubtfulMs(since) });
    const own = views.filter(({ id, sender }) => sender.did === did && !taken.has(id)).toReversed();
    const among = (isAlike: (view: MessageView) => boolean): Recovery<MessageView> =>
      lostAmong(own.filter(isAlike), { since, madeAt: ({ sentAt }) => sentAt });
    const wanted = { text, replyToMessage, quoted };
    const lost = among((view) => says(view, wanted) === true);
    if (typeof lost === 'object') {
      return { found: toMessage(lost.found, { conversationId: talk.id, people: peopleIn(talk.members), now: now() }) };
    }
    const areAll = isWhole || views.some(({ sentAt }) => sentAt !== undefined && sentAt.getTime() < soonestMs(since));
    const isAbsent = areAll && among((view) => says(view, wanted) !== false) === 'absent';
    return isAbsent ? 'absent' : 'cannotTell';
  };
}

/** Whether a message says this; undefined where what it should answer, or show, is left out of what is told of it. */
function says(view: MessageView, { text, replyToMessage, quoted }: Wanted): boolean | undefined {
  // What is answered may be shown without its id, as to who came into the conversation later.
  const answered = view.replyTo && (view.replyTo.id ?? replyToMessage);
  const shown = carriedBy(view.embed).quoted?.postId;
  if (view.text !== text || (answered ?? replyToMessage) !== replyToMessage || (shown ?? quoted) !== quoted) return false;
  return answered === replyToMessage && shown === quoted ? true : undefined;
}
