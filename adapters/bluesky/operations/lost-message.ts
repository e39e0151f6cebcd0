import { doubtfulMs, lostAmong, soonestMs } from '#src/operation/lost-among.ts';
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
    const alike = views.filter(
      (view) => view.sender.did === did && !taken.has(view.id) && saysTheSame(view, { text, replyToMessage, quoted }),
    );
    const lost = lostAmong(alike.toReversed(), { since, madeAt: ({ sentAt }) => sentAt });
    if (typeof lost === 'object') {
      return { found: toMessage(lost.found, { conversationId: talk.id, people: peopleIn(talk.members), now: now() }) };
    }
    const areAll = isWhole || views.some(({ sentAt }) => sentAt !== undefined && sentAt.getTime() < soonestMs(since));
    return areAll ? lost : 'cannotTell';
  };
}

function saysTheSame(view: MessageView, { text, replyToMessage, quoted }: Wanted): boolean {
  // What is answered may be shown without its id, as to who came into the conversation later.
  const answered = view.replyTo && (view.replyTo.id ?? replyToMessage);
  return view.text === text && answered === replyToMessage && carriedBy(view.embed).quoted?.postId === quoted;
}
