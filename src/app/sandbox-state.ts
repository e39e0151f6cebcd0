import { existsSync } from 'node:fs';
import { openConfig } from '#src/config/open-config.ts';
import { sandboxFileOf } from '#src/config/data-directory.ts';

/** The lines to print before the first account is connected, if the state has simulated announcements. */
export function sandboxStateWarnings(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const config = openConfig(environment);
  if (config.sandbox !== 'inside' || !existsSync(sandboxFileOf(config))) return [];
  return [
    `! ${config.dataDirectory} has the state of the sandbox: what still waits in it will be sent to your accounts.`,
    '  To begin without it: stop Fanfare, move the files of this folder to another folder, and run this command again.',
  ];
}
