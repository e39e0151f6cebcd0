import { DiscordAPIError, DiscordjsErrorCodes, HTTPError, MessageFlags, RESTJSONErrorCodes, type RepliableInteraction } from 'discord.js';
import { CONVERSATION_TOO_LONG } from '#src/clients/assistant/port.ts';
import {
  codeOf,
  isDatabaseUnavailable,
  PlatformError,
  Refused,
  UnsupportedOperation,
  UnsupportedParameter,
  UserError,
} from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { codeBlock } from '#src/discord/text/untrusted-text.ts';
import { fittingContent } from '#src/discord/text/fit-texts.ts';
import { waitEnd } from '#src/discord/text/format.ts';
import { typedTexts } from './typed-texts.ts';

/** The user may not do this. */
export class NotAllowed extends UserError {}

/** Shows an error only to the user, with the long texts that the user typed. */
export async function refuse(interaction: RepliableInteraction, error: unknown, texts: Texts): Promise<void> {
  const [embeds = [], ...more] = typedTexts(interaction);
  const content = fittingContent(explain(error, texts), embeds.length > 0 ? `\n${texts.errors.yourText}` : '');
  const message = { content, embeds, flags: MessageFlags.Ephemeral } as const;
  if (!interaction.deferred && !interaction.replied) await interaction.reply(message);
  else {
    // Everyone sees the thinking indicator of a command. After a button, the response is the message of the button.
    const isFresh = interaction.isCommand() || (interaction.isModalSubmit() && !interaction.isFromMessage());
    // If the indicator cannot be deleted, the error replaces it.
    if (!interaction.replied && isFresh) await interaction.deleteReply().catch(() => undefined);
    await interaction.followUp(message);
  }
  for (const rest of more) await interaction.followUp({ embeds: rest, flags: MessageFlags.Ephemeral });
}

/** Whether users or operators can correct an error. Other errors are defects of Fanfare. */
export function isExplained(error: unknown): boolean {
  return (
    error instanceof UserError ||
    error instanceof PlatformError ||
    error instanceof UnsupportedOperation ||
    error instanceof UnsupportedParameter ||
    discordFault(error) !== undefined
  );
}

function isIn<K extends string>(texts: Readonly<Record<K, unknown>>, code: string): code is K {
  return Object.hasOwn(texts, code);
}

/** The lines below the first line of a message. */
function detailsOf({ message }: Refused): string {
  return message.includes('\n') ? codeBlock(message.slice(message.indexOf('\n') + 1), MAX_DETAILS) : '';
}

const MAX_DETAILS = 1_000;
const LACKS_PERMISSION: readonly unknown[] = [RESTJSONErrorCodes.MissingAccess, RESTJSONErrorCodes.MissingPermissions];

const DELETED: readonly unknown[] = [RESTJSONErrorCodes.UnknownMessage, RESTJSONErrorCodes.UnknownChannel];

/** Whether Discord refused a request because the bot lacks a permission. */
export function lacksPermission(error: unknown): boolean {
  return error instanceof DiscordAPIError && LACKS_PERMISSION.includes(error.code);
}

/** Whether a request failed because its message or its channel was deleted. */
export function isDeleted(error: unknown): boolean {
  return error instanceof DiscordAPIError && DELETED.includes(error.code);
}

const OVER: readonly unknown[] = [
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
  RESTJSONErrorCodes.InvalidWebhookToken,
];

/** Whether Discord takes no response to an interaction: its time is over, or it has a response of another process. */
export function isOver(error: unknown): boolean {
  return error instanceof DiscordAPIError && OVER.includes(error.code);
}

/** Only discord.js rejects with these codes: errors of platforms and of the database have their own classes. */
const BROKEN_CONNECTION =
  /^(?:ECONN(?:RESET|REFUSED|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|UND_ERR_(?:SOCKET|(?:CONNECT|HEADERS|BODY)_TIMEOUT))$/u;

function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && BROKEN_CONNECTION.test(codeOf(error) ?? '');
}

/** Fields that a form of another version of Fanfare does not have, or has with another type. */
const FIELD_MISSING: readonly unknown[] = [
  DiscordjsErrorCodes.ModalSubmitInteractionFieldNotFound,
  DiscordjsErrorCodes.ModalSubmitInteractionFieldType,
];

/** Why Discord failed or refused a request of the bot, or why a form cannot be read; undefined for other errors. */
function discordFault(error: unknown): 'unavailable' | 'unanswered' | 'lacksPermission' | 'messageGone' | 'gone' | undefined {
  if (FIELD_MISSING.includes(codeOf(error))) return 'gone';
  if (error instanceof HTTPError || (error instanceof DiscordAPIError && error.status >= 500)) return 'unavailable';
  if (isUnanswered(error)) return 'unanswered';
  if (!(error instanceof DiscordAPIError)) return undefined;
  if (isDeleted(error)) return 'messageGone';
  return lacksPermission(error) ? 'lacksPermission' : undefined;
}

/** The log text of a failure; undefined if the user sees the full reason, or if the failure is logged as an error. */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof PlatformError || error instanceof DiscordAPIError || error instanceof HTTPError || isUnanswered(error)
    ? error.message
    : undefined;
}

/** Logs that the bot could not write to Discord. A deleted message is not worth a line, and only a defect of Fanfare has a stack trace. */
export function logFailedWrite(log: Pick<Log, 'debug' | 'warn'>, error: unknown, message: string): void {
  const reason = reasonOf(error);
  if (isDeleted(error) || isOver(error)) log.debug({ reason }, message);
  else log.warn(reason === undefined ? { error } : { reason }, message);
}

/** The error message for the user. */
export function explain(error: unknown, { errors }: Texts): string {
  if (error instanceof PlatformError) {
    const { platform, fault, retryAt, cause } = error;
    const soon = retryAt && waitEnd(retryAt.getTime());
    if (platform === 'openai') return errors.assistantFault(cause === CONVERSATION_TOO_LONG ? 'tooLong' : fault, soon);
    return errors.fault(platform.charAt(0).toUpperCase() + platform.slice(1), fault, soon);
  }
  if (isDatabaseUnavailable(error)) return errors.stateUnreachable;
  if (error instanceof Refused && isIn(errors.refused, error.code)) return errors.refused[error.code](detailsOf(error));
  const fault = discordFault(error);
  if (fault !== undefined)
    return fault === 'unavailable' || fault === 'unanswered' ? errors.fault('Discord', fault, undefined) : errors[fault];
  return isExplained(error) && error instanceof Error ? error.message : errors.ours;
}
