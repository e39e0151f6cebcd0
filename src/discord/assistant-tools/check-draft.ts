import type { RuleRefusal } from '#src/clients/assistant/drafts.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { formatDiagnostic, type Diagnostic } from '#src/rules/diagnostic.ts';
import { allSteps, operationsOf, type Rule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import { formatCase } from '#src/engine/testing/format-case.ts';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { accountFacts } from '#src/engine/simulation/account-facts.ts';
import { runRuleTests } from '#src/engine/simulation/run-rule-tests.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { OFFERED, WITHHELD } from './offered-reads.ts';
import { isPost, reservedUse } from './reserved-steps.ts';

/** The context for checks of drafted rules. */
export interface CheckContext {
  readonly accounts: Accounts;
  readonly isOn: (rule: Pick<Rule, 'enabled'>) => boolean;
  readonly nowMs: () => number;
  /** The source of a drafted rule for its file. */
  readonly sourceToWrite: (source: string) => string;
  /** Whether a rule has this id, or its file exists with other content than this source. */
  readonly isTaken: (id: string, source: string) => Promise<boolean>;
}

/** The result of a check. A rule with `wrong` cannot run. */
export interface CheckedDraft {
  readonly rule: string;
  readonly wrong?: RuleRefusal | undefined;
  /** Whether it writes under the name of an account. Its approver must be allowed to post. */
  readonly posts?: true | undefined;
  /** The warnings. */
  readonly remarks: readonly string[];
}

/** Checks a drafted rule and runs its tests. */
export async function checkDraft(source: string, tests: string | undefined, context: CheckContext): Promise<CheckedDraft> {
  const { accounts, isOn, nowMs, isTaken } = context;
  const { rules, diagnostics } = checkRule({ file: 'rule.yaml', source, catalogue, accounts, isOn, nowMs: nowMs() });
  const [rule] = rules;
  const errors = formatAll(diagnostics, 'error');
  const name = rule?.name ?? '';
  const bad = (wrong: RuleRefusal): CheckedDraft => ({ rule: name, wrong, remarks: [] });
  if (!rule || errors.length > 0) return bad({ kind: 'check', lines: errors.join('\n') });
  if (rule.enabled !== true) return bad({ kind: 'switched' });
  const forbidden = forbiddenIn(rules);
  if (forbidden) return bad(forbidden);
  if (await isTaken(name, source)) return bad({ kind: 'taken', rule: name });
  const failures = tests === undefined ? [] : await failing(tests, rules, accounts);
  if (failures.length > 0) return bad({ kind: 'tests', lines: failures.join('\n') });
  const posts = rules.flatMap(allSteps).some(isPost) || undefined;
  return { rule: name, posts, remarks: formatAll(diagnostics, 'warning') };
}

/** Why only an operator may write a rule; undefined for other rules. The values of `each` decide about the operations of an instance. */
function forbiddenIn(rules: readonly Rule[]): RuleRefusal | undefined {
  const steps = rules.flatMap(allSteps);
  if (steps.some(attaches)) return { kind: 'files' };
  if (rules.some(readsRestricted)) return { kind: 'restricted' };
  const [use] = steps.flatMap((step) => reservedUse(step) ?? []);
  if (use) return { kind: 'reserved', use };
  const secret = rules.flatMap(operationsOf).find(({ do: verb }) => isWithheld(verb))?.do;
  return secret === undefined ? undefined : { kind: 'withheld', verb: secret, why: WITHHELD[secret] ?? 'not everyone can see it' };
}

/** Whether the assistant may not use a read. A rule could publish the result. */
function isWithheld(verb: string): boolean {
  const declared = catalogue.get(verb);
  const isPublic = verb in OFFERED || verb.startsWith('history.') || verb.startsWith('assistant.');
  return declared !== undefined && declared.kind !== 'write' && !isPublic;
}

/** Whether a rule reads records that not everyone can read, or publishes what is made from them. The approver could overlook it. */
function readsRestricted(rule: Rule): boolean {
  return rule.watched?.include !== undefined || allSteps(rule).some(({ include, audience }) => (include ?? audience) !== undefined);
}

/** Whether a step attaches files. The approver could overlook them, and an expression can name any path. */
function attaches({ with: params }: Step): boolean {
  return params['file'] !== undefined || params['files'] !== undefined;
}

function formatAll(diagnostics: readonly Diagnostic[], severity: Diagnostic['severity']): readonly string[] {
  return diagnostics
    .filter((diagnostic) => diagnostic.severity === severity)
    .map((diagnostic) => formatDiagnostic(diagnostic, { color: false }));
}

async function failing(source: string, rules: readonly Rule[], accounts: Accounts): Promise<readonly string[]> {
  const { tests, diagnostics } = readRuleTests({ file: 'rule.test.yaml', source, beside: rules[0]?.name });
  const errors = formatAll(diagnostics, 'error');
  if (!tests || errors.length > 0) return errors;
  const results = await runRuleTests({ tests, rules, catalogue, ...accountFacts(accounts) });
  return results.filter(({ passed }) => !passed).map((result) => formatCase(result, { color: false }));
}
