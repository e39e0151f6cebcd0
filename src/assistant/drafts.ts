import type { DraftRefusal } from './refusal.ts';

/** A post that waits for somebody to let it out. */
export interface DraftedPost {
  readonly kind: 'post';
  readonly text: string;
  /** The social accounts that it is for. */
  readonly accounts: readonly string[];
}

/** A rule that waits for somebody to have it run. */
export interface DraftedRule {
  readonly kind: 'rule';
  /** The rule's id: its file is `<rule>.yaml`. */
  readonly rule: string;
  /** The file, whole. */
  readonly source: string;
  /** Its tests, whole; they passed. */
  readonly tests?: string | undefined;
}

/** Something that the assistant wrote and that is neither sent nor runs until a person says so. */
export interface Draft {
  readonly id: string;
  readonly content: DraftedPost | DraftedRule;
  /** Who asked for it, as the question says it. */
  readonly by: string | undefined;
  readonly conversation: string;
  readonly state: 'open' | 'approved' | 'dropped';
  readonly madeAt: Date;
  /** Who approved or dropped it. */
  readonly decidedBy?: string | undefined;
}

/** Who decides about a draft; an `Asker` of the bot is one. */
export interface Approver {
  readonly id: string;
  readonly name: string;
  readonly server: { readonly id: string } | undefined;
  may(ability: 'post' | 'operate'): boolean;
}

/** What became of a decision. */
export type Decision =
  /** `where`: the rule's file, or the id of the post. */
  | { readonly state: 'approved'; readonly where: string }
  | { readonly state: 'dropped' }
  /** Somebody decided before: nothing was done now. */
  | { readonly state: 'decided'; readonly before: Draft }
  /** There is no such draft any more. */
  | { readonly state: 'gone' }
  /** They may not; it is as open as before. */
  | { readonly state: 'forbidden'; readonly needs: 'post' | 'operate' }
  /** It cannot be done as it is, for this reason; it is as open as before. */
  | { readonly state: 'refused'; readonly why: DraftRefusal };

/** What the assistant wrote and somebody has to decide about. */
export interface Drafts {
  /** A draft, whatever became of it; undefined where there is none any more. */
  find(id: string): Promise<Draft | undefined>;
  /** Sends or enables it, once however often this is asked for. */
  approve(id: string, approver: Approver): Promise<Decision>;
  /** Takes it away: whoever asked for it may, and whoever may approve it. */
  drop(id: string, approver: Approver): Promise<Decision>;
}

/** Where drafts are kept over restarts: each for a week, and of open ones so many that nobody has to look through more. */
export interface StoredDrafts {
  /** Keeps it; one whose id is there already stays as it is. */
  add(draft: Draft): Promise<void>;
  find(id: string): Promise<Draft | undefined>;
  /** Whether it was open until now. */
  decide(id: string, decision: { readonly state: 'approved' | 'dropped'; readonly by: string }): Promise<boolean>;
  /** Drops those of a conversation, whatever became of them. */
  forget(conversation: string): Promise<void>;
}
