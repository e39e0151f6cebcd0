import type { Command } from 'commander';
import { UsageError } from './usage-error.ts';

/** What an action reads beside its name. */
export interface ActionArguments {
  /** The largest number of further arguments; absent: no limit. */
  readonly most?: number | undefined;
  /** The names of the options, for example `--role`. */
  readonly options?: readonly string[] | undefined;
  /** What to do instead, for a person who gives more arguments. */
  readonly hint?: string | undefined;
}

/** Refuses what an action does not read. To ignore it would be misleading: `lists delete team ada` would delete the whole list. */
export function refuseOthers(command: Command, action: string, { most = Infinity, options = [], hint }: ActionArguments): void {
  const other = command.args[most + 1];
  if (other !== undefined)
    throw new UsageError(`${action} does not take ${other}`, { argument: command.registeredArguments.at(-1)?.name(), hint });
  const typed = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli');
  const unread = typed.find(({ long = '' }) => long !== '--json' && !options.includes(long));
  if (unread?.long) throw new UsageError(`${action} does not take this option`, { argument: unread.long });
}
