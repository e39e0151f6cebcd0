import { textWithout } from '#src/clients/operation/text/content-warning.ts';
import { mentionsIn } from '../text/limit.ts';
import type { PostVisibility } from '#src/clients/social/enumerations.ts';
import { isWider } from '#src/clients/social/visibility.ts';
import type { AccountContext, Draft } from '../account-context.ts';
import type { StatusRow } from '../wire/status.ts';
import { fromWireVisibility } from '../wire/visibility.ts';

/** A draft with everything that makes it arrive as a reply. */
export interface AddressedDraft {
  /** The text with a mention of each account that the reply addresses. */
  readonly text: string;
  /** The content warning. A status without a text shows it as its text. */
  readonly warning: string | undefined;
  readonly visibility: PostVisibility | undefined;
  /** The status that it replies to; undefined if it is no reply. */
  readonly parent: StatusRow | undefined;
}

type Reply = Pick<Draft, 'text' | 'warning' | 'replyTo' | 'visibility'>;

/**
 * Addresses a reply: it mentions the author of the status, because a reply notifies only mentioned accounts, and it is never more visible
 * than the status.
 */
export async function addressed(
  { replyTo, visibility, ...written }: Reply,
  signal: AbortSignal | undefined,
  context: Pick<AccountContext, 'accounts' | 'statuses' | 'api' | 'instances' | 'defaults'>,
): Promise<AddressedDraft> {
  const wanted = visibility ?? context.defaults.visibility;
  const { text, warning } = folded(written);
  if (replyTo === undefined) return { text, warning, visibility: wanted, parent: undefined };
  const row = await context.statuses.find(replyTo, signal);
  // A reply to a boost is a reply to the boosted status.
  const parent = row.reblog ?? row;
  const { id: mine, defaultVisibility } = await context.accounts.me(signal);
  const widest = fromWireVisibility(parent.visibility ?? 'public');
  const chosen = wanted ?? (widest === 'public' ? undefined : (defaultVisibility ?? widest));
  return {
    text: await withMentions(text, addressees(parent, mine), signal, context),
    warning,
    visibility: chosen !== undefined && isWider(chosen, widest) ? widest : chosen,
    parent: row,
  };
}

/** The text below its warning. Servers show the warning of a status without a text as its text. */
export function folded({ text, warning }: Pick<Draft, 'text' | 'warning'>): Pick<AddressedDraft, 'text' | 'warning'> {
  const rest = textWithout(warning, text);
  return rest.trim() === '' && warning !== undefined ? { text: warning, warning: undefined } : { text: rest, warning };
}

/** The handles that a reply mentions. A thread of the account repeats mentions only where they decide who can read it. */
function addressees(
  { account, visibility, mentions }: Pick<StatusRow, 'account' | 'visibility' | 'mentions'>,
  mine: string,
): readonly string[] {
  if (account.id !== mine) return [account.acct];
  return isRestricted(visibility) ? mentions.filter(({ id }) => id !== mine).map(({ acct }) => acct) : [];
}

function isRestricted(visibility: string | null | undefined): boolean {
  return isWider('unlisted', fromWireVisibility(visibility ?? 'public'));
}

/** The new text of a reply, with the mentions that address it now. An edit without them would take the reply from its reader. */
export async function readdressed(
  text: string,
  { in_reply_to_id: replyTo, in_reply_to_account_id: author, account, visibility, mentions }: StatusRow,
  signal: AbortSignal | undefined,
  context: Pick<AccountContext, 'api' | 'instances'>,
): Promise<string> {
  // The author is known even if the answered status is deleted.
  if (!replyTo && !author) return text;
  const isThread = author === account.id && isRestricted(visibility);
  const kept = mentions.filter(({ id }) => id !== account.id && (isThread || id === author));
  return withMentions(
    text,
    kept.map(({ acct }) => acct),
    signal,
    context,
  );
}

/** The text, with a mention of each handle that it does not mention yet. */
async function withMentions(
  text: string,
  handles: readonly string[],
  signal: AbortSignal | undefined,
  { api, instances }: Pick<AccountContext, 'api' | 'instances'>,
): Promise<string> {
  if (handles.length === 0) return text;
  const { domain } = await instances.current(signal);
  const local = new Set([domain.toLowerCase(), api.domain.toLowerCase()]);
  const full = (handle: string): string => {
    const [name = '', host = domain] = handle.toLowerCase().split('@');
    return local.has(host) ? name : `${name}@${host}`;
  };
  const mentioned = new Set(mentionsIn(text).map((name) => full(name.slice(1))));
  const lacking = handles.filter((handle) => !mentioned.has(full(handle)));
  return [...lacking.map((handle) => `@${handle}`), text].join(' ').trimEnd();
}
