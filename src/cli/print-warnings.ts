import { wrap } from '#src/rules/messages/wrap.ts';
import type { Terminal } from './terminal.ts';

/** A warning about the environment. */
export interface Warning {
  readonly where: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Prints warnings, one line each: `.env:3: Fanfare has no variable TWICH_CLIENT_ID: did you mean TWITCH_CLIENT_ID?`. */
export function printWarnings(warnings: readonly Warning[], out: Terminal): void {
  for (const { where, message, hint } of warnings) {
    const text = `warning: ${where}: ${message}${hint === undefined ? '' : `: ${hint}`}`;
    out.printError(wrap(out.paint('yellow', text), { indent: 2, columns: out.columns }));
  }
}
