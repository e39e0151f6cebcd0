import type { NotBeyond } from '#src/engine/simulation/preview/not-beyond.ts';
import { omissionText, type Omission } from '#src/clients/operation/part.ts';
import type { DeliveryError } from '#src/engine/delivery/delivery-error.ts';
import type { Unsent } from '#src/engine/delivery/firing-outcome.ts';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import type { Fault } from '#src/errors.ts';
import { formatCount, formatDuration } from '#src/rules/messages/format.ts';
import { noticeOf, type NoticedDecision } from '#src/rules/notice.ts';
import type { Explained, Reason } from '#src/rules/reasons/reason.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';

/** What explains the state of a delivery. */
interface DeliveryFacts {
  readonly message?: string | undefined;
  readonly reason?: DeliveryReason | undefined;
  readonly error?: DeliveryError | undefined;
  readonly omitted?: readonly Omission[] | undefined;
}

type UnsentFacts = DeliveryFacts & Pick<Unsent, 'state' | 'count'>;

/** Formats reasons as plain text, which includes untrusted names and values. */
export interface ReasonFormatter {
  /** The reason of a decision. */
  readonly decided: (explained: Explained<Reason | NotBeyond>) => string;
  /** How the change of a decision was noticed, for example ` (12s after it happened)`; empty: the decision does not say it. */
  readonly noticed: (decision: NoticedDecision) => string;
  /** That messages of a decision were withdrawn, for example `; messages were withdrawn: grace paused the rule`. */
  readonly withdrawn: (why: string) => string;
  /** That deliveries of a decision are not sent, for example `; 1 delivery failed: …`. `why` is empty if it is not known. */
  readonly unsent: (unsent: Pick<Unsent, 'state' | 'count'>, why: string) => string;
  /** The reason of the state of a delivery; undefined if there is none. */
  readonly delivered: (delivery: DeliveryFacts) => string | undefined;
  /** The reason of a failed poll. `failure` is in English. */
  readonly pollFailed: (pollFailed: Omit<Extract<Reason, { readonly kind: 'pollFailed' }>, 'kind'>) => string;
  /** The problem of an account. */
  readonly account: (account: { readonly problem: string; readonly fault?: Fault | undefined }) => string;
  /** The reason why an item does not match `where`. */
  readonly condition: (explained: Explained<Falsehood>) => string;
}

/** The texts of a notice in one language. */
interface NoticeTexts {
  readonly after: (delayMs: number) => string;
  readonly notified: string;
}

/** Formats how the change of a decision was noticed. */
export function formatNotice(decision: NoticedDecision, { after, notified }: NoticeTexts): string {
  const notice = noticeOf(decision);
  if (!notice) return '';
  const parts = [notice.delayMs === undefined ? '' : after(notice.delayMs), notice.isNotified ? notified : ''];
  return ` (${parts.filter((part) => part !== '').join('; ')})`;
}

/** Why deliveries of a decision were withdrawn or are not sent; empty: all are sent. `shown` prepares the untrusted part. */
export function formatOutcome(
  { stop, unsent }: { readonly stop?: DeliveryFacts | undefined; readonly unsent?: UnsentFacts | undefined },
  formatter: Pick<ReasonFormatter, 'withdrawn' | 'unsent' | 'delivered'>,
  shown: (why: string) => string = (why) => why,
): string {
  const why = (facts: DeliveryFacts): string => shown(formatter.delivered(facts) ?? '');
  return (stop ? formatter.withdrawn(why(stop)) : '') + (unsent ? formatter.unsent(unsent, why(unsent)) : '');
}

const ENGLISH_NOTICE: NoticeTexts = {
  after: (delayMs) => `${formatDuration(delayMs)} after it happened`,
  notified: 'the platform notified Fanfare',
};

const UNSENT: Readonly<Record<Unsent['state'], (deliveries: string) => string>> = {
  failed: (deliveries) => `${deliveries} failed`,
  unknown: (deliveries) => `${deliveries} with an unknown outcome`,
  asked: () => 'waits for the answer to a question',
  pending: (deliveries) => `${deliveries} not sent yet`,
  skipped: () => 'nothing was sent',
};

/** Reasons in English: the stored messages are English. */
export const reasons: ReasonFormatter = {
  decided: ({ message }) => message,
  noticed: (decision) => formatNotice(decision, ENGLISH_NOTICE),
  withdrawn: (why) => `; messages were withdrawn: ${why}`,
  unsent: ({ state, count }, why) => `; ${UNSENT[state](formatCount(count, 'delivery', 'deliveries'))}${why === '' ? '' : `: ${why}`}`,
  delivered: ({ message, error, omitted = [] }) => error?.message ?? message ?? (omitted.map(omissionText).join('; ') || undefined),
  pollFailed: ({ failure = 'there was no answer' }) => failure,
  account: ({ problem }) => problem,
  condition: ({ message }) => message,
};
