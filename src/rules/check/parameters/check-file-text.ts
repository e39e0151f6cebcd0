import type { Path } from '../../document/report.ts';
import { fits } from '../../expression/fits.ts';
import { FOLDER_HINT, isAddress, namesFolder } from '../../grammar/file-text.ts';
import { isTemplate, parseTemplate } from '../../grammar/template.ts';
import { textOf, type Shape } from '../../shape/shape.ts';
import type { Checked } from '../check-expression.ts';
import type { Desk } from '../desk.ts';
import type { PlacedText } from './texts-in.ts';

interface FileText extends PlacedText {
  readonly shape: Shape | undefined;
  readonly expressions: readonly Checked[] | undefined;
}

/** Notes which file of this machine a text names, and reports one that would let a platform choose it. */
export function checkFileText({ text, shape, expressions = [] }: FileText, path: Path, { document, report }: Desk): void {
  const file = shape && textOf(shape)?.file;
  if (!file) return;
  if (!isTemplate(text)) {
    if (text !== '' && !isAddress(text)) report.names(text, document.spot(path));
    return;
  }
  let before = '';
  for (const piece of parseTemplate(text).pieces) {
    if ('text' in piece) {
      before += piece.text;
      continue;
    }
    const { expression } = expressions.find(({ at }) => at === piece.at) ?? {};
    // What constants come to is not asked here: rendering knows.
    if (!expression || expression.isOwn) return;
    if (!fits(expression.type, { kind: 'text' })) continue;
    if (namesFolder(before) || (file === 'pathOrAddress' && (before === '' || isAddress(before)))) return;
    report.error(document.textSpot(path, piece.at), 'a platform must not choose a file of this machine', FOLDER_HINT);
    return;
  }
}
