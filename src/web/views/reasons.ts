import { formatOutcome, reasons as english, type ReasonFormatter } from '#src/admin/language/reasons.ts';
import { reasons } from '#src/admin/language/de/reasons.ts';
import { remark } from '#src/admin/language/de/remarks.ts';
import { readiness } from '#src/admin/language/de/readiness.ts';
import { pastSuppressionText, suppressionText } from '#src/admin/language/de/reasons/suppressions.ts';
import { schedule } from '#src/admin/language/de/schedule.ts';
import type { DeliveryError } from '#src/engine/delivery/delivery-error.ts';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import type { ReadinessReason } from '#src/admin/queries/readiness-reason.ts';
import type { NotBeyond } from '#src/engine/simulation/preview/not-beyond.ts';
import type { StepRemark } from '#src/engine/simulation/preview/preview-view.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { Reason, Suppression } from '#src/rules/reasons/reason.ts';
import type { Schedule } from '#src/rules/rule.ts';
import type { Decision, Delivery, Episode, Preview, Readiness, Rule, Status } from '../client/records.ts';
import { useLanguage, type Language } from './language.ts';

/** A text of Fanfare. `lang`: its language, if it is not the language of the page. */
export interface Message {
  readonly text: string;
  readonly lang?: 'en' | undefined;
}

/** What the API gives of a reason: the English message, and the data of it. */
interface Explained {
  readonly message: string;
  readonly reason?: Readonly<Record<string, unknown>> | undefined;
}

type Excluded = NonNullable<Preview['read']>['excluded'][number];
/** What explains a decision beside its reason. */
type DecisionParts = Partial<Pick<Decision, 'at' | 'details' | 'stop' | 'unsent'>>;
type Account = Pick<Status['accounts'][number], 'fault'>;

/** The reasons of the API in one language. Undefined: there is none. */
export interface Reasons {
  readonly decided: (decision: Explained & DecisionParts) => Message;
  /** Why an episode is not announced, or, after its end, was not. */
  readonly suppressed: (suppression: NonNullable<Episode['suppression']>, isOver: boolean) => Message;
  /** The reason of the state of a delivery. */
  readonly delivered: (delivery: Pick<Delivery, 'message' | 'reason' | 'fault'>) => Message | undefined;
  /** The error of an attempt. */
  readonly failed: (error: { readonly fault?: string | undefined; readonly message: string }) => Message;
  /** The obstacle or the remark of the installation. */
  readonly readiness: (readiness: Readiness) => Message | undefined;
  readonly account: (account: Account & { readonly problem: string }) => Message;
  /** Why `where` excludes an item. */
  readonly excluded: (excluded: Excluded) => Message;
  /** A remark about a step of a preview. */
  readonly remark: (remark: Explained) => Message;
  readonly schedule: (rule: Pick<Rule, 'schedule' | 'timing'>) => Message | undefined;
}

const ENGLISH: Reasons = {
  decided: ({ message, ...decision }) => ({ text: message + more(decision, english) }),
  suppressed: ({ message }) => ({ text: message }),
  delivered: ({ message }) => (message === undefined ? undefined : { text: message }),
  failed: ({ message }) => ({ text: message }),
  readiness: ({ message }) => (message === undefined ? undefined : { text: message }),
  account: ({ problem }) => ({ text: problem }),
  excluded: ({ message }) => ({ text: message }),
  remark: ({ message }) => ({ text: message }),
  schedule: (rule) => (rule.schedule === undefined ? undefined : { text: rule.schedule }),
};

/** The API sends the reasons of the types below. Reasons of earlier versions are only an English message. */
const GERMAN: Reasons = {
  decided: ({ message, reason, ...decision }) =>
    reason
      ? { text: reasons.decided({ message, reason: reason as Reason | NotBeyond }) + more(decision, reasons) } // a reason of the API
      : { text: message, lang: 'en' },
  suppressed: ({ message, reason }, isOver) =>
    reason ? { text: (isOver ? pastSuppressionText : suppressionText)(reason as Suppression) } : { text: message, lang: 'en' }, // a reason of the API
  delivered({ message, reason, fault }) {
    if (message === undefined) return undefined;
    if (fault !== undefined) return GERMAN.failed({ fault, message });
    if (!reason) return { text: message, lang: 'en' };
    return { text: reasons.delivered({ reason: reason as DeliveryReason }) ?? message }; // a reason of the API
  },
  failed: ({ fault, message }) =>
    fault === undefined
      ? { text: message, lang: 'en' }
      : { text: reasons.delivered({ error: { fault: fault as DeliveryError['fault'], message } }) ?? message }, // a fault of the API
  readiness({ message, reason }) {
    if (reason) return { text: readiness(reason as ReadinessReason) }; // a reason of the API
    return message === undefined ? undefined : { text: message, lang: 'en' };
  },
  account: ({ problem, fault }) => (fault === undefined ? { text: problem, lang: 'en' } : GERMAN.failed({ fault, message: problem })),
  excluded: ({ message, reason }) =>
    reason ? { text: reasons.condition({ message, reason: reason as Falsehood }) } : { text: message, lang: 'en' }, // a reason of the API
  remark: ({ message, reason }) => (reason ? { text: remark(reason as StepRemark) } : { text: message, lang: 'en' }), // a remark of the API
  schedule: ({ schedule: text, timing }) =>
    timing ? { text: schedule(timing as Schedule) } : text === undefined ? undefined : { text, lang: 'en' }, // a schedule of the API
};

/** How the change of a decision was noticed, and the outcome of its deliveries. */
function more({ at, details, stop, unsent }: DecisionParts, formatter: ReasonFormatter): string {
  const notice = at === undefined ? '' : formatter.noticed({ atMs: Date.parse(at), details });
  return (
    notice +
    formatOutcome(
      { stop: stop && facts(stop), unsent: unsent && { state: unsent.state, count: unsent.count, ...facts(unsent) } },
      formatter,
    )
  );
}

/** What explains the state of a delivery, from the API. */
function facts({ message, reason, fault }: Pick<Delivery, 'message' | 'reason' | 'fault'>): Parameters<ReasonFormatter['delivered']>[0] {
  return {
    message,
    reason: reason as DeliveryReason | undefined, // a reason of the API
    error: fault === undefined ? undefined : { fault: fault as DeliveryError['fault'], message: message ?? '' }, // a fault of the API
  };
}

const REASONS: Readonly<Record<Language, Reasons>> = { en: ENGLISH, de: GERMAN };

export function reasonsIn(language: Language): Reasons {
  return REASONS[language];
}

/** The reasons in the language of the reader. Only for components. */
export function useReasons(): Reasons {
  return REASONS[useLanguage()];
}
