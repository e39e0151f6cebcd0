import { isScalar } from 'yaml';
import { startOf, walkNodes } from '#src/rules/document/rule-document.ts';
import type { Path } from '#src/rules/document/report.ts';
import { misreadThousands } from '#src/rules/expression/misread-numbers.ts';
import type { CheckContext } from './check-context.ts';

/** Warns of numbers with a dot between their thousands, because YAML reads it as a decimal point: `1.000` becomes 1. */
export function checkThousands(path: Path, { document, report }: Pick<CheckContext, 'document' | 'report'>): void {
  walkNodes(document.nodeAt(path), (node) => {
    const misread = isScalar(node) && typeof node.value === 'number' ? misreadThousands(node.source ?? '') : undefined;
    if (misread) report.warning({ path, offset: startOf(node) }, 'misread-number', misread.message, misread.hint);
    return 'in';
  });
}
