import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Omission } from '#src/operation/part.ts';
import type { StepPosition } from '#src/rules/step-name.ts';
import type { Json, JsonObject } from '#src/operation/json.ts';
import type { DeliveryReason } from './records.ts';
import type { Explained, Reason } from '#src/rules/reasons/reason.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { Fault } from '#src/errors.ts';
import type { Rule } from '#src/rules/rule.ts';

/** What a rule would say if what it watches were new right now. */
export interface PreviewView {
  readonly rule: Rule;
  /** What was read; absent where the rule watches nothing. */
  readonly read?: ReadView | undefined;
  readonly scenarios: readonly ScenarioView[];
}

export interface ReadView {
  /** Why nothing could be read, and whose fault it was. */
  readonly failure?: string | undefined;
  readonly fault?: Fault | undefined;
  readonly count: number;
  /** How many count, by `where` and `take`. */
  readonly counted: number;
  /** Whether nobody is there, and what follows is shown with somebody made up, whom `where` does not ask. */
  readonly isSample: boolean;
  /** Some that `where` refuses, and why. */
  readonly excluded: readonly ({ readonly name: string } & Explained<Falsehood>)[];
}

/**
 * What happens in a scene: a change of an item, as an item of a list of that kind is called;
 * `slot`: a look, whatever changed; `time`: the time of a rule that watches nothing; `stays` and `ends`: what follows for an item.
 */
export type ScenarioKind =
  | 'goesLive'
  | 'enters'
  | 'isNew'
  | 'comes'
  | 'isThere'
  | 'leaves'
  | 'moves'
  | 'changes'
  | 'rises'
  | 'falls'
  | 'slot'
  | 'time'
  | 'stays'
  | 'ends'
  | 'quietEnds';

/** One thing that happens, and what the rule would do. */
export interface ScenarioView {
  readonly kind: ScenarioKind;
  /** To whom; absent where it is about several, or about the time. */
  readonly name?: string | undefined;
  /** Why nothing would be done. */
  readonly suppression?: Explained<Reason | NotBeyond> | undefined;
  readonly steps: readonly StepView[];
}

/** None of the items has a field beyond its line now. */
export type NotBeyond =
  | { readonly kind: 'notAbove'; readonly field: string; readonly line: number }
  | { readonly kind: 'notBelow'; readonly field: string; readonly line: number };

export interface StepView {
  /** Its id, or its place in English. */
  readonly name: string;
  readonly position: StepPosition;
  readonly do: string;
  readonly account: string;
  /** How long after the firing; as text in English. */
  readonly after?: { readonly ms: number; readonly text: string } | undefined;
  /** Why it is skipped or cannot be done. */
  readonly notRun?: ({ readonly kind: 'skipped' | 'failed' } & Explained<DeliveryReason>) | undefined;
  /** Whether it only asks, which was really done. */
  readonly reads: boolean;
  readonly remarks: readonly StepRemark[];
  /** Each message, post or call. */
  readonly messages: readonly MessagePreview[];
}

/** A text was cut, nothing can be written where it would stand, or a file that goes with it cannot be sent. */
export type StepRemark =
  | { readonly kind: 'cut'; readonly detail: string }
  | { readonly kind: 'closed'; readonly channel: string; readonly error: string }
  | { readonly kind: 'file'; readonly path: string; readonly error: string }
  /** It is sent without a part, or, if it is strict, fails. */
  | { readonly kind: 'without'; readonly omission: Omission; readonly strict: boolean };

export interface MessagePreview {
  /** Where it goes. */
  readonly target?: MessageTarget | undefined;
  /** What it says. */
  readonly text?: string | undefined;
  /** Whether the text is Markdown there; what is foreign in it is escaped. */
  readonly isMarkdown: boolean;
  readonly embed?: JsonObject | undefined;
  /** What else is said to the platform. */
  readonly others: readonly (readonly [string, Json | undefined])[];
  /** How long the texts are that people read. */
  readonly lengths: readonly TextLength[];
  /** Who would be pinged; absent where nobody can be. */
  readonly pings?: readonly string[] | undefined;
  /** Names in it that call nobody there. */
  readonly onlyText?: readonly string[] | undefined;
}

export type MessageTarget =
  | { readonly kind: 'channel'; readonly channel: string; /** Of a standing message. */ readonly name?: string | undefined }
  | { readonly kind: 'message'; readonly message: string };

export interface TextLength {
  /** As `embed.title`. */
  readonly path: string;
  readonly length: number;
  /** How long it may be; absent: as long as it likes. */
  readonly most?: number | undefined;
}

/** Previews of rules. Nothing is sent. */
export interface Previewer extends AsyncDisposable {
  /** Whether the previewer started a sandbox. */
  readonly startedSandbox: boolean;
  /** Previews all instances of a rule, or one. Without such a rule, the result has the diagnostics of all rules. */
  preview(id: string, items: number): Promise<RuleViews<PreviewView>>;
}

/** Views of the instances of a rule; without an instance, the errors of all rule files. */
export interface RuleViews<V> {
  readonly views: readonly V[];
  readonly diagnostics: readonly Diagnostic[];
  /** The names of all rules. */
  readonly names: readonly string[];
}
