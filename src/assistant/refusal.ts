/** Why a drafted rule cannot run. */
export type RuleRefusal =
  /** Its check or its tests say so, in the language of rules. */
  | { readonly kind: 'check' | 'tests'; readonly lines: string }
  /** It says itself whether it runs. */
  | { readonly kind: 'switched' }
  /** It attaches files, which may be any of the machine. */
  | { readonly kind: 'files' }
  /** It reads what not everybody may see, for the reason in `why`. */
  | { readonly kind: 'withheld'; readonly verb: string; readonly why: string }
  | { readonly kind: 'taken'; readonly rule: string };

/** Why a draft cannot be let out as it is. */
export type DraftRefusal =
  | RuleRefusal
  /** Its file could not be made. */
  | { readonly kind: 'unwritten'; readonly file: string }
  | { readonly kind: 'noAccount' }
  | { readonly kind: 'empty' | 'tooLong'; readonly account: string }
  /** The account's platform would not take it, for the reason in `why`. */
  | { readonly kind: 'unfit'; readonly account: string; readonly why: string }
  /** It was not taken, in words for people. */
  | { readonly kind: 'unsent'; readonly why: string };
