import { type APIRole, type ButtonInteraction, DiscordAPIError, MessageFlags, RESTJSONErrorCodes, Routes } from 'discord.js';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { Button } from '#src/clients/chat/buttons.ts';
import { bareRole } from '#src/clients/operation/text/bare-role.ts';
import { parsePressButtonId } from '#src/clients/chat/buttons.ts';
import { makesModerators } from '#src/clients/chat/moderator-permissions.ts';
import type { MuteOutcome } from '#src/engine/scheduler/rule-states.ts';
import { UserError } from '#src/errors.ts';
import { escaped, roleNames } from '#src/discord/text/untrusted-text.ts';
import { actorOf } from './actor.ts';
import type { Caller } from './caller.ts';
import { NotAllowed } from './explain-error.ts';

/** A message with buttons that a rule sent. */
export interface PressedMessage {
  /** `channel/message`. */
  readonly message: string;
  readonly buttons: readonly Button[];
  /** The name of its item; undefined if it is not about an item. */
  readonly item: string | undefined;
  /** Suppresses its item until the episode ends. */
  readonly mute: (by: Actor) => Promise<MuteOutcome>;
}

/** The messages with buttons that rules sent. */
export interface RuleButtons {
  /** The message of a write; undefined if it is no longer stored, or if its rule does not run. */
  find(key: string): Promise<PressedMessage | undefined>;
}

type Presser = Pick<Caller, 'texts' | 'hasRole' | 'server' | 'id' | 'name'>;

/** Handles a button that a rule put below a message; false for other buttons. Everything that it shows is private. */
export async function onPress(interaction: ButtonInteraction, ruleButtons: RuleButtons, caller: Presser): Promise<boolean> {
  const pressed = parsePressButtonId(interaction.customId);
  if (!pressed) return false;
  const texts = caller.texts.ruleButtons;
  const message = await ruleButtons.find(pressed.key);
  // A custom id in another message is not the message that Fanfare sent. One account can send to several servers.
  const isItsMessage = message?.message === `${interaction.channelId}/${interaction.message.id}`;
  const button = message?.buttons[pressed.place];
  if (!message || !isItsMessage || !button || !caller.server) throw new UserError(texts.gone);
  if ('role' in button) await changeRole(interaction, button.role, caller);
  else if ('mute' in button) await mute(interaction, message, button.allow, caller);
  else throw new UserError(texts.gone);
  return true;
}

/** Gives the role to the member who pressed the button, or takes it. */
async function changeRole(interaction: ButtonInteraction, name: string, { texts: { ruleButtons }, server, id }: Presser): Promise<void> {
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const guildId = server?.id ?? '';
  const { rest } = interaction.client;
  const roles = (await rest.get(Routes.guildRoles(guildId))) as APIRole[]; // as Discord documents it
  const wanted = bareRole(name);
  const role = roles.find((one) => one.id === wanted) ?? roles.find((one) => one.name === wanted);
  const shown = escaped(role?.name ?? name, 100);
  if (!role || role.id === guildId) throw new UserError(ruleButtons.noRole(shown));
  // The text of a rule can choose the role, and the permissions of a role change after the message was sent.
  if (makesModerators(role.permissions)) throw new UserError(ruleButtons.moderatorRole(shown));
  const had = interaction.member && rolesOf(interaction.member).includes(role.id);
  const route = Routes.guildMemberRole(guildId, id, role.id);
  try {
    await (had ? rest.delete(route) : rest.put(route));
  } catch (error) {
    const isRefused = error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.MissingPermissions;
    throw isRefused ? new UserError(ruleButtons.cannotGive(shown)) : error;
  }
  await interaction.editReply({ content: had ? ruleButtons.taken(shown) : ruleButtons.given(shown), allowedMentions: { parse: [] } });
}

function rolesOf({ roles }: NonNullable<ButtonInteraction['member']>): readonly string[] {
  return Array.isArray(roles) ? roles : [...roles.cache.keys()];
}

async function mute(
  interaction: ButtonInteraction,
  { item, mute: muteItem }: PressedMessage,
  allow: readonly string[],
  caller: Presser,
): Promise<void> {
  const {
    texts: { ruleButtons },
    hasRole,
  } = caller;
  if (!hasRole(allow)) throw new NotAllowed(ruleButtons.needsRole(roleNames(allow)));
  if (item === undefined) throw new UserError(ruleButtons.gone);
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  // The button names who may press it, so the member needs no other right.
  const outcome = await muteItem(actorOf(caller, { role: 'editor' }));
  const shown = escaped(item, 100);
  const answers = { muted: ruleButtons.muted, already: ruleButtons.alreadyMuted, over: ruleButtons.over };
  await interaction.editReply({ content: answers[outcome](shown), allowedMentions: { parse: [] } });
}
