import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import { allSteps, type Rule } from '#src/rules/rule.ts';
import type { Step, StepNames } from '#src/rules/step.ts';

type Permission = 'View Channel' | 'Send Messages' | 'Read Message History' | 'Create Public Threads' | 'Embed Links' | 'Attach Files';

/** The permissions that an account needs in a channel. */
export interface ChannelRequirement {
  readonly account: string;
  /** The name or id of the channel, as the rule names it. */
  readonly channel: string;
  readonly thread: string | undefined;
  readonly needs: readonly Permission[];
  /** The tags of a forum post. */
  readonly tags: readonly string[] | undefined;
  /** Whether the rule sends something to the channel. */
  readonly writes: boolean;
}

/** The permissions of each operation on a channel, in addition to View Channel. */
const NEEDS: Readonly<Record<string, readonly Permission[]>> = {
  'discord.send': ['Send Messages'],
  // Fanfare searches the channel for the message of an unanswered request.
  'discord.put': ['Send Messages', 'Read Message History'],
  'discord.ask': ['Send Messages'],
  'discord.thread': ['Create Public Threads'],
  'discord.getMessages': ['Read Message History'],
};

/** The permissions that a rule needs in channels with a fixed name. Computed names are only known when the rule fires. */
export function requirementsOf(rule: Rule): readonly ChannelRequirement[] {
  const { watched, names } = rule;
  const ofSteps = allSteps(rule).flatMap((step) => stepRequirements(step, names));
  const read = watched && stepRequirements({ do: watched.verb, with: watched.with, as: watched.accounts }, names);
  return [...ofSteps, ...(read ?? [])];
}

function stepRequirements(
  { do: verb, with: params, as: accounts }: Pick<Step, 'do' | 'with' | 'as'>,
  names: StepNames,
): readonly ChannelRequirement[] {
  const needs = NEEDS[verb];
  const channel = fixed(params['channel'], names);
  const thread = params['thread'] === undefined ? undefined : fixed(params['thread'], names);
  if (!needs || channel === undefined || (thread === undefined && params['thread'] !== undefined)) return [];
  const requirement = {
    channel,
    thread,
    needs: ['View Channel', ...needs, ...contentNeeds(params)] as const,
    tags: tagsOf(params['tags'], names),
    writes: verb !== 'discord.getMessages',
  };
  return accounts.map((account) => ({ account, ...requirement }));
}

function contentNeeds({ embed, files, replyTo }: JsonObject): readonly Permission[] {
  const keeps = isJsonObject(embed) && embed['pictures'] === 'keep';
  const needs: readonly (readonly [boolean, Permission])[] = [
    [embed !== undefined, 'Embed Links'],
    [files !== undefined || keeps, 'Attach Files'],
    [replyTo !== undefined, 'Read Message History'],
  ];
  return needs.flatMap(([isNeeded, permission]) => (isNeeded ? [permission] : []));
}

function tagsOf(tags: Json | undefined, names: StepNames): readonly string[] | undefined {
  return isJsonList(tags) ? tags.flatMap((tag) => fixed(tag, names) ?? []) : undefined;
}

/** The value of a text without expressions or with one constant; undefined for other expressions. */
function fixed(value: Json | undefined, { constants }: StepNames): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (!isTemplate(value)) return value;
  const [, kind, name = ''] = /^\$\{\{\s*(each|vars)\.(\w+)\s*\}\}$/.exec(value) ?? [];
  const found = kind === 'each' || kind === 'vars' ? constants?.[kind][name] : undefined;
  return typeof found === 'string' ? found : undefined;
}
