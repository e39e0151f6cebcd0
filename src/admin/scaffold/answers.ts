import type { Diagnostic } from '#src/rules/diagnostic.ts';

/** What a new rule watches. */
export type ScaffoldKind = 'top' | 'live' | 'clips' | 'posts';

/** Where the rule announces. */
interface Targets {
  /** A Discord channel; absent: no message in Discord. */
  readonly channel?: string | undefined;
  /** Whether the rule also posts. */
  readonly post: boolean;
}

/** The answers of the author of a rule. */
export interface ScaffoldAnswers {
  readonly id: string;
  readonly kind: ScaffoldKind;
  /** The game, the channels or the author of the posts; never empty. */
  readonly whom: readonly string[];
  readonly targets: Targets;
  /** The interval between polls, for example `5m`. */
  readonly every: string;
  /** The minimum number of viewers of streams or views of clips; 0 for all. */
  readonly least: number;
  /** The number of places of a top list. */
  readonly take: number;
  /** The account that reads; absent: the default. */
  readonly account?: string | undefined;
}

/** The source of a new rule and its tests, not written yet. */
interface Draft {
  readonly file: string;
  readonly rule: string;
  readonly testFile: string;
  readonly test: string;
  /** The diagnostics of the rule. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Makes rules from answers. */
export interface Scaffold {
  /** The accounts of a client; the defaults first. */
  accountsFor(client: 'streaming' | 'social' | 'discord'): { readonly all: readonly string[]; readonly defaults: readonly string[] };
  /** Whether a rule file with this id exists. */
  isTaken(id: string): Promise<boolean>;
  draft(answers: ScaffoldAnswers): Draft;
  /** Writes both files. Rejects if one exists. */
  write(draft: Draft): Promise<void>;
}
