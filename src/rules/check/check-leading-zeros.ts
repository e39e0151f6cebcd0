import { isPair, isScalar } from 'yaml';
import { startOf, walkNodes } from '#src/rules/document/rule-document.ts';
import type { Path } from '#src/rules/document/report.ts';
import type { CheckContext } from './check-context.ts';

/** Warns of numbers with leading zeros in values of any type, because YAML drops the zeros: `007` becomes 7. */
export function checkLeadingZeros(path: Path, { document, report }: Pick<CheckContext, 'document' | 'report'>): void {
  walkNodes(document.nodeAt(path), (node, above) => {
    const holder = above.at(-1);
    const isKey = isPair(holder) && holder.key === node;
    if (!isScalar(node) || isKey || typeof node.value === 'string' || !/^[-+]?0\d/u.test(node.source ?? '')) return 'in';
    const message = `${node.source} is read as the number ${String(node.value)}`;
    report.warning({ path, offset: startOf(node) }, 'leading-zeros', message, `put quotes around it: "${node.source}"`);
    return 'in';
  });
}
