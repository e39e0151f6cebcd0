import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DECISION_REASONS } from '../../../docs/generator/reasons/decision-reasons.ts';
import { GATE_REASONS } from '../../../docs/generator/reasons/gate-reasons.ts';
import { STEP_REASONS } from '../../../docs/generator/reasons/step-reasons.ts';

/** The kinds of a type, from its declaration. */
function kindsOf(file: string, type: string): readonly string[] {
  const source = readFileSync(`src/rules/reasons/${file}.ts`, 'utf8');
  const start = source.indexOf(`export type ${type} =`);
  const declaration = source.slice(start, source.indexOf('\n\n', start));
  const lines = declaration.split('\n').filter((line) => /^ {2}\| |^ {6}readonly kind: /u.test(line));
  return lines.flatMap((line) =>
    [...(/readonly kind: ([^;}]+)/u.exec(line)?.[1] ?? '').matchAll(/'(\w+)'/gu)].map(([, kind = '']) => kind),
  );
}

const groups = [
  // These have their own types.
  { file: 'reason', type: 'Reason', entries: DECISION_REASONS, others: ['filteredOut', 'pollPartlyFailed', 'restricted', 'unchanged'] },
  { file: 'reason', type: 'GateSuppression', entries: GATE_REASONS, others: [] },
  { file: 'reason', type: 'Suppression', entries: GATE_REASONS, others: [] },
  { file: 'step-reason', type: 'StepReason', entries: STEP_REASONS, others: [] },
];

describe('docs/reference/reasons.md', () => {
  test.for(groups)('has every kind of $type', ({ file, type, entries, others }) => {
    const kinds = [...kindsOf(file, type), ...others];

    expect(kinds.length).toBeGreaterThan(5);
    expect(kinds.filter((kind) => !Object.hasOwn(entries, kind))).toEqual([]);
  });

  test.for([...Object.entries(DECISION_REASONS), ...Object.entries(GATE_REASONS), ...Object.entries(STEP_REASONS)])(
    'has an example, a meaning and an action for %s',
    ([kind, { examples, meaning, action }]) => {
      expect(examples.length).toBeGreaterThan(0);
      expect(examples.filter((example) => example.kind !== kind)).toEqual([]);
      expect([meaning, action].filter((text) => !text.endsWith('.'))).toEqual([]);
    },
  );
});
