import type { Json } from '#src/clients/operation/json.ts';
import type { CommandUse } from '#src/rules/evaluate/command-use.ts';
import type { RuleCommand } from '#src/rules/rule.ts';
import type { CommandOption } from '#src/rules/step.ts';

const MEMBER = 'Ada';

/** What a test gives of a use. Members and channels are texts. */
export interface GivenUse {
  /** The displayed name of the member. */
  readonly user?: string | undefined;
  readonly options?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** A use of the command at an instant, with sample values for what is not given. Wrong and missing values of options are reported. */
export function sampleUse(
  command: RuleCommand,
  { user = MEMBER, options = {} }: GivenUse,
  { atMs, reportError }: { readonly atMs: number; readonly reportError: (message: string) => void },
): CommandUse {
  const known = command.options.map(({ name }) => name);
  for (const name of Object.keys(options)) {
    if (!known.includes(name))
      reportError(`/${command.name} has no option ${name}${known.length > 0 ? `; available: ${known.join(', ')}` : ''}`);
  }
  const values = command.options.flatMap((option): readonly (readonly [string, Json])[] => {
    const given = options[option.name];
    if (given === undefined && option.required) reportError(`/${command.name} needs the option ${option.name}`);
    if (given === undefined) return [];
    const value = valueOf(option, given);
    if (value === undefined) reportError(`the option ${option.name} of /${command.name} is ${expected(option)}`);
    return value === undefined ? [] : [[option.name, value]];
  });
  return {
    id: `use-${atMs}`,
    name: command.name,
    user: memberOf(user),
    channel: { id: 'channel-general', name: 'general' },
    server: 'server-1',
    locale: 'en-US',
    options: Object.fromEntries(values),
  };
}

/** Values for the required options of a command. */
export function sampleOptions({ options }: RuleCommand): NonNullable<GivenUse['options']> {
  const required = options.filter((option) => option.required);
  return Object.fromEntries(required.map((option) => [option.name, sampleValue(option)]));
}

function sampleValue({ type, choices = [] }: CommandOption): string | number | boolean {
  if (type === 'integer') return 1;
  if (type === 'boolean') return true;
  return type === 'channel' ? 'general' : (choices[0] ?? MEMBER.toLowerCase());
}

function valueOf({ type, choices = [] }: CommandOption, given: string | number | boolean): Json | undefined {
  if (type === 'integer') return Number.isSafeInteger(given) ? given : undefined;
  if (type === 'boolean') return typeof given === 'boolean' ? given : undefined;
  if (typeof given !== 'string') return undefined;
  if (type === 'choice') return choices.includes(given) ? given : undefined;
  if (type === 'user') return memberOf(given);
  return type === 'channel' ? { id: `channel-${given}`, name: given } : given;
}

function expected({ type, choices = [] }: CommandOption): string {
  if (type === 'choice') return `one of ${choices.join(', ')}`;
  return {
    string: 'a text',
    integer: 'a whole number',
    boolean: 'true or false',
    user: 'the name of a member',
    channel: 'the name of a channel',
  }[type];
}

function memberOf(displayName: string): CommandUse['user'] {
  const handle = displayName.toLowerCase().replaceAll(/[^\w.]+/gu, '_');
  return { id: `member-${handle}`, handle, displayName };
}
