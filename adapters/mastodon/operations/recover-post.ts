import { ignoreFaults } from '#src/http/errors.ts';
import { isWider } from '#src/clients/social/visibility.ts';
import type { AccountContext, Draft, Recoveries } from '../account-context.ts';
import { optionsKey, type StatusParts } from '../wire/status-parts.ts';
import { toPost } from '../wire/status.ts';
import { fromWireVisibility } from '../wire/visibility.ts';
import { assertAsRequested, removeStatus, requestedStatus } from './published.ts';
import { findLostStatus } from './find-lost-status.ts';
import { addressed, folded, type AddressedDraft } from './replies.ts';

type Fits = (known: StatusParts) => boolean;

/** A draft as it was sent. */
interface SentDraft extends AddressedDraft {
  /** Whether the status that it replies to is gone, so that its author is unknown. */
  readonly hasUnknownParent: boolean;
}

/** The text, the visibility and the parent that the request of a draft had. */
export async function sentDraft(draft: Draft, signal: AbortSignal | undefined, context: AccountContext): Promise<SentDraft> {
  const known = await ignoreFaults(addressed(draft, signal, context), 'missing');
  const { visibility = context.defaults.visibility } = draft;
  return known ? { ...known, hasUnknownParent: false } : { ...folded(draft), visibility, parent: undefined, hasUnknownParent: true };
}

/** Searches for a lost post by its text, its parent and its parts. */
export function recoverPost(context: AccountContext): Recoveries['createPost'] {
  const { api, instances } = context;
  return async (draft, options) => {
    const { poll, files: input = [] } = draft;
    const { signal } = options;
    const sent = await sentDraft(draft, signal, context);
    const lost = { text: sent.text, mayHaveMention: sent.hasUnknownParent, isRepeatedWithKey: true };
    const canBe = likeness(draft, sent);
    const recovery = await findLostStatus({ ...lost, canBe }, options, context);
    if (typeof recovery === 'object') return { found: toPost(recovery.found.row, api.now()) };
    const isWhole = poll === undefined && input.length === 0 && sent.visibility === undefined && sent.warning === undefined;
    // Servers other than Mastodon may have posted the status without its poll or its files, or for more people.
    if (isWhole || (await instances.current(signal)).isMastodon) return recovery;
    const remainder = await findLostStatus({ ...lost, canBe: remainderOf(canBe, draft) }, options, context);
    if (typeof remainder === 'string') return remainder;
    const { row, known } = remainder.found;
    const post = toPost(row, api.now());
    await assertAsRequested(requestedStatus({ ...draft, warning: sent.warning, visibility: sent.visibility }), {
      domain: api.domain,
      parts: known,
      record: post,
      remove: () => removeStatus(context, row.id, signal),
    });
    return { found: post };
  };
}

function likeness(
  { files: input = [], quote, poll }: Draft,
  { warning = '', visibility, parent: asked, hasUnknownParent }: SentDraft,
): Fits {
  const options = optionsKey(poll?.options);
  // A reply to a boost is a reply to the boosted post.
  const parents = [asked?.id, asked?.reblog?.id];
  const canReplyTo = (parent: string | null): boolean =>
    hasUnknownParent || (asked ? parents.includes(parent ?? undefined) : parent === null);
  return ({ visibility: shown, replyTo: parent, mediaCount = input.length, pollOptions = options, isQuote, warning: folds = warning }) =>
    folds === warning &&
    (shown === undefined || canBeSeenAs(shown, visibility)) &&
    (parent === undefined || canReplyTo(parent)) &&
    mediaCount === input.length &&
    pollOptions === options &&
    (isQuote === undefined || isQuote === (quote !== undefined));
}

/** Whether a status with a visibility can be the status that was sent. A server may show it to fewer people, for example if the account is silenced. */
function canBeSeenAs(shown: string, sent: AddressedDraft['visibility']): boolean {
  const seen = fromWireVisibility(shown);
  return (seen === 'direct') === (sent === 'direct') && (sent === undefined || !isWider(seen, sent));
}

/** Whether a status can be the draft without its poll, its warning or some of its files, or with another visibility. */
function remainderOf(canBe: Fits, { files = [] }: Draft): Fits {
  return (known) => {
    const { pollOptions, warning, mediaCount = files.length } = known;
    const whole = {
      ...known,
      visibility: undefined,
      mediaCount: undefined,
      pollOptions: pollOptions === '' ? undefined : pollOptions,
      warning: warning === '' ? undefined : warning,
    };
    return mediaCount <= files.length && canBe(whole);
  };
}
