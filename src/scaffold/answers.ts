import type { Diagnostic } from '#src/rules/diagnostic.ts';

/** What a new rule watches. */
export type ScaffoldKind = 'top' | 'live' | 'clips' | 'posts';

/** Where it says what happens. */
interface Targets {
  /** A channel in Discord; absent: nothing is said there. */
  readonly channel?: string | undefined;
  /** Whether it is posted, too. */
  readonly post: boolean;
}

/** What its author answered. */
export interface ScaffoldAnswers {
  readonly id: string;
  readonly kind: ScaffoldKind;
  /** The game, or whose channels or posts; never empty. */
  readonly whom: readonly string[];
  readonly targets: Targets;
  /** How often it looks, as `5m`. */
  readonly every: string;
  /** Only streams with so many viewers, clips with so many views; 0: all. */
  readonly least: number;
  /** Of a top list, how many targets. */
  readonly take: number;
  /** The account that reads, where there are several that could. */
  readonly account?: string | undefined;
}

/** A rule that its author asked for, and its tests: not written yet. */
interface Draft {
  readonly file: string;
  readonly rule: string;
  readonly testFile: string;
  readonly test: string;
  /** What `check` says of it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Makes rules from answers. */
export interface Scaffold {
  /** The accounts that could read what a rule watches or say what happens, by the first word of a verb; the defaults first. */
  accountsFor(client: 'streaming' | 'social' | 'discord'): { readonly all: readonly string[]; readonly defaults: readonly string[] };
  /** Whether there is a file of this name already. */
  isTaken(id: string): Promise<boolean>;
  draft(answers: ScaffoldAnswers): Draft;
  /** Writes both files; neither is ever written over. */
  write(draft: Draft): Promise<void>;
}
