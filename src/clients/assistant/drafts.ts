/** A post that waits for approval. */
export interface DraftedPost {
  readonly kind: 'post';
  readonly text: string;
  /** The social accounts that receive it. */
  readonly accounts: readonly string[];
}

/** A rule that waits for approval. */
export interface DraftedRule {
  readonly kind: 'rule';
  /** The id of the rule. Its file is `<rule>.yaml`. */
  readonly rule: string;
  /** The complete file. */
  readonly source: string;
  /** Its complete tests, which passed. */
  readonly tests?: string | undefined;
}

/** A draft of the assistant. Nothing is sent or runs before a person approves it. */
export interface Draft {
  readonly id: string;
  readonly content: DraftedPost | DraftedRule;
  /** The author of the question. */
  readonly by: string | undefined;
  readonly conversation: string;
  readonly state: 'open' | 'approved' | 'dropped';
  readonly madeAt: Date;
  /** The person who approved or dropped it. */
  readonly decidedBy?: string | undefined;
}

/** A person who decides about a draft. */
export interface Approver {
  readonly id: string;
  readonly name: string;
  readonly server: { readonly id: string } | undefined;
  may(ability: 'post' | 'operate'): boolean;
}

/** The permissions that a decision needs. `both`: the rule of the draft posts. */
export type NeededPermission = 'post' | 'operate' | 'both';

/** The permission that a person needs to decide about a draft. The approval of a rule that posts also needs `post`. */
export function neededFor({ content }: Draft): 'post' | 'operate' {
  return content.kind === 'post' ? 'post' : 'operate';
}

/** Whether a person may drop a draft, and read it: the author of the question, and those who may approve it. */
export function mayDrop(draft: Draft, { id, may }: Pick<Approver, 'id' | 'may'>): boolean {
  return draft.by === id || may(neededFor(draft));
}

/** The result of a decision. */
export type Decision =
  /** `where`: the file of the rule, or the id of the post. */
  | { readonly state: 'approved'; readonly where: string }
  | { readonly state: 'dropped' }
  /** Another decision came first. Nothing was done. */
  | { readonly state: 'decided'; readonly before: Draft }
  /** The draft no longer exists. */
  | { readonly state: 'gone' }
  /** The person lacks a permission. The draft stays open. */
  | { readonly state: 'forbidden'; readonly needs: NeededPermission }
  /** The draft cannot be approved. It stays open. */
  | { readonly state: 'refused'; readonly why: DraftRefusal };

/** The drafts that wait for a decision. */
export interface Drafts {
  /** A draft in any state; undefined if it no longer exists. */
  find(id: string): Promise<Draft | undefined>;
  /** Sends or enables it, once for any number of calls. */
  approve(id: string, approver: Approver): Promise<Decision>;
  /** Drops it. The author of the question and approvers may do this. */
  drop(id: string, approver: Approver): Promise<Decision>;
}

/** The stored drafts. Each is kept for a week, and the number of open ones is limited. */
export interface StoredDrafts {
  /** Stores a draft. A draft with a known id stays unchanged. */
  add(draft: Draft): Promise<void>;
  find(id: string): Promise<Draft | undefined>;
  /** Decides an open draft; false if it was not open. An approval, whose action was carried out, also replaces a drop. */
  decide(id: string, decision: { readonly state: 'approved' | 'dropped'; readonly by: string }): Promise<boolean>;
  /** Deletes the drafts of a conversation in any state. */
  forget(conversation: string): Promise<void>;
}

/** The effects that are reserved to rules of operators: changed roles, deletions, and pings of everyone. */
export type ReservedUse = 'roles' | 'deletes' | 'everyone';

/** Why a drafted rule cannot run. */
export type RuleRefusal =
  /** Its check or its tests fail, in the language of rules. */
  | { readonly kind: 'check' | 'tests'; readonly lines: string }
  /** It sets `enabled`. */
  | { readonly kind: 'switched' }
  /** It attaches files, which could be any file of the machine. */
  | { readonly kind: 'files' }
  /** It reads records that not everyone can read (`include`), or sends what is made from them to everyone (`audience`). */
  | { readonly kind: 'restricted' }
  /** Only an operator may write a rule that does this. */
  | { readonly kind: 'reserved'; readonly use: ReservedUse }
  /** It reads restricted data, for the reason in `why`. */
  | { readonly kind: 'withheld'; readonly verb: string; readonly why: string }
  | { readonly kind: 'taken'; readonly rule: string };

/** Why a draft cannot be approved. */
export type DraftRefusal =
  | RuleRefusal
  /** Its file could not be created. */
  | { readonly kind: 'unwritten'; readonly file: string }
  | { readonly kind: 'noAccount' }
  | { readonly kind: 'empty' | 'tooLong'; readonly account: string }
  /** The platform of the account would reject it, for the reason in `why`. */
  | { readonly kind: 'rejected'; readonly account: string; readonly why: string }
  /** It was refused, with a message for people. */
  | { readonly kind: 'unsent'; readonly why: string };
