import type { Path } from '../../document/report.ts';
import type { Desk } from '../desk.ts';

/** What looks like an expression of other languages; `${{` begins ours, and `$${{` stands for itself. */
const BARE = /(?<![${])\{\{[^{}]{1,200}\}\}/u;

/** Warns of `{{ }}` without its `$`: it would be sent as it is. */
export function warnOfBraces(text: string, path: Path, { document, report }: Desk): void {
  const found = BARE.exec(text);
  if (found)
    report.warning(
      document.textSpot(path, found.index),
      `${found[0]} is sent as it is written`,
      `write $${found[0]} to have it worked out`,
    );
}
