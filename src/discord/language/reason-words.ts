import type { NotBeyond } from '#src/cli/preview-view.ts';
import type { Delivery } from '#src/outbox/delivery.ts';
import type { AccountView } from '#src/web/views.ts';
import type { Because } from '#src/rules/reasons/because.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { Reason } from '#src/rules/reasons/reason.ts';

/** Says reasons in a language: plain text, with names and values of others in it. */
export interface ReasonWords {
  /** Why a rule decided as it did, or would say nothing. */
  readonly decided: (because: Because<Reason | NotBeyond>) => string;
  /** Why a delivery is where it is; undefined: there is nothing to say. */
  readonly delivered: (delivery: Pick<Delivery, 'reason' | 'why' | 'error' | 'omitted'>) => string | undefined;
  /** Why nothing could be read, which `failure` says in English. */
  readonly unread: (unread: Omit<Extract<Reason, { readonly kind: 'unread' }>, 'kind'>) => string;
  /** What is wrong with an account. */
  readonly trouble: (account: Pick<AccountView, 'fault'> & { readonly problem: string }) => string;
  /** Why an item does not fit the condition of a rule. */
  readonly unfit: (because: Because<Falsehood>) => string;
}
