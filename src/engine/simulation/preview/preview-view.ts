import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Omission } from '#src/clients/operation/part.ts';
import type { StepPosition } from '#src/rules/step-name.ts';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import type { Explained, PartlyFailed, Reason } from '#src/rules/reasons/reason.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { Fault } from '#src/errors.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { ScenarioKind } from './scenario-kind.ts';
import type { NotBeyond } from './not-beyond.ts';

/** The messages that a rule would send if its items were new now. */
export interface PreviewView {
  readonly rule: Rule;
  /** The poll; absent if the rule watches nothing. */
  readonly read?: ReadView | undefined;
  readonly scenarios: readonly ScenarioView[];
}

/** A user that a rule reads through an account. */
export interface NamedUser {
  readonly account: string;
  readonly user: string;
}

export interface ReadView {
  /** Why the poll failed, and the fault of the platform. */
  readonly failure?: string | undefined;
  readonly fault?: Fault | undefined;
  /** The parts of the poll that were not read; absent: everything was read, or nothing. */
  readonly partlyFailed?: Explained<PartlyFailed> | undefined;
  readonly count: number;
  /** The number of items after `where` and `take`. */
  readonly counted: number;
  /** Whether the list is empty and the scenarios use a sample item, for which `where` does not apply. */
  readonly isSample: boolean;
  /** The users in the rule that their platform does not have. */
  readonly unknownUsers?: readonly NamedUser[] | undefined;
  /** Examples of items that `where` excludes, with the reason. */
  readonly excluded: readonly ({ readonly name: string } & Explained<Falsehood>)[];
}

/** An event, and the steps that the rule would run. */
export interface ScenarioView {
  readonly kind: ScenarioKind;
  /** The name of the item; absent for several items and for `time`. */
  readonly name?: string | undefined;
  /** Why the rule would run no step. */
  readonly suppression?: Explained<Reason | NotBeyond> | undefined;
  readonly steps: readonly StepView[];
}

export interface StepView {
  /** Its id, or its position in English. */
  readonly name: string;
  readonly position: StepPosition;
  readonly do: string;
  readonly account: string;
  /** The delay after the firing, also as text in English. */
  readonly after?: { readonly ms: number; readonly text: string } | undefined;
  /** Why the step is skipped, or why it or elements of its list fail: the different reasons. */
  readonly notRun?: ({ readonly kind: 'skipped' | 'failed' } & Explained<DeliveryReason>) | undefined;
  /** Whether the step only reads. The preview runs such steps. */
  readonly reads: boolean;
  readonly remarks: readonly StepRemark[];
  /** The messages, posts or calls of the step. */
  readonly messages: readonly MessagePreview[];
}

/**
 * A remark: a text, a content warning or the cards are shortened, a mention is left out, an edit removes all buttons, a channel or role cannot be used, or
 * a file cannot be sent.
 */
export type StepRemark =
  | { readonly kind: 'cut'; readonly detail: string }
  /** The content warning of a post is cut. */
  | { readonly kind: 'cutWarning'; readonly detail: string }
  /** The cards are too long together: their last fields and the end of their descriptions are cut. */
  | { readonly kind: 'cutCards'; readonly length: number; readonly most: number }
  /** A name of all members in `mention` that comes from a text of a platform. */
  | { readonly kind: 'foreignPing'; readonly name: string }
  /** An edit removes all buttons: it has none that Discord accepts. */
  | { readonly kind: 'removesButtons' }
  | { readonly kind: 'target'; readonly error: string }
  | { readonly kind: 'file'; readonly path: string; readonly error: string }
  /** The message is sent without a part, or fails: the step is strict, or nothing is left. */
  | { readonly kind: 'without'; readonly omission: Omission; readonly fails: boolean };

export interface MessagePreview {
  /** The channel, or the message that the step edits. */
  readonly target?: MessageTarget | undefined;
  readonly text?: string | undefined;
  /** Whether the platform renders the text as Markdown. Untrusted parts of such a text are escaped. */
  readonly isMarkdown: boolean;
  /** The cards. A layout is shown as a card. */
  readonly embeds: readonly JsonObject[];
  /** The labels of the buttons. */
  readonly buttons: readonly string[];
  /** The other parameters of the call. */
  readonly others: readonly (readonly [string, Json | undefined])[];
  /** The lengths of the visible texts. */
  readonly lengths: readonly TextLength[];
  /** The people and roles that it pings; absent if it cannot ping. */
  readonly pings?: readonly string[] | undefined;
  /** Names in the text that do not notify anyone on the platform. */
  readonly onlyText?: readonly string[] | undefined;
}

export type MessageTarget =
  | { readonly kind: 'channel'; readonly channel: string; /** The name of a standing message. */ readonly name?: string | undefined }
  | { readonly kind: 'message'; readonly message: string };

export interface TextLength {
  /** As `embed.title`. */
  readonly path: string;
  readonly length: number;
  /** The limit; absent if there is none. */
  readonly most?: number | undefined;
}

/** Previews of rules. Nothing is sent. */
export interface Previewer extends AsyncDisposable {
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
