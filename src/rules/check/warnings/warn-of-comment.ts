import type { Path } from '../../document/report.ts';
import type { Desk } from '../desk.ts';

/** Warns of plain text that ends at " #", which few expect of a title such as "Top #1". */
export function warnOfComment(path: Path, { document, report }: Desk): void {
  if (!document.endsAtComment(path)) return;
  const hint = 'put quotes around the text, or the comment above it';
  report.warning(document.spot(path), 'the text ends before " #": the rest of the line is a comment', hint);
}
