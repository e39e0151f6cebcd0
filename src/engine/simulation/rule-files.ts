import type { Diagnostic, DiagnosticStyle } from '#src/rules/diagnostic.ts';
import type { OffRule } from '#src/rules/messages/off-rules.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { CaseMessages } from '#src/engine/testing/format-case.ts';

/** The rule files of an installation. */
export interface RuleFiles {
  /** The rules folder. */
  readonly folder: string;
  /** Loads the rules in the named files and folders, the rules with these ids, or all rules, with their diagnostics. */
  load(names: readonly string[]): Promise<LoadedFiles>;
  /** Runs the tests beside the rules in the named files and folders, of the rules with these ids, or beside all rules. */
  runTests(names: readonly string[]): Promise<TestRun>;
  /** The JSON Schema of a rule file. */
  schema(): object;
  /** The JSON Schema of a list file. */
  listSchema(): object;
  formatDiagnostic(diagnostic: Diagnostic, style: DiagnosticStyle): string;
}

interface LoadedFiles {
  readonly rules: readonly Rule[];
  readonly diagnostics: readonly Diagnostic[];
  readonly files: number;
  readonly off: readonly OffRule[];
}

export interface TestRun {
  readonly diagnostics: readonly Diagnostic[];
  /** Rules without a test beside them. */
  readonly untested: readonly string[];
  /** The accounts of the tested rules that are not connected. */
  readonly simulatedAccounts: readonly string[];
  /** Grouped by rule. */
  readonly cases: readonly RanCase[];
}

interface RanCase {
  /** The rule's name. */
  readonly rule: string;
  readonly passed: boolean;
  /** `messages`: in one language. Absent: English. */
  readonly print: (options: { readonly color: boolean; readonly messages?: CaseMessages | undefined }) => string;
}
