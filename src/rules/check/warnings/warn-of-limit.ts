import type { ParameterLimit } from '#src/operation/capability.ts';
import type { Path } from '../../document/report.ts';
import { ownText, parseTemplate } from '../../grammar/template.ts';
import type { Desk } from '../desk.ts';
import { fixedText } from '../fixed-text.ts';

interface Limited {
  readonly limit: ParameterLimit;
  /** The account that has it. */
  readonly who: string;
  /** Where the parameter stands. */
  readonly path: Path;
}

/** Warns of a text, or of each text of a list, that is longer than the platform takes by what its author wrote alone. */
export function warnOfLimit(value: unknown, { limit, who, path }: Limited, desk: Desk): void {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, text] of texts.entries()) {
    if (typeof text !== 'string') continue;
    const length = limit.lengthOf(fixedText(text, desk) ?? ownText(parseTemplate(text)));
    if (length <= limit.most) continue;
    const [where, fate] = limit.varies ? [' in most places', 'may fail'] : ['', 'fails'];
    const message = `this is ${length} characters long, and ${who} takes ${limit.most} here${where}: the step ${fate} there`;
    desk.report.warning(desk.document.spot(Array.isArray(value) ? [...path, index] : path), message, 'say it shorter');
  }
}
