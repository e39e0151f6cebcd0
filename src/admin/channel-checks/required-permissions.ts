import { isJsonList, type Json } from '#src/clients/operation/json.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import { NO_LISTS, type Lists } from '#src/rules/lists.ts';
import { channelUse, operationsOf, type ChannelPosition, type Rule } from '#src/rules/rule.ts';
import type { Step, StepNames } from '#src/rules/step.ts';
import { contentPermissions, OPERATION_PERMISSIONS, rolesOfButtons, type ChannelPermission } from './operation-permissions.ts';

/** What a rule needs in Discord: permissions in a channel, a role that it can change, or the list of members. */
export type Requirement = ChannelRequirement | RoleRequirement | MembersRequirement;

/** The members that a rule reads. */
interface MembersRequirement {
  readonly account: string;
  /** Their role; undefined: all members, or a computed role. */
  readonly membersOf: string | undefined;
  readonly readsStatus: boolean;
  readonly at: ChannelPosition | undefined;
}

/** A role that a rule adds or removes. */
interface RoleRequirement {
  readonly account: string;
  readonly role: string;
  readonly at: ChannelPosition | undefined;
}

/** The permissions that an account needs in a channel. */
interface ChannelRequirement {
  readonly account: string;
  /** The name or id of the channel, as the rule or the entry names it. */
  readonly channel: string;
  /** The entries that name the channel, as text; absent: the rule names it. */
  readonly entry?: string | undefined;
  readonly thread: string | undefined;
  readonly needs: readonly ChannelPermission[];
  /** The tags of a forum post. */
  readonly tags: readonly string[] | undefined;
  /** The roles and members that a message pings. */
  readonly mentions: readonly string[] | undefined;
  /** Whether the rule sends something to the channel. */
  readonly writes: boolean;
  /** The question that the rule asks in the channel. */
  readonly question: { readonly roles: readonly string[] | undefined } | undefined;
  /** Where the rule names the channel; undefined for a rule without a file. */
  readonly at: ChannelPosition | undefined;
}

/** The permissions of the operations on a channel, in addition to View Channel. */
const NEEDS: Readonly<Record<string, readonly ChannelPermission[]>> = {
  'discord.send': OPERATION_PERMISSIONS['discord.send'],
  'discord.put': OPERATION_PERMISSIONS['discord.put'],
  'discord.ask': OPERATION_PERMISSIONS['discord.ask'],
  'discord.thread': OPERATION_PERMISSIONS['discord.thread'],
  'discord.getMessages': OPERATION_PERMISSIONS['discord.getMessages'],
};

const CHANGES_ROLES: ReadonlySet<string> = new Set(['discord.addRole', 'discord.removeRole']);

/** The channels of entries that are checked. */
const MOST_CHANNELS = 100;

/** The channel of a step that is a field of the entry. */
const ENTRY_CHANNEL = /^\$\{\{\s*item\.person\.(\w+)\s*\}\}$/u;

/**
 * What a rule needs in channels and of roles with a fixed name, and in the channels of the entries of its list. Other computed names are only
 * known when the rule fires.
 */
export function requirementsOf(rule: Rule, lists: Lists = NO_LISTS): readonly Requirement[] {
  return operationsOf(rule).flatMap((operation) => [
    ...operationRequirements(operation, rule),
    ...entryRequirements(operation, rule, lists),
  ]);
}

/** Discord shows the problems of the lists of its servers to these servers only, so only the entries of the installation are checked. */
function entryRequirements(operation: Operation, rule: Rule, lists: Lists): readonly Requirement[] {
  const { channel } = operation.with;
  const list = rule.watched?.people?.list;
  if (typeof channel !== 'string' || list === undefined) return [];
  const [, field] = ENTRY_CHANNEL.exec(channel) ?? [];
  if (field === undefined) return [];
  const at = rule.channels?.[channelUse(operation.do, channel)];
  const entries = lists.entries(list).flatMap(({ id, server, fields }) => {
    const named = fields[field];
    return server === undefined && typeof named === 'string' && named !== '' ? [{ id, named }] : [];
  });
  return [...Map.groupBy(entries, ({ named }) => named)].slice(0, MOST_CHANNELS).flatMap(([named, some]) => {
    const names = `${some[0]?.id}${some.length > 1 ? ` and ${some.length - 1} more` : ''}`;
    const entry = `${names} in the list ${list}`;
    const found = operationRequirements({ ...operation, with: { ...operation.with, channel: named } }, rule);
    return found.map((one) => ('channel' in one ? { ...one, entry, at } : one));
  });
}

type Operation = Pick<Step, 'do' | 'with' | 'as'>;

/** What one operation needs, as far as its parameters are fixed. */
export function operationRequirements(
  { do: verb, with: params, as: accounts }: Operation,
  { names, channels }: Pick<Rule, 'names' | 'channels'>,
): readonly Requirement[] {
  const roleAt = typeof params['role'] === 'string' ? channels?.[channelUse(verb, params['role'])] : undefined;
  if (verb === 'discord.getMembers') {
    const membersOf = fixed(params['role'], names);
    return accounts.map((account) => ({ account, membersOf, readsStatus: params['status'] !== undefined, at: roleAt }));
  }
  if (CHANGES_ROLES.has(verb)) {
    const role = fixed(params['role'], names);
    const at = roleAt;
    return role === undefined ? [] : accounts.map((account) => ({ account, role, at }));
  }
  const roles = namesIn(rolesOfButtons(params), names) ?? [];
  const ofButtons = roles.flatMap((role) => accounts.map((account) => ({ account, role, at: undefined })));
  const needs = NEEDS[verb];
  const channel = fixed(params['channel'], names);
  const thread = params['thread'] === undefined ? undefined : fixed(params['thread'], names);
  if (!needs || channel === undefined || (thread === undefined && params['thread'] !== undefined)) return ofButtons;
  const requirement = {
    channel,
    thread,
    needs: ['View Channel', ...needs, ...contentPermissions(params)] as const,
    tags: namesIn(params['tags'], names),
    mentions: namesIn(params['mention'], names),
    writes: verb !== 'discord.getMessages',
    question: verb === 'discord.ask' ? { roles: namesIn(params['roles'], names) } : undefined,
    at: typeof params['channel'] === 'string' ? channels?.[channelUse(verb, params['channel'])] : undefined,
  };
  return [...ofButtons, ...accounts.map((account) => ({ account, ...requirement }))];
}

function namesIn(list: Json | undefined, names: StepNames): readonly string[] | undefined {
  return isJsonList(list) ? list.flatMap((one) => fixed(one, names) ?? []) : undefined;
}

/** The value of a text without expressions or with one constant; undefined for other expressions. */
function fixed(value: Json | undefined, { constants }: StepNames): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (!isTemplate(value)) return value;
  const [, kind, name = ''] = /^\$\{\{\s*(each|vars)\.(\w+)\s*\}\}$/.exec(value) ?? [];
  const found = kind === 'each' || kind === 'vars' ? constants?.[kind][name] : undefined;
  return typeof found === 'string' ? found : undefined;
}
