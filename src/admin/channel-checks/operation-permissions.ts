import type { MemberIntent } from '#src/admin/accounts/discord-setup.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { operationsOf, type Rule } from '#src/rules/rule.ts';

/** The permissions that rules can check in a channel. */
export type ChannelPermission =
  | 'View Channel'
  | 'Send Messages'
  | 'Read Message History'
  | 'Create Public Threads'
  | 'Embed Links'
  | 'Attach Files'
  | 'Manage Webhooks';

/** A permission of the bot, by its name in Discord's settings. */
export type BotPermission =
  | ChannelPermission
  | 'Send Messages in Threads'
  | 'Add Reactions'
  | 'Manage Messages'
  | 'Manage Roles'
  | 'Manage Channels'
  | 'Create Events'
  | 'Mention Everyone';

/** The permissions of each operation of `discord`, in addition to View Channel. */
export const OPERATION_PERMISSIONS = {
  'discord.send': ['Send Messages'],
  // Fanfare searches the channel for the message of an unanswered request.
  'discord.put': ['Send Messages', 'Read Message History'],
  'discord.edit': ['Read Message History'],
  'discord.delete': ['Read Message History'],
  'discord.react': ['Read Message History', 'Add Reactions'],
  'discord.publish': ['Send Messages', 'Read Message History'],
  'discord.ask': ['Send Messages'],
  'discord.thread': ['Create Public Threads'],
  'discord.editChannel': ['Manage Channels'],
  'discord.editThread': ['Send Messages in Threads'],
  'discord.addRole': ['Manage Roles'],
  'discord.removeRole': ['Manage Roles'],
  'discord.createEvent': ['Create Events'],
  'discord.editEvent': ['Create Events'],
  'discord.deleteEvent': ['Create Events'],
  'discord.getMessages': ['Read Message History'],
  'discord.getMembers': [],
  'discord.getVoiceMembers': [],
  'discord.answer': [],
  'discord.setStatus': [],
} as const satisfies Readonly<Record<string, readonly BotPermission[]>>;

/** The permissions for the contents of a message. */
export function contentPermissions({ embed, embeds, files, replyTo, sender }: JsonObject): readonly ChannelPermission[] {
  const keeps = [embed, ...(isJsonList(embeds) ? embeds : [])].some((card) => isJsonObject(card) && card['pictures'] === 'keep');
  const needs: readonly (readonly [boolean, ChannelPermission])[] = [
    [embed !== undefined || embeds !== undefined, 'Embed Links'],
    [files !== undefined || keeps, 'Attach Files'],
    [replyTo !== undefined, 'Read Message History'],
    [sender !== undefined, 'Manage Webhooks'],
  ];
  return needs.flatMap(([isNeeded, permission]) => (isNeeded ? [permission] : []));
}

/** The roles that the buttons of a message give. */
export function rolesOfButtons({ buttons, layout }: JsonObject): readonly Json[] {
  const blocks = isJsonObject(layout) && isJsonList(layout['blocks']) ? layout['blocks'] : [];
  const all = [buttons, ...blocks.map((block) => (isJsonObject(block) ? block['buttons'] : undefined))];
  return all.flatMap((list) => (isJsonList(list) ? list.flatMap((button) => (isJsonObject(button) ? (button['role'] ?? []) : [])) : []));
}

/** A permission, and what needs it: a rule and its operation, or a part of Fanfare. */
export interface NeededPermission {
  readonly permission: BotPermission;
  readonly for: readonly string[];
}

/** The permissions of a bot without rules: it sends messages with embeds, and finds messages again after a lost answer. */
const BASIC: readonly BotPermission[] = ['View Channel', 'Send Messages', 'Embed Links', 'Read Message History'];
const CONVERSATIONS: readonly BotPermission[] = ['Create Public Threads', 'Send Messages in Threads'];

export interface NeededPermissionsOptions {
  readonly rules: readonly Rule[];
  /** Whether members can talk to an assistant, in channels and in threads. */
  readonly hasAssistant: boolean;
}

/** The permissions that the bot needs in a server, with reasons. */
export function neededPermissions({ rules, hasAssistant }: NeededPermissionsOptions): readonly NeededPermission[] {
  const uses = [
    ...BASIC.map((permission) => ({ permission, reason: 'all messages' })),
    ...(hasAssistant ? CONVERSATIONS.map((permission) => ({ permission, reason: 'conversations with the assistant' })) : []),
    ...rules.flatMap((rule) => ruleUses(rule)),
  ];
  return [...Map.groupBy(uses, ({ permission }) => permission)].map(([permission, some]) => {
    const reasons = new Set(some.map(({ reason }) => reason));
    return { permission, for: reasons.has('all messages') ? ['all messages'] : [...reasons] };
  });
}

function ruleUses(rule: Rule): readonly { readonly permission: BotPermission; readonly reason: string }[] {
  return operationsOf(rule).flatMap(({ do: verb, with: params }) =>
    permissionsOf(verb, params).map((permission) => ({ permission, reason: `${verb} in ${rule.id}` })),
  );
}

function permissionsOf(verb: string, params: JsonObject): readonly BotPermission[] {
  if (!isDiscordOperation(verb)) return [];
  const { mention, thread, message, buttons, layout } = params;
  // Rules take their own messages from the result of a step.
  const isForeign = typeof message === 'string' && !message.includes('steps.');
  const needs: readonly (readonly [boolean, BotPermission])[] = [
    [mention !== undefined, 'Mention Everyone'],
    [rolesOfButtons({ buttons, layout }).length > 0, 'Manage Roles'],
    [thread !== undefined || verb === 'discord.thread', 'Send Messages in Threads'],
    [isForeign && (verb === 'discord.delete' || verb === 'discord.publish'), 'Manage Messages'],
  ];
  const further = needs.flatMap(([isNeeded, permission]) => (isNeeded ? [permission] : []));
  return [...OPERATION_PERMISSIONS[verb], ...contentPermissions(params), ...further];
}

function isDiscordOperation(verb: string): verb is keyof typeof OPERATION_PERMISSIONS {
  return Object.hasOwn(OPERATION_PERMISSIONS, verb);
}

/** The privileged intents that rules need. */
export function neededIntents(rules: readonly Rule[]): readonly MemberIntent[] {
  const reads = rules.flatMap(operationsOf).filter(({ do: verb }) => verb === 'discord.getMembers');
  if (reads.length === 0) return [];
  return ['Server Members Intent', ...(reads.some((one) => one.with['status'] !== undefined) ? (['Presence Intent'] as const) : [])];
}
