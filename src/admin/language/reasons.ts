import type { NotBeyond } from '#src/engine/simulation/preview/preview-view.ts';
import type { AccountView, Delivery } from '../queries/records.ts';
import { omissionText } from '#src/clients/operation/part.ts';
import type { Explained, Reason } from '#src/rules/reasons/reason.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';

/** Formats reasons as plain text, which includes untrusted names and values. */
export interface ReasonFormatter {
  /** The reason of a decision. */
  readonly decided: (explained: Explained<Reason | NotBeyond>) => string;
  /** The reason of the state of a delivery; undefined if there is none. */
  readonly delivered: (delivery: Pick<Delivery, 'message' | 'reason' | 'error' | 'omitted'>) => string | undefined;
  /** The reason of a failed poll. `failure` is in English. */
  readonly pollFailed: (pollFailed: Omit<Extract<Reason, { readonly kind: 'pollFailed' }>, 'kind'>) => string;
  /** The problem of an account. */
  readonly account: (account: Pick<AccountView, 'fault'> & { readonly problem: string }) => string;
  /** The reason why an item does not match `where`. */
  readonly condition: (explained: Explained<Falsehood>) => string;
}

/** Reasons in English: the stored messages are English. */
export const reasons: ReasonFormatter = {
  decided: ({ message }) => message,
  delivered: ({ message, error, omitted = [] }) => error?.message ?? message ?? (omitted.map(omissionText).join('; ') || undefined),
  pollFailed: ({ failure = 'there was no answer' }) => failure,
  account: ({ problem }) => problem,
  condition: ({ message }) => message,
};
